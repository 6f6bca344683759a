import { setTimeout } from 'node:timers/promises';
import { DefinitionError, RunError } from '@spec/hooks';
import type { LedgerEntry, Thread } from '@spec/runtime';
import { type Conversation, fingerprint, type RecordedMessage } from './formats/conversation.ts';
import {
  LEASE_MS,
  type RecordedOptions,
  type RecordedRuntime,
  recordedAgent,
  recordedRuntime,
} from './recorded-runtime.ts';
import { type Segment, splitIntoSegments } from './segments.ts';

/** What came of replaying one conversation. */
export interface Replayed {
  readonly id: string;
  /** `there`: the database had it from an earlier replay. `failed`: it was begun, and `reason` ended it. */
  readonly status: 'replayed' | 'there' | 'failed';
  readonly reason?: string;
  /** Recorded messages. */
  readonly recorded: number;
  /** Stored messages; fewer where a hook refused a user message. */
  readonly stored: number;
  readonly modelCalls: number;
  /** Characters of text that the model was sent, over all calls. */
  readonly sentToModel: number;
  readonly runs: readonly LedgerEntry[];
  readonly ms: number;
}

/** Under this key a thread remembers what it is a replay of, once it is one. */
const DONE = 'replay';

/**
 * Runs a recorded conversation through the hooks into the store. One that is there already is left alone, one that was
 * interrupted is done again from its start. Where a hook blocks a message, what was done until then is told all the same.
 *
 * @throws {RunError} where the store fails.
 */
export async function replayConversation(
  conversation: Conversation,
  options: RecordedOptions,
): Promise<Replayed> {
  const startedAt = performance.now();
  const model = { calls: 0, characters: 0 };
  const onModelCall: RecordedOptions['onModelCall'] = (prompt) => {
    model.calls++;
    model.characters += JSON.stringify(prompt).length;
    options.onModelCall?.(prompt);
  };
  const recording = recordedRuntime(conversation, { ...options, onModelCall });
  try {
    const { thread, ...ended } = await attempt(recording, conversation, hookIds(options));
    return {
      ...ended,
      id: conversation.id,
      recorded: conversation.messages.length,
      stored: await options.store.countMessages(conversation.id),
      modelCalls: model.calls,
      sentToModel: model.characters,
      runs: (await thread?.runs()) ?? [],
      ms: performance.now() - startedAt,
    };
  } finally {
    await recording.runtime.close();
  }
}

interface Attempt extends Pick<Replayed, 'status' | 'reason'> {
  readonly thread: Thread | undefined;
}

async function attempt(
  recording: RecordedRuntime,
  conversation: Conversation,
  hooks: string,
): Promise<Attempt> {
  let thread: Thread | undefined;
  try {
    thread = await freshThread(recording, conversation, hooks);
    if (thread === undefined) return { thread, status: 'there' };
    await replayAll(recording, thread, conversation);
    await thread.state.setValue(DONE, { messages: fingerprint(conversation), hooks });
    return { thread, status: 'replayed' };
  } catch (error) {
    if (!isAboutThisConversation(error)) throw error;
    return { thread, status: 'failed', reason: error.message };
  }
}

/** A store that fails, fails for every conversation. */
function isAboutThisConversation(error: unknown): error is RunError | DefinitionError {
  if (error instanceof RunError) return !error.code.startsWith('store_');
  return error instanceof DefinitionError;
}

function hookIds({ hooks }: RecordedOptions): string {
  return hooks.map(({ id }) => id).join(' ');
}

/** What a finished thread remembers. */
interface Done {
  readonly messages: string;
  readonly hooks: string;
}

/** An empty thread for the conversation, or `undefined` where it was replayed before. */
async function freshThread(
  { runtime }: RecordedRuntime,
  conversation: Conversation,
  hooks: string,
): Promise<Thread | undefined> {
  const { id } = conversation;
  const existing = await runtime.openThread(id).catch(unlessMissing);
  const done = (await existing?.state.getValue(DONE)) as Done | undefined;
  if (done !== undefined) {
    refuseOther(id, done, { messages: fingerprint(conversation), hooks });
    return undefined;
  }
  if (existing !== undefined) await onceFree(() => existing.delete());
  return runtime.createThread({ agent: recordedAgent, id });
}

function refuseOther(id: string, done: Done, now: Done): void {
  const other =
    done.messages !== now.messages
      ? `The database has another conversation with the id ${id}. Give this one another id, or use another database.`
      : `The database has this conversation, replayed with other hooks (${done.hooks || 'none'}). Use another database.`;
  if (done.messages === now.messages && done.hooks === now.hooks) return;
  throw new RunError('invalid_message', other, { threadId: id });
}

/** A replay that was killed holds its last thread a moment longer: its lease has to run out. */
async function onceFree(run: () => Promise<void>): Promise<void> {
  for (let waited = 0; ; waited += PAUSE_MS) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof RunError && error.code === 'thread_busy') || waited >= 2 * LEASE_MS) throw error;
      await setTimeout(PAUSE_MS);
    }
  }
}

const PAUSE_MS = 100;

function unlessMissing(error: unknown): undefined {
  if (error instanceof RunError && error.code === 'not_found') return undefined;
  throw error;
}

async function replayAll(
  recording: RecordedRuntime,
  thread: Thread,
  conversation: Conversation,
): Promise<void> {
  for (const segment of splitIntoSegments(conversation.messages))
    await replaySegment(recording, thread, segment);
}

async function replaySegment(recording: RecordedRuntime, thread: Thread, segment: Segment): Promise<void> {
  if (segment.kind === 'message') {
    await thread.inject(toDraft(segment.message));
    return;
  }
  recording.play(segment.replies, () => {
    if (segment.isCutOff) thread.state.execution.stop();
  });
  const { content, ...fields } = segment.user;
  await thread.send({ ...fields, content: content as string });
}

/** A stored message holds its tool calls as JSON text. */
function toDraft({ tool_calls, ...message }: RecordedMessage): Parameters<Thread['inject']>[0] {
  if (tool_calls === undefined) return message;
  return { ...message, tool_calls: tool_calls === null ? null : JSON.stringify(tool_calls) };
}
