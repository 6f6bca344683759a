import { type AgentProfile, allAgents } from '@spec/agents';
import { type LifecycleName, lifecycleTable } from '@spec/hooks';
import { describeHonour, findHonour } from '@spec/hooks/host';
import { pc } from '../colours.ts';
import { exitCodes } from '../exit-codes.ts';
import { writeParagraph } from '../paragraph.ts';
import { printable } from '../printable.ts';
import { renderTable } from '../table.ts';
import { askCodex } from './ask-codex.ts';
import { type Installation, nameFile } from './installation.ts';
import {
  isProven,
  type KnownInstallation,
  listDoubts,
  lookAtInstallations,
  writeLastEvent,
} from './look-at-installations.ts';

/** The options of `spec-hooks agents`, as they were typed. */
export interface AgentsFlags {
  readonly json?: boolean;
}

/** Shows which agents run the hooks here, and when each last told of something. Gives the exit code. */
export async function listAgents(name: string | undefined, { json }: AgentsFlags): Promise<number> {
  if (name !== undefined) return showAgent(name);
  const known = await lookAtInstallations();
  if (json) process.stdout.write(`${JSON.stringify(makeJson(known), undefined, 2)}\n`);
  else process.stdout.write(`${describe(known, await askAgents(known))}\n`);
  return known.every(isProven) ? exitCodes.fine : exitCodes.findings;
}

/** The agents that can be asked why they have told of nothing. */
const questions: Readonly<Record<string, (place: Installation) => Promise<string | undefined>>> = {
  codex: askCodex,
};

async function askAgents(known: readonly KnownInstallation[]): Promise<readonly string[]> {
  const silent = known.filter(({ seen }) => seen === undefined);
  const answers = await Promise.all(
    silent.map(async ({ installation }) => questions[installation.agent.name]?.(installation)),
  );
  return answers.filter((answer) => answer !== undefined);
}

function makeJson(known: readonly KnownInstallation[]): object {
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

function describe(known: readonly KnownInstallation[], answers: readonly string[]): string {
  if (known.length === 0) {
    const names = allAgents.map(({ name }) => name).join(', ');
    return `No agent runs the hooks of this project. To install them: spec-hooks install AGENT, where AGENT is one of ${names}.`;
  }
  const rows = known.map(({ installation: { agent, scope, file }, seen }) => [
    pc.bold(agent.title),
    scope,
    printable(nameFile(file)),
    seen === undefined ? pc.yellow('never') : printable(writeLastEvent(seen)),
  ]);
  const columns = [{ title: 'agent' }, { title: 'for' }, { title: 'file' }, { title: 'last event' }];
  return [
    renderTable(columns, rows),
    ...[...known.flatMap(listDoubts), ...answers].map((doubt) => `\n${writeParagraph(printable(doubt))}`),
  ].join('\n');
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
