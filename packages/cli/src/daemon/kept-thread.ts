import { relative } from 'node:path';
import { trustStore } from '@spec/commands/trust';
import { DEADLINE, type HookFolder } from '../hook/called.ts';
import { findCode, findLost, type LoadedFrom, needsTrust, type UntrustedCode } from '../hook/open-hooks.ts';
import { type CodeMemory, lookAtCode, stampFile } from '../trust/code.ts';
import { lookAtConfiguration, writeTrust } from '../trust/project-code.ts';
import { type HookThread, makeUnanswered, startHookThread } from './hook-thread.ts';

/** The thread with the hooks of a folder, kept as long as what they were loaded from is as it was. */
export interface KeptThread {
  /** Throws {@link Untrusted} for code that no person trusts as it is now; it is not loaded. @param agent the hooks are opened for it, if they have to be */
  find(agent: string): Promise<HookThread>;
  /** Ends it as soon as it has answered what it was asked. */
  retire(): void;
}

/** Code that must not run. */
export class Untrusted extends Error {
  readonly code: UntrustedCode;
  constructor(code: UntrustedCode) {
    super(code.refusal);
    this.code = code;
  }
}

/** Keeps a thread. Before each use it is seen whether its hooks are those that a person trusts, as they are now. */
export function keepThread(folder: HookFolder): KeptThread {
  const memory: CodeMemory = new Map();
  let current: Loaded | undefined;
  let last: LoadedFrom | undefined;

  /** What the thread was asked before, it still answers: it was asked when its code was trusted. */
  function retire(loaded: Loaded | undefined): void {
    loaded?.thread.retire();
    if (current === loaded) current = undefined;
  }

  async function load(agent: string): Promise<HookThread> {
    const loaded = startLoading(folder, agent);
    current = loaded;
    try {
      await loaded.from;
      return loaded.thread;
    } catch (error) {
      retire(loaded);
      throw error;
    }
  }

  async function find(agent: string): Promise<HookThread> {
    for (;;) {
      const seen = current;
      const isAlive = seen !== undefined && !seen.thread.isOver();
      if (isAlive) last = await seen.from;
      const state = (await findUnknown(folder)) ?? (last && (await compareCode(folder, last, memory)));
      if (current !== seen) continue; // Another event was faster.
      if (isAlive && state === 'same') return seen.thread;
      retire(seen);
      if (typeof state === 'object') throw new Untrusted(state);
      if (!isAlive) return load(agent);
    }
  }

  return { find, retire: () => retire(current) };
}

/** A thread, and what its hooks were loaded from. */
interface Loaded {
  readonly thread: HookThread;
  readonly from: Promise<LoadedFrom>;
}

/** Loading may take as long as the hooks of an event, whatever event begins it: others wait for it, too. */
function startLoading(folder: HookFolder, agent: string): Loaded {
  const thread = startHookThread(folder);
  const from = thread.ask({ kind: 'open', agent }, DEADLINE).then((reply) => {
    if (reply.kind !== 'opened') throw makeUnanswered(reply);
    if ('refusal' in reply.opened) throw new Untrusted(reply.opened);
    return reply.opened;
  });
  from.catch(() => {}); // Whoever waits for it is told.
  return { thread, from };
}

/** The code of a folder, if nobody has trusted it, or another is trusted: then nothing of it is loaded, or kept. */
export async function findUnknown(folder: HookFolder): Promise<UntrustedCode | undefined> {
  const lost = await findLost(folder);
  if (lost !== undefined) return lost;
  const code = findCode(folder);
  if (!needsTrust(folder, code) || (await trustStore().get(code.subject)) !== undefined) return undefined;
  return { refusal: 'unknown', subject: relative(folder.root, code.subject) };
}

/**
 * Compares what hooks were loaded from with what is there and trusted now. Code that has changed while the trust has not is untrusted: to see that,
 * nothing has to be loaded.
 *
 * @param memory kept between looks
 */
async function compareCode(
  folder: HookFolder,
  { looked, parts, stamps }: LoadedFrom,
  memory: CodeMemory,
): Promise<'same' | 'outdated' | UntrustedCode> {
  const code = findCode(folder);
  const now = writeTrust(lookAtConfiguration(code, memory), lookAtCode(parts, memory));
  const trusted = needsTrust(folder, code) ? await trustStore().get(code.subject) : now;
  if (trusted === looked && now !== looked)
    return { refusal: 'changed', subject: relative(folder.root, code.subject) };
  const isSame = now === looked && Object.entries(stamps).every(([file, stamp]) => stampFile(file) === stamp);
  return isSame && trusted === looked ? 'same' : 'outdated';
}
