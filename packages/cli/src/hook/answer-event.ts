import { AsyncLocalStorage } from 'node:async_hooks';
import type { Output } from '@spec/agents';
import type { RunRecord } from '@spec/hooks';
import { stateFolder } from '../agent-state/places.ts';
import type { KeptSession } from '../agent-state/sessions.ts';
import { type SpooledRun, spoolEvent } from '../agent-state/spool.ts';
import type { CalledEvent, HookFolder } from './called.ts';
import { noteGuards } from './local-file.ts';
import { type OpenHooks, openHooks, settingsFolder, type UntrustedCode } from './open-hooks.ts';

/**
 * The runs of the event that is being answered. One for all of a process: on Node 20 every promise pays for each that there
 * ever was, and a daemon opens hooks again whenever they change.
 */
const asked = new AsyncLocalStorage<SpooledRun[]>();

/** Hooks that answer events of one agent, and keep their runs for the ledger. */
export type AnsweringHooks =
  | (Omit<Extract<OpenHooks, { host: unknown }>, 'host'> & { answer(given: EventToAnswer): Promise<Output> })
  | UntrustedCode;

/** An event as the hooks are asked about it. */
export interface EventToAnswer {
  readonly event: string;
  /** What the agent sent. */
  readonly input: string;
  readonly session: string;
  readonly memory: KeptSession;
  readonly abortSignal: AbortSignal;
}

/**
 * Opens the hooks of a folder, and notes for the launcher at which events they decide.
 *
 * @throws {DefinitionError} as the hooks are refused where they are loaded, or by the agent
 */
export async function openAnsweringHooks({
  agent,
  scope,
  root,
}: Pick<CalledEvent, 'agent'> & HookFolder): Promise<AnsweringHooks> {
  const note = (run: RunRecord): void => {
    const runs = asked.getStore();
    runs?.push({ ...run, at: Date.now() * 1000 + runs.length });
  };
  const opened = await openHooks({ agent, scope, root }, note);
  if ('refusal' in opened) return opened;
  const { host, from } = opened;
  noteGuards(settingsFolder(scope, root), agent.name, host.guardedEvents);
  const answer = async ({ session, ...given }: EventToAnswer): Promise<Output> => {
    const runs: SpooledRun[] = [];
    try {
      return await asked.run(runs, () => host.answer(given));
    } finally {
      spoolEvent(stateFolder(root), { agent: agent.name, session, runs });
      await given.memory.save();
    }
  };
  return { from, answer, close: () => opened.close() };
}
