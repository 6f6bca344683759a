// Agents: puts the hooks into coding agents, takes them out, and shows where they run. The commands call it; it changes nothing that a person has not seen.

import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createAgentHost, createInProcessHost, findAgentProfile } from '@spec/agents';
import { createTwoFilesPatch } from 'diff';
import { stateFolder } from '../agent-state/places.ts';
import { forgetHeartbeat } from '../agent-state/sessions.ts';
import { askPerson } from '../ask-person.ts';
import { exitCodes } from '../exit-codes.ts';
import { readAccepted, writeAccepted } from '../hook/accepted.ts';
import { noteGuards } from '../hook/local-file.ts';
import { type FoundHooks, openHooksWith } from '../hook/open-hooks.ts';
import { withHooksApart } from '../hooks-apart.ts';
import { printable } from '../printable.ts';
import { describeLost } from '../trust/lost-code.ts';
import { type ConfigurationFile, checkUnchanged, replaceFile } from './change-file.ts';
import { findForm, isCommandAgent } from './form.ts';
import {
  checkPlace,
  findInstallation,
  hasEntries,
  type Installation,
  launcherFiles,
  listInstallations,
  nameFile,
} from './installation.ts';
import { writeLauncher } from './launcher.ts';
import { describeOffSwitch } from './off-switch.ts';

/** The options of `spec-hooks install` and `uninstall`, as they were typed. */
export interface InstallFlags {
  readonly project?: boolean;
  readonly user?: boolean;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly gateway?: boolean;
  /** Ids of hooks that the agent may run in part, or never. */
  readonly allowPartial?: readonly string[];
}

/** Puts the hooks into an agent, after a person has seen the change. Gives the exit code. */
export async function install(name: string, flags: InstallFlags): Promise<number> {
  const place = findInstallation(findAgentProfile(name), flags.user === true ? 'user' : 'project');
  const { agent, folder } = place;
  checkPlace(place);
  const form = findForm(place);
  const file = form.read(place.file);
  const changed = form.add(file.text);
  const isSame = changed === file.text;
  const action = `install the hooks in ${agent.title}`;
  const agrees = isSame || (await agreesToChange(file, changed, { flags, action }));
  const accepted = flags.allowPartial ?? readAccepted(folder, agent.name);
  if (flags.dryRun === true) {
    const foreseen = await tryHooks({ ...place, accepted, isDryRun: true });
    return foreseen?.isRefused === true ? tellRefusal(foreseen) : exitCodes.fine;
  }
  if (!agrees) return exitCodes.findings;
  writeLauncher(place);
  writeAccepted(folder, agent.name, accepted);
  const problem = await tryHooks({ ...place, accepted });
  if (problem?.isRefused === true) {
    if (!hasEntries(place)) removeLauncher(place);
    return tellRefusal(problem);
  }
  if (!isSame) replaceFile(place.file, changed);
  if (!isSame) forgetHeartbeat(stateFolder(place.root), agent.name);
  const done = isSame ? 'are installed already' : 'are installed';
  print(`The hooks ${done} in ${agent.title}: ${nameFile(place.file)}.\n\n${agent.afterInstall}`);
  if (problem !== undefined) print(problem.text);
  const off = describeOffSwitch(place);
  if (off !== undefined) print(printable(off));
  print('Whether the agent has loaded them: spec-hooks agents.');
  return problem === undefined && off === undefined ? exitCodes.fine : exitCodes.findings;
}

interface Problem {
  readonly text: string;
  /** The agent would not run the hooks as they are. */
  readonly isRefused: boolean;
}

function tellRefusal({ text }: Problem): number {
  process.stderr.write(`spec-hooks: ${text}\n`);
  return exitCodes.findings;
}

/** An installation that is tried out; a dry run leaves no trace of it. */
interface Trial extends Installation {
  readonly accepted: readonly string[];
  readonly isDryRun?: true;
}

