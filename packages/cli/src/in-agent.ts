// In agent: opens the hooks of a folder in the process of an agent. The file that "spec-hooks install" made for the agent imports it; it starts no process and loads no database.

import {
  type AgentProfile,
  createInProcessHost,
  createRefusingHost,
  createTellingHost,
  type InProcessHost,
  openCode,
  pi,
} from '@spec/agents';
import { type OpenCodeHooks, runInOpenCode } from '@spec/agents/opencode';
import { type PiApi, runInPi } from '@spec/agents/pi';
import { DefinitionError } from '@spec/hooks';
import { type HookScope, stateFolder } from './agent-state/places.ts';
import { openRunSpool } from './agent-state/run-spool.ts';
import { noteHeartbeat } from './agent-state/sessions.ts';
import { noteGuards, readLocalFile } from './hook/local-file.ts';
import { openHooksWith, settingsFolder, type UntrustedCode } from './hook/open-hooks.ts';
import { hasAnythingToSay } from './hook/own-files.ts';
import { describeLost } from './trust/lost-code.ts';

/** The folder whose hooks run, and for whom. */
interface Place {
  readonly scope: HookScope;
  /** Absolute. */
  readonly root: string;
}

/** Opens the hooks of a folder in OpenCode. Never rejects. */
export async function openInOpenCode(
  place: Place,
  input: { readonly directory: string },
): Promise<OpenCodeHooks> {
  return runInOpenCode(await openHost(openCode, place), input.directory);
}

/** Opens the hooks of a folder in pi. Never rejects. */
export async function openInPi(place: Place, api: PiApi): Promise<void> {
  runInPi(await openHost(pi, place), api);
}

async function openHost(agent: AgentProfile, place: Place): Promise<InProcessHost> {
  const folder = process.cwd();
  noteHeartbeat(stateFolder(place.root), agent.name, 'start');
  try {
    return noteSessions(await openTrusted(agent, place), agent, place);
  } catch (error) {
    const why = error instanceof DefinitionError ? error.message : 'The hooks could not be loaded.';
    return refuseGuarded(why, agent, place);
  } finally {
    process.chdir(folder);
  }
}

async function openTrusted(agent: AgentProfile, place: Place): Promise<InProcessHost> {
  const { scope, root } = place;
  process.chdir(root);
  const opened = await openHooksWith({ agent, scope, root }, (found) =>
    createInProcessHost(agent, { ...found, onRun: spoolRuns(agent, place) }),
  );
  if ('refusal' in opened) return answerUntrusted(opened, agent, place);
  noteGuards(settingsFolder(scope, root), agent.name, opened.host.guarded);
  return opened.host;
}

/** Code that nobody has trusted guards nothing yet, and each session is told once. Code that has changed guarded, and what it guarded is denied; so where it is gone. */
function answerUntrusted(code: UntrustedCode, agent: AgentProfile, place: Place): InProcessHost {
  if (code.refusal === 'lost') return refuseGuarded(`${describeLost(code)}.`, agent, place);
  const { refusal, subject } = code;
  const look = `A person can look at it with: spec-hooks trust ${subject}`;
  if (refusal === 'changed')
    return refuseGuarded(`The code of the hooks has changed since it was trusted. ${look}.`, agent, place);
  return createTellingHost(
    `The hooks of this project do not run: nobody on this machine has trusted their code. ${look}`,
  );
}

/** Hooks that cannot be asked deny what they guarded when they last ran; where that is not known, all that can be guarded. */
function refuseGuarded(why: string, { name }: AgentProfile, { scope, root }: Place): InProcessHost {
  return createRefusingHost(why, readLocalFile(settingsFolder(scope, root))?.guards[name]);
}

type OnRun = NonNullable<Parameters<typeof createInProcessHost>[1]['onRun']>;

/** An event costs no write to a disk: its runs are written after the agent has its answer. */
function spoolRuns({ name }: AgentProfile, { root }: Place): OnRun {
  const spool = openRunSpool(stateFolder(root), name);
  process.on('exit', spool.write);
  return (run, { state }) => {
    if (hasAnythingToSay(run)) spool.note(run, state.threadId);
  };
}

function noteSessions(host: InProcessHost, { name }: AgentProfile, { root }: Place): InProcessHost {
  const folder = stateFolder(root);
  return {
    ...host,
    ask(moment, told) {
      if (moment === 'session_start' || moment === 'prompt') noteHeartbeat(folder, name, moment);
      return host.ask(moment, told);
    },
  };
}
