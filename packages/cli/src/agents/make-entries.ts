import { join } from 'node:path';
import { type Agent, refuseEvent } from '@spec/agents';
import { type HookScope, ownFolder } from '../agent-state/places.ts';
import { quote } from '../hook/local-file.ts';
import { LAUNCHER } from '../project/agent-entries.ts';
import { writeCommand } from './launcher.ts';
import { writePowershellCommand } from './powershell.ts';

/** One entry of an agent's configuration. */
export interface AgentEntry {
  readonly event: string;
  readonly group: Readonly<Record<string, unknown>>;
}

/** How long an agent waits for an entry, in seconds: longer than our own limit, so that ours ends it. */
const WAIT = 30;

const BROKEN = 'The launcher of the hooks does not work: it, Node or spec-hooks is gone, or the hooks hang.';

/** The entries that run our hooks in an agent: one for each event, for everything. Which hook is meant, our own conditions decide. */
export function makeEntries(agent: Agent, scope: HookScope): readonly AgentEntry[] {
  const launcher = findLauncher(agent, scope);
  return Object.entries(agent.events).map(([event, { seconds = WAIT, keys }]) => {
    const { stdout: denial } = refuseEvent(agent, event, BROKEN);
    const timeout = agent.timeoutUnit === 'milliseconds' ? seconds * 1000 : seconds;
    const called = { agent: agent.name, event, denial };
    const plain = writeCommand(launcher, called);
    const command = agent.silence === undefined ? plain : fillSilence(plain, agent.silence);
    const extra = { ...writeForWindows(agent, scope, called), ...(denial === '' ? {} : agent.guardKeys) };
    const handler = { type: 'command', command, timeout, ...extra, ...keys };
    return { event, group: agent.fileVersion === undefined ? { hooks: [handler] } : handler };
  });
}

function writeForWindows(
  { windowsKey }: Agent,
  scope: HookScope,
  called: Parameters<typeof writePowershellCommand>[1],
): Readonly<Record<string, string>> {
  if (windowsKey === undefined) return {};
  return { [windowsKey]: writePowershellCommand(scope === 'user' ? ownFolder() : undefined, called) };
}

/** For agents that take no output at all for a failure. */
function fillSilence(command: string, silence: string): string {
  return `r=$(${command}); c=$?; [ -n "$r" ] || r=${quote(silence)}; printf %s "$r"; exit $c`;
}

/** Sets `h` to the launcher. In what a project shares, it is looked for, since every machine has the project elsewhere. */
function findLauncher({ projectVariable }: Agent, scope: HookScope): string {
  if (scope === 'user') return `h=${quote(join(ownFolder(), 'hook'))}`;
  if (projectVariable !== undefined) return `h="\${${projectVariable}:-.}/${LAUNCHER}"`;
  return `d=$PWD; while [ ! -x "$d/.spec-hooks/hook" ] && [ -n "$d" ]; do d=\${d%/*}; done; h=$d/.spec-hooks/hook`;
}

/** Whether a command of a configuration is one of ours, for an agent. */
export function isOurs(command: unknown, agent: Pick<Agent, 'name'>, scope: HookScope): boolean {
  if (typeof command !== 'string' || !command.includes(`exec "$h" ${agent.name} `)) return false;
  return scope === 'user' ? /^(?:r=\$\()?h='/.test(command) : command.includes(`/${LAUNCHER}`);
}
