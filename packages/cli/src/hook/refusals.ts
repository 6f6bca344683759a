import { type Output, refuseEvent } from '@spec/agents';
import { DefinitionError, RunError } from '@spec/hooks';
import type { KeptSession } from '../agent-state/sessions.ts';
import { describeLost } from '../trust/lost-code.ts';
import type { CalledEvent, HookFolder } from './called.ts';
import { readLocalFile } from './local-file.ts';
import { settingsFolder, type UntrustedCode } from './open-hooks.ts';

const silence: Output = { stdout: '', stderr: '', code: 0 };

/** Hooks that cannot be asked deny what they guarded when they last ran; where that is not known, all that can be guarded. */
export function refuse({ agent, event, scope, root }: CalledEvent & HookFolder, why: string): Output {
  const guards = readLocalFile(settingsFolder(scope, root))?.guards[agent.name];
  return guards === undefined || guards.includes(event) ? refuseEvent(agent, event, why) : silence;
}

/** Code that nobody has trusted guards nothing yet, and the session is told once. Code that has changed guarded, and what it guarded is denied; so where it is gone. */
export function answerUntrusted(
  called: CalledEvent & HookFolder,
  code: UntrustedCode,
  memory: KeptSession,
): Output {
  if (code.refusal === 'lost') return refuse(called, `${describeLost(code)}.`);
  const { refusal, subject } = code;
  const { agent, event } = called;
  const look = `A person can look at it with: spec-hooks trust ${subject}`;
  if (refusal === 'changed')
    return refuse(called, `The code of the hooks has changed since it was trusted. ${look}.`);
  const row = agent.events[event];
  if (memory.told || row === undefined || !tellingMoments.has(row.moment)) return silence;
  memory.told = true;
  const untold = `The hooks of this project do not run: nobody on this machine has trusted their code. ${look}`;
  return row.write({ context: untold, userMessage: untold }, event);
}

/** When an agent passes on what it is told. */
const tellingMoments: ReadonlySet<string> = new Set(['session_start', 'prompt']);

/** Why hooks could not be loaded; without data, which a message of theirs may hold. */
export function describeFailure(error: unknown): string {
  const isOurs = error instanceof DefinitionError || error instanceof RunError;
  return isOurs ? error.message : 'The hooks could not be loaded.';
}
