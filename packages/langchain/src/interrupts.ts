import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import type { CheckpointTuple } from '@langchain/langgraph';
import { isRecord } from '@spec/hooks';
import { answersCall } from './messages.ts';

// What LangGraph keeps of interrupts: its checkpointer has the question of each task that waits, and each task has its answers.

/** What LangGraph tells a task of itself, as much of it as is needed here. */
interface TaskLike {
  readonly thread_id?: string;
  readonly checkpoint_ns?: string;
  readonly checkpoint_map?: Readonly<Record<string, string>>;
  readonly __pregel_task_id?: string;
  readonly __pregel_checkpointer?: { getTuple(config: object): Promise<CheckpointTuple | undefined> };
  readonly __pregel_scratchpad?: Scratchpad;
  /** Answers by the ids of their questions; absent where one answer was given for all. */
  readonly __pregel_resume_map?: object;
}

interface Scratchpad {
  /** The answers to the questions of the task, the oldest first. */
  readonly resume: readonly unknown[];
  /** How many of its questions the task has come to, less one. */
  readonly interruptCounter: number;
  /** An answer without an id. It stays in the checkpoint when another one is given by its id. */
  readonly nullResume?: unknown;
  /** The state of the graph; with one call of a tool, where each has a task of its own. */
  readonly currentTaskInput?: unknown;
  consumeNullResume(): unknown;
}

/** A question that waits, as a task asked it. */
export interface Question {
  readonly value?: unknown;
  /** Of a question that a tool has asked by itself: how the call had come to run. */
  readonly specHooks?: BegunCall;
}

/** A call whose tool has begun. */
export interface BegunCall {
  /** How many of our questions were answered before. */
  readonly asked: number;
  /** The arguments that it began with, as JSON. */
  readonly arguments: string;
}

/** What is known of the questions of one task, when it comes to a call. */
export interface TaskQuestions {
  /** How many answers there are that nobody has taken yet. */
  readonly answers: number;
  /** The question that the last answer is for. */
  readonly last: Question | undefined;
  /** Set where the answer has no id and others wait beside it; one of them is `first`. */
  readonly isForSeveral: false | 'first' | 'other';
}

/** Whether other calls of the same answer run in the task of a call (`version: 'v1'`): those that have run would run again with each answer. */
export function isBesideOthers(configurable: unknown): boolean {
  const { currentTaskInput: input } = ((configurable ?? {}) as TaskLike).__pregel_scratchpad ?? {};
  if (!isRecord(input) || 'lg_tool_call' in input || !Array.isArray(input.messages)) return false;
  const messages = input.messages as readonly BaseMessage[];
  const at = messages.findLastIndex((message) => AIMessage.isInstance(message));
  const calls = (messages[at] as AIMessage | undefined)?.tool_calls ?? [];
  const later = messages.slice(at + 1);
  return calls.filter(({ id = '' }) => !later.some((message) => answersCall(message, id))).length > 1;
}

/** Reads the questions of the task that a tool is called in. */
export async function readQuestions(configurable: unknown): Promise<TaskQuestions> {
  const task = (configurable ?? {}) as TaskLike;
  const { __pregel_scratchpad: scratchpad, __pregel_resume_map: byId, __pregel_task_id: id } = task;
  if (scratchpad === undefined) return { answers: 0, last: undefined, isForSeveral: false };
  // An older answer for all is none to a question that was not answered by its id.
  if (byId !== undefined && scratchpad.nullResume !== undefined) scratchpad.consumeNullResume();
  const isPlain = scratchpad.nullResume !== undefined;
  const taken = scratchpad.interruptCounter + 1;
  const answers = scratchpad.resume.length + (isPlain ? 1 : 0) - taken;
  if (answers <= 0) return { answers: 0, last: undefined, isForSeveral: false };
  const waiting = await listWaiting(task);
  const last = waiting.flat().find(({ taskId }) => taskId === id)?.question;
  const several = isPlain ? waiting.filter((tasks) => tasks.length > 1) : [];
  if (several.length === 0) return { answers, last, isForSeveral: false };
  scratchpad.consumeNullResume();
  const path = `${task.checkpoint_ns}`;
  const isFirst = several.every(([first]) => path.includes(first?.taskId ?? path));
  return { answers: answers - 1, last, isForSeveral: isFirst ? 'first' : 'other' };
}

interface Waiting {
  readonly taskId: string;
  readonly question: Question;
}

/** The tasks that wait, graph by graph, from the graph of this task outwards. */
async function listWaiting(task: TaskLike): Promise<Waiting[][]> {
  const { checkpoint_ns: namespace = '', checkpoint_map: checkpoints = {} } = task;
  const own = namespace.split('|').slice(0, -1).join('|');
  const graphs = [...new Set([own, ...Object.keys(checkpoints)])];
  return Promise.all(graphs.map(async (graph) => readWaiting(task, graph, checkpoints[graph])));
}

async function readWaiting(
  { thread_id, __pregel_checkpointer: checkpointer }: TaskLike,
  checkpoint_ns: string,
  checkpoint_id: string | undefined,
): Promise<Waiting[]> {
  const place = { thread_id, checkpoint_ns, ...(checkpoint_id === undefined ? {} : { checkpoint_id }) };
  const { pendingWrites = [] } = (await checkpointer?.getTuple({ configurable: place })) ?? {};
  const done = new Set(pendingWrites.flatMap(([id, channel]) => (channel.startsWith('__') ? [] : [id])));
  const asked = new Map<string, Question>();
  for (const [id, channel, value] of pendingWrites) {
    if (channel !== '__interrupt__' || done.has(id)) continue;
    const question = [value].flat().at(-1) as Question | undefined;
    if (question !== undefined) asked.set(id, question);
  }
  return [...asked].map(([taskId, question]) => ({ taskId, question }));
}
