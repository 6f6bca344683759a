// Session: begins and ends what lasts as long as a thread is open, and keeps its mode and skills. The runtime and the tools call it; it never sends messages.

import type { SessionInfo } from '@spec/hooks';
import { isMode, MODE_KEY, type PermissionMode } from '../definitions/permission-mode.ts';
import { findInHead, readKept } from '../stores/kept-value.ts';
import type { Store, ThreadHead, ThreadRecord } from '../stores/store.ts';
import type { ThreadCore } from '../thread/core.ts';
import { isThreadBusy } from '../thread/lease.ts';
import type { Ancestor, Caller } from '../thread/session.ts';
import { commit, flushRuns } from '../writes/commit.ts';
import { forgetSkills, restoreSkills } from './skills.ts';

/**
 * Begins a thread's session, if none has begun, and tells `after_session_started`. What its hooks have to say waits until
 * the model is asked.
 *
 * @throws {RunError} where a hook with `onError: 'block'` fails; the thread is closed again then
 */
export function startSession(
  core: ThreadCore,
  source: SessionInfo['source'],
  { restoreSkills: restores = true }: RestoreOptions = {},
): Promise<void> {
  core.session.starting ??= beginSession(core, source, restores).catch(async (error: unknown) => {
    core.session.info = undefined;
    await core.close();
    throw error;
  });
  return core.session.starting;
}

interface RestoreOptions {
  /** Whether the skills are started again that a turn ran under when its process died. Default `true`. */
  readonly restoreSkills?: boolean | undefined;
}

/** Begins the session of a thread that was there before. */
export function openSession(core: ThreadCore, options?: RestoreOptions): Promise<void> {
  return startSession(core, core.record.turn === null ? 'opened' : 'resumed', options);
}

/** Begins the session of a child thread that its caller goes on with after a crash. */
export function resumeSession(child: ThreadCore, caller: Caller): Promise<void> {
  child.session.caller = caller;
  return openSession(child);
}

async function beginSession(
  core: ThreadCore,
  source: SessionInfo['source'],
  restores: boolean,
): Promise<void> {
  const { runtime, scope, session, record, outside } = core;
  const sessionId = crypto.randomUUID();
  const info: SessionInfo = { sessionId, source, agentId: record.agentId, parentId: record.parentId };
  session.info = info;
  if (source === 'resumed') {
    if (restores) await restoreSkills(core);
    else session.keepsSkills = true;
  }
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
  await unlessReading(() => forgetSkills(core));
  session.end();
  events.emit({ type: 'session_ended', session: info });
  await flushSessionRuns(core);
}

/** Whoever only reads a thread, while another runtime writes to it, may have a session, and has nothing to write. */
async function unlessReading(
  write: () => Promise<void> | undefined,
  whereReading = (): void => {},
): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!isThreadBusy(error)) throw error;
    whereReading();
  }
}

/** Whose runs cannot be written has told them by events; they are not in the ledger then. */
function flushSessionRuns(core: ThreadCore): Promise<void> {
  return unlessReading(
    () => flushRuns(core),
    () => core.runs.take(),
  );
}

/** Keeps the mode with the thread, and has it hold from now on. @throws {RunError} `thread_busy` */
export async function setMode(core: ThreadCore, mode: PermissionMode): Promise<void> {
  await commit(core.state, 'setPermissionMode', { values: [{ key: MODE_KEY, value: mode }] });
  core.session.ownMode = mode;
}

/** Takes the thread's mode, and reads which threads are above it. */
export async function loadMode(core: ThreadCore, head: ThreadHead): Promise<void> {
  const { record, session } = core;
  session.ownMode = findInHead(head, MODE_KEY, isMode);
  if (record.parentId !== null) session.ancestors = await listAncestors(core, record.parentId);
}

/** The threads above a new child. */
export function ancestorsUnder({ id, session }: ThreadCore): Ancestor[] {
  return [{ id, mode: session.ownMode }, ...session.ancestors];
}

async function listAncestors({ runtime, store }: ThreadCore, parentId: string): Promise<Ancestor[]> {
  const ancestors: Ancestor[] = [];
  for (let id: string | null = parentId; id !== null; ) {
    ancestors.push({ id, mode: await keptMode(store, id) });
    const record: ThreadRecord | null = runtime.find(id)?.record ?? (await store.getThread(id));
    id = record?.parentId ?? null;
  }
  return ancestors;
}

/** Reads the modes again of the threads above that are not open: whoever had them open meanwhile may have changed them. */
export async function refreshMode({ runtime, store, session }: ThreadCore): Promise<void> {
  if (session.ownMode !== undefined) return;
  for (const ancestor of session.ancestors)
    if (runtime.find(ancestor.id) === undefined) ancestor.mode = await keptMode(store, ancestor.id);
}

function keptMode(store: Store, threadId: string): Promise<PermissionMode | undefined> {
  return readKept(store, { threadId, key: MODE_KEY }, isMode);
}
