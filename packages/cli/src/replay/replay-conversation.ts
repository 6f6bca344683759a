import { setTimeout } from 'node:timers/promises';
import { RunError } from '@spec/hooks';
import type { LedgerEntry, Thread } from '@spec/runtime';
import { type Conversation, fingerprint, type RecordedMessage } from './conversation.ts';
import {
  LEASE_MS,
  type RecordedOptions,
  type RecordedRuntime,
  recordedAgent,
  recordedRuntime,
} from './recorded-runtime.ts';
import { type Segment, segmentsOf } from './segments.ts';

/** What came of replaying one conversation. */
export interface Replayed {
  readonly id: string;
  /** `there`: the database had it from an earlier replay. */
  readonly status: 'replayed' | 'there';
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
 * interrupted is done again from its start.
 *
 * @throws {RunError} where a hook blocks a message, or another conversation has this id.
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
    const thread = await freshThread(recording, conversation);
    if (thread !== undefined) await replayAll(recording, thread, conversation);
    return {
      id: conversation.id,
      status: thread === undefined ? 'there' : 'replayed',
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

/** An empty thread for the conversation, or `undefined` where it was replayed before. */
async function freshThread(
  { runtime }: RecordedRuntime,
  conversation: Conversation,
): Promise<Thread | undefined> {
  const { id } = conversation;
  const there = await runtime.openThread(id).catch(unlessMissing);
  const done = await there?.state.getValue(DONE);
  if (done === fingerprint(conversation)) return undefined;
  if (done !== undefined) {
    throw new RunError(
      'invalid_message',
      `The database has another conversation with the id ${id}. Give this one another id, or use another database.`,
      { threadId: id },
    );
  }
  if (there !== undefined) await onceFree(() => there.delete());
  return runtime.createThread({ agent: recordedAgent, id });
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
  for (const segment of segmentsOf(conversation.messages)) await replaySegment(recording, thread, segment);
  await thread.state.setValue(DONE, fingerprint(conversation));
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
