import { relative } from 'node:path';
import { type AgentProfile, allAgents } from '@spec/agents';
import { trustStore } from '@spec/commands/trust';
import { type LifecycleName, lifecycleTable } from '@spec/hooks';
import { describeHonour, findHonour } from '@spec/hooks/host';
import { stateFolder } from '../agent-state/places.ts';
import { type Heartbeat, readHeartbeat } from '../agent-state/sessions.ts';
import { pc } from '../colours.ts';
import { exitCodes } from '../exit-codes.ts';
import { writeParagraph } from '../paragraph.ts';
import { printable } from '../printable.ts';
import { renderTable } from '../table.ts';
import { findProjectCode } from '../trust/project-code.ts';
import { type Installation, listInstallations, nameFile } from './installation.ts';

/** The options of `spec-hooks agents`, as they were typed. */
export interface AgentsFlags {
  readonly json?: boolean;
}

/** What is known of one installation. */
interface Known {
  readonly installation: Installation;
  readonly seen: Heartbeat | undefined;
  /** What a person has to trust first, relative to the project. */
  readonly untrusted: string | undefined;
}

/** Shows which agents run the hooks here, and when each last told of something. Gives the exit code. */
export async function listAgents(name: string | undefined, { json }: AgentsFlags): Promise<number> {
  if (name !== undefined) return showAgent(name);
  const known = await Promise.all(listInstallations().map(look));
  if (json) process.stdout.write(`${JSON.stringify(makeJson(known), undefined, 2)}\n`);
  else process.stdout.write(`${describe(known)}\n`);
  return known.every(isProven) ? exitCodes.fine : exitCodes.findings;
}

async function look(installation: Installation): Promise<Known> {
  const { root, agent, scope } = installation;
  const code = scope === 'user' ? undefined : findProjectCode(root);
  const isTrusted = code === undefined || (await trustStore().get(code.subject)) !== undefined;
  const untrusted = isTrusted ? undefined : relative(process.cwd(), code.subject);
  return { installation, seen: readHeartbeat(stateFolder(root), agent.name), untrusted };
}

function isProven({ seen, untrusted }: Known): boolean {
  return seen !== undefined && untrusted === undefined;
}

function makeJson(known: readonly Known[]): object {
  const installed = known.map(({ installation, seen, untrusted }) => ({
    ...{ agent: installation.agent.name, scope: installation.scope, file: installation.file },
    lastEvent: seen?.event ?? null,
    lastAt: seen === undefined ? null : new Date(seen.at).toISOString(),
    trusted: untrusted === undefined,
  }));
  return { installed, agents: allAgents.map(describeAgent) };
}

function describeAgent({ name, title, known, honours, limits }: AgentProfile): object {
  const hooks = Object.fromEntries(
    hookNames.map((hook) => [hook, describeHonour(findHonour(honours, hook))]),
  );
  return { name, title, version: known.version, date: known.date, how: known.how, hooks, limits };
}

const hookNames = Object.keys(lifecycleTable) as LifecycleName[];

function describe(known: readonly Known[]): string {
  if (known.length === 0) {
    const names = allAgents.map(({ name }) => name).join(', ');
    return `No agent runs the hooks of this project. To install them: spec-hooks install AGENT, where AGENT is one of ${names}.`;
  }
  const rows = known.map(({ installation: { agent, scope, file }, seen }) => [
    pc.bold(agent.title),
    scope,
    printable(nameFile(file)),
    seen === undefined ? pc.yellow('never') : `${writeTime(seen.at)}, ${printable(seen.event)}`,
  ]);
  const columns = [{ title: 'agent' }, { title: 'for' }, { title: 'file' }, { title: 'last event' }];
  return [
    renderTable(columns, rows),
    ...known.flatMap(listDoubts).map((doubt) => writeParagraph(doubt)),
  ].join('\n');
}

function listDoubts({ installation: { agent }, seen, untrusted }: Known): string[] {
  const unseen =
    seen === undefined
      ? [
          `\n${agent.title} has told of nothing yet, so nothing shows that it has loaded the hooks. ${agent.afterInstall}`,
        ]
      : [];
  if (untrusted === undefined) return unseen;
  const why = `The code of the hooks is not trusted, and does not run in ${agent.title}: spec-hooks trust`;
  return [...unseen, `\n${why} ${printable(untrusted)}`];
}

function writeTime(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ');
}

async function showAgent(name: string): Promise<number> {
  const { findAgentProfile } = await import('@spec/agents');
  const agent = findAgentProfile(name);
  const { version, date, how } = agent.known;
  const rows = hookNames.map((hook) => [hook, describeHonour(findHonour(agent.honours, hook))]);
  const head = `${pc.bold(agent.title)} ${version}, ${how} on ${date}.`;
  const limits = agent.limits.map((limit) => writeParagraph(`- ${limit}`)).join('\n');
  process.stdout.write(
    `${head}\n\n${renderTable([{ title: 'hook' }, { title: 'there it' }], rows)}\n\n${limits}\n`,
  );
  return exitCodes.fine;
}