/** Opens the hooks as the agent's command will. Nothing of a project runs that nobody has trusted. */
async function tryHooks(place: Trial): Promise<Problem | undefined> {
  const folder = process.cwd();
  try {
    process.chdir(place.root);
    const opened = await withHooksApart(() =>
      openHooksWith(place, (found) => ({
        guarded: listGuards(place, found),
        isEmpty: found.hooks.length + found.policies.length === 0,
      })),
    );
    if ('refusal' in opened) {
      if (opened.refusal === 'lost') return { text: describeLost(opened), isRefused: false };
      const why = opened.refusal === 'unknown' ? 'is not trusted yet' : 'has changed since it was trusted';
      return {
        text: `The code of the hooks ${why}, and does not run before it is: spec-hooks trust ${opened.subject}`,
        isRefused: false,
      };
    }
    const { isEmpty, guarded } = opened.host;
    if (place.isDryRun !== true) noteGuards(place.folder, place.agent.name, guarded);
    await opened.close();
    return isEmpty ? { text: describeNoHooks(place), isRefused: false } : undefined;
  } catch (error) {
    const { message } = error as Error;
    return { text: message.replace(/allowPartial: \[(.*)\]/, nameFlag), isRefused: true };
  } finally {
    process.chdir(folder);
  }
}

/** Somebody who installs in a folder that is not the one that they mean has to hear of it. */
function describeNoHooks({ scope, root, agent }: Installation): string {
  return scope === 'user'
    ? `You have no hooks of your own yet, so nothing is guarded. They stand in ${nameFile(join(root, 'hooks.config.ts'))}.`
    : `There are no hooks in ${printable(root)}, so ${agent.title} runs none. Go to the folder of your project, or write a first hook: spec-hooks init`;
}

/** What the hooks guard, as the agent calls it; in a process of its own, by its moments. */
function listGuards({ agent }: Installation, found: FoundHooks): readonly string[] {
  if (isCommandAgent(agent)) return createAgentHost({ agent, ...found }).guardedEvents;
  return createInProcessHost(agent, found).guarded;
}

/** The same ids, as they are typed. */
function nameFlag(_: string, ids: string): string {
  return `--allow-partial ${ids.replaceAll(/[",]/g, '')}`;
}

/** Takes the hooks out of an agent, or out of all. Gives the exit code. */
export async function uninstall(name: string | undefined, flags: InstallFlags): Promise<number> {
  const scopes = flags.user === true ? (['user'] as const) : (['project'] as const);
  const places =
    name === undefined
      ? listInstallations().filter(({ scope }) => scopes.some((one) => one === scope))
      : scopes.map((scope) => findInstallation(findAgentProfile(name), scope)).filter(hasEntries);
  if (places.length === 0) {
    print('No hooks are installed here.');
    return exitCodes.fine;
  }
  for (const place of places) {
    checkPlace(place);
    const form = findForm(place);
    const file = form.read(place.file);
    const changed = form.remove(file.text ?? '');
    const action = `take the hooks out of ${place.agent.title}`;
    const agrees = await agreesToChange(file, changed ?? '', { flags, action });
    if (flags.dryRun === true) continue;
    if (!agrees) return exitCodes.findings;
    if (changed === undefined) rmSync(place.file);
    else replaceFile(place.file, changed);
    writeAccepted(place.folder, place.agent.name, []);
    removeLauncher(place);
    print(`The hooks are taken out of ${place.agent.title}: ${nameFile(place.file)}.`);
  }
  return exitCodes.fine;
}

/** The last agent takes the launcher with it. */
function removeLauncher({ folder, scope }: Installation): void {
  if (listInstallations().some((other) => other.folder === folder)) return;
  for (const file of launcherFiles)
    if (scope === 'project' || file !== '.gitignore') rmSync(join(folder, file), { force: true });
  if (scope === 'project' && isEmptyFolder(folder)) rmSync(folder, { recursive: true });
}

function isEmptyFolder(folder: string): boolean {
  try {
    return readdirSync(folder).length === 0;
  } catch {
    return false;
  }
}

/** A change that a person is asked about. */
export interface Change {
  readonly flags: InstallFlags;
  /** What the change does, as the end of a sentence. */
  readonly action: string;
  readonly hide?: (shown: string) => string;
}

/**
 * Shows a change, and asks whether to make it.
 *
 * @param hide takes out of it what nobody else should read
 * @throws {DefinitionError} `bad_option` if somebody has changed the file meanwhile
 */
export async function agreesToChange(
  before: ConfigurationFile,
  changed: string,
  { flags, action, hide = (shown) => shown }: Change,
): Promise<boolean> {
  const { path, text = '' } = before;
  const file = nameFile(path);
  const patch = createTwoFilesPatch(file, file, text, changed, undefined, undefined, { context: 2 });
  print(printable(hide(patch.replaceAll('\r\n', '\n'))));
  if (flags.dryRun === true) return false;
  const agrees = flags.yes === true || (await askPerson(`Change ${file}?`, action));
  if (agrees) checkUnchanged(before);
  return agrees;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
