import { RunError, type SessionInfo } from '@spec/hooks';
import { isMode, MODE_KEY, type PermissionMode } from './permission-mode.ts';
import type { Caller } from './session-state.ts';
import { forgetSkills, restoreSkills } from './skills.ts';
import type { Store, ThreadRecord } from './store.ts';
import type { ThreadCore } from './thread-core.ts';
import { append, flushRuns, underFence } from './writes.ts';

/**
 * Begins a thread's session, if none has begun, and tells `after_session_started`. What its hooks have to say waits until
 * the model is asked.
 *
 * @throws {RunError} where a hook with `onError: 'block'` fails; the thread is closed again then
 */
export function startSession(core: ThreadCore, source: SessionInfo['source']): Promise<void> {
  core.session.starting ??= tellStart(core, source).catch(async (error: unknown) => {
    core.session.info = undefined;
    await core.close();
    throw error;
  });
  return core.session.starting;
}

/** Begins the session of a thread that was there before. */
export async function openSession(core: ThreadCore): Promise<void> {
  if (core.session.starting !== undefined) return core.session.starting;
  return startSession(core, core.record.turn === null ? 'opened' : 'resumed');
}

/** Begins the session of a child thread that its caller goes on with after a crash. */
export function resumeSession(child: ThreadCore, caller: Caller): Promise<void> {
  child.session.caller = caller;
  return openSession(child);
}

async function tellStart(core: ThreadCore, source: SessionInfo['source']): Promise<void> {
  const { runtime, scope, session, record, outside } = core;
  const sessionId = crypto.randomUUID();
  const info: SessionInfo = { sessionId, source, agentId: record.agentId, parentId: record.parentId };
  session.info = info;
  if (source === 'resumed' && runtime.skills !== undefined) await restoreSkills(core);
  if (scope.after_session_started === undefined) return;
  session.addContexts(await runtime.executor.run('after_session_started', scope, outside, info));
  await flushSessionRuns(core);
}

/** Ends a thread's session, if one has begun; everything of it is forgotten. */
export async function endSession(core: ThreadCore): Promise<void> {
  const { runtime, session, events, outside } = core;
  const { info } = session;
  if (info === undefined) return;
  session.info = undefined; // S1: here, before anything is waited for.
  const { scope } = core;
  if (scope.after_session_ended !== undefined)
    await runtime.executor.run('after_session_ended', scope, outside, info);
  await forgetSkills(core);
  session.end();
  events.emit({ type: 'session_ended', session: info });
  await flushSessionRuns(core);
}

/**
 * Whoever only reads a thread may have a session while another runtime writes to it: its runs are told by events, and are
 * not in the ledger then.
 */
async function flushSessionRuns(core: ThreadCore): Promise<void> {
  try {
    await flushRuns(core);
  } catch (error) {
    if (!(error instanceof RunError && error.code === 'thread_busy')) throw error;
    core.takeRuns();
  }
}

/** Keeps the mode with the thread, and has it hold from now on. @throws {RunError} `thread_busy` */
export async function setMode(core: ThreadCore, mode: PermissionMode): Promise<void> {
  await underFence(core.state, 'setPermissionMode', (fence) =>
    append(core, fence, { values: [{ key: MODE_KEY, value: mode }] }),
  );
  core.session.ownMode = mode;
}

/** Reads the thread's mode, and that of the nearest thread above it that has one. */
export async function loadMode(core: ThreadCore): Promise<void> {
  const { store, record, session } = core;
  session.ownMode = await keptMode(store, record.id);
  if (session.ownMode === undefined && session.caller === undefined)
    session.inheritedMode = await modeAbove(store, record);
}

async function modeAbove(store: Store, { parentId }: ThreadRecord): Promise<PermissionMode | undefined> {
  for (let id = parentId; id !== null; id = (await store.getThread(id))?.parentId ?? null) {
    const mode = await keptMode(store, id);
    if (mode !== undefined) return mode;
  }
  return undefined;
}

async function keptMode(store: Store, threadId: string): Promise<PermissionMode | undefined> {
  const kept = await store.getValue(threadId, MODE_KEY);
  return isMode(kept) ? kept : undefined;
}
