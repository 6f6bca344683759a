import { randomUUID } from 'node:crypto';
import { type HookToolCall, type LifecycleName, parseArguments, type ThreadState } from '@spec/hooks';
import type { JsonObject } from 'type-fest';
import type { Occasion } from '../normal-form.ts';

/** The details of an occasion that a hook's arguments give. */
export type OccasionDetails = Partial<
  Pick<
    Occasion,
    | 'tool'
    | 'result'
    | 'prompt'
    | 'reason'
    | 'keptGoing'
    | 'lastAssistantMessage'
    | 'batch'
    | 'notification'
    | 'modelRequest'
    | 'compaction'
  >
>;

/** The parts of an occasion besides its details. */
export interface OccasionSource {
  readonly event: LifecycleName;
  readonly state: ThreadState;
  readonly projectDir: string;
  readonly sandboxDir: string;
  readonly permissionMode: (state: ThreadState) => string | Promise<string>;
}

/**
 * Makes the plain data of one firing of an event. A subagent belongs to the session of the thread that a person talks to. A session has
 * that thread's id, which is the same when the thread is opened again.
 */
export async function makeOccasion(
  { event, state, projectDir, sandboxDir, permissionMode }: OccasionSource,
  details: OccasionDetails,
): Promise<Occasion> {
  const { threadId, agentId, userId } = state;
  const sessionId = await findRoot(state);
  return {
    event,
    threadId,
    sessionId,
    agentId,
    userId,
    isSubagent: sessionId !== threadId,
    projectDir,
    sandboxDir,
    permissionMode: await permissionMode(state),
    timestamp: new Date().toISOString(),
    executionId: randomUUID(),
    ...details,
  };
}

/** The deepest nesting of subagents that is followed. Deeper ones belong to the thread reached by then. */
const MAX_DEPTH = 32;

async function findRoot(state: ThreadState): Promise<string> {
  let thread = state;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const parent = await thread.getParentThread();
    if (parent === null) break;
    thread = parent;
  }
  return thread.threadId;
}

/** Reads a tool call for entries. Arguments that are not a JSON object count as none, since the tool would not run with them. */
export function readToolCall(call: HookToolCall): NonNullable<Occasion['tool']> {
  return { id: call.id, name: call.function.name, input: (parseArguments(call) ?? {}) as JsonObject };
}
