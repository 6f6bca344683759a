import { type FileReport, isGate, isGuard } from '@spec/commands';
import { lifecycleTable } from '@spec/hooks';
import { deniesUnrun, hooksOfEvents } from '@spec/rules';
import type { HookScope } from '../agent-state/places.ts';
import {
  type KnownInstallation,
  listDoubts,
  lookAtInstallations,
  writeLastEvent,
} from '../agents/look-at-installations.ts';
import { pc } from '../colours.ts';
import { exitCodes } from '../exit-codes.ts';
import { entryProblems, type Lacking, listLacking } from '../list/run.ts';
import { printable } from '../printable.ts';
import { type KnownHook, knownHooks } from '../project/known-hooks.ts';
import { loadProject, type Project } from '../project/load-project.ts';
import { listSwitchedOff, type SwitchedOff } from '../project/lost-entries.ts';
import type { ProjectFlags } from '../project/parts.ts';
import { tellLeftOut } from '../project/tell-not-running.ts';
import { heading, renderTable, writeCount } from '../table.ts';

/** The options of `spec-hooks status`, as they were typed. */
export interface StatusFlags extends ProjectFlags {
  readonly json?: boolean;
}

/** How the hooks of a project stand (hook service, §12e.8). */
export interface Status {
  readonly enabled: boolean;
  readonly hooks: number;
  readonly events: number;
  readonly byEvent: readonly EventCount[];
  readonly files: readonly FileStatus[];
  /** The hooks at which what untrusted files guard is denied. */
  readonly denies: readonly string[];
  readonly problems: readonly Lacking[];
  readonly switchedOff: readonly SwitchedOff[];
  readonly notRead: Project['notRead'];
  readonly agents: readonly AgentStatus[];
}

/** A coding agent in which the hooks are installed. */
interface AgentStatus {
  readonly agent: string;
  readonly scope: HookScope;
  /** ISO 8601; `null`: it has told of nothing yet. */
  readonly lastAt: string | null;
  readonly lastEvent: string | null;
  /** What speaks against it that it runs the hooks. */
  readonly doubts: readonly string[];
}

interface EventCount {
  readonly hook: string;
  readonly count: number;
  /** What files call the event. */
  readonly names: readonly string[];
}

interface FileStatus {
  readonly file: string;
  readonly dialect: string | null;
  readonly layer: string;
  readonly hooks: number;
  /** `given`, `trusted`, `unknown` or `changed`; `null` where nothing of it is loaded. */
  readonly trust: string | null;
}

/** Says how the hooks stand. Gives the exit code. */
export async function status({ json, ...flags }: StatusFlags): Promise<number> {
  const project = await loadProject(flags, 'collect');
  const result = { ...readStatus(project), agents: (await lookAtInstallations()).map(describeAgent) };
  const lacking = listLacking(project, flags);
  await project.close();
  process.stdout.write(`${json ? JSON.stringify(result, undefined, 2) : renderStatus(result)}\n`);
  if (!json) {
    const doubts = result.agents.flatMap((agent) => agent.doubts);
    for (const sentence of [...lacking, ...doubts])
      process.stderr.write(`spec-hooks: ${printable(sentence)}\n`);
    tellLeftOut(project);
  }
  return result.problems.length > 0 ? exitCodes.findings : exitCodes.fine;
}

function readStatus(project: Project): Omit<Status, 'agents'> {
  const hooks = knownHooks(project);
  const files = (project.settings?.files ?? []).map(fileStatus);
  const refused = files.filter(isRefused);
  const runnable = hooks.filter(({ source }) => !refused.some(({ file }) => source?.startsWith(`${file}:`)));
  const byEvent = countByEvent(hooks);
  const problems = [...project.problems, ...entryProblems(project)];
  return {
    enabled: runnable.length > 0,
    hooks: hooks.length,
    events: byEvent.length,
    byEvent,
    files,
    denies: listDenying(project),
    problems,
    switchedOff: listSwitchedOff(project),
    notRead: project.notRead,
  };
}

function describeAgent(known: KnownInstallation): AgentStatus {
  const { installation, seen } = known;
  return {
    ...{ agent: installation.agent.name, scope: installation.scope, doubts: listDoubts(known) },
    lastAt: seen === undefined ? null : new Date(seen.at).toISOString(),
    lastEvent: seen?.event ?? null,
  };
}

function isRefused({ trust }: Pick<FileStatus, 'trust'>): boolean {
  return trust === 'unknown' || trust === 'changed';
}

/** The hooks at which files that do not run deny what they guard. */
function listDenying({ settings, rules }: Project): string[] {
  const refused = (settings?.files ?? []).map(fileStatus).filter(isRefused);
  const entries = (settings?.entries ?? [])
    .filter((entry) => isGuard(entry) && refused.some(({ file }) => file === entry.position.file))
    .map(({ event }) => event);
  const ruled = (rules?.rules ?? [])
    .filter((rule) => rule.refusal !== undefined && deniesUnrun(rule))
    .flatMap(({ event }) => hooksOfEvents[event].filter(isGate));
  const denying = new Set<string>([...entries, ...ruled]);
  return Object.keys(lifecycleTable).filter((name) => denying.has(name));
}

function fileStatus({ file, dialect, layer, entryCount, ruleCount, trust }: FileReport): FileStatus {
  const hooks = entryCount + ruleCount;
  return { file, dialect: dialect ?? null, layer, hooks, trust: trust?.status ?? null };
}

function countByEvent(hooks: readonly KnownHook[]): EventCount[] {
  const names = [...new Set(hooks.map(({ hook }) => hook))];
  return names.map((hook) => {
    const own = hooks.filter((known) => known.hook === hook);
    return { hook, count: own.length, names: [...new Set(own.flatMap(({ event }) => event ?? []))] };
  });
}

function renderStatus({ enabled, hooks, events, byEvent, files, denies, agents }: Status): string {
  const facts = [
    ['status', statusText(enabled, denies)],
    ['hooks', String(hooks)],
    ['kinds of events', String(events)],
  ];
  const counts = byEvent.map(({ hook, count, names }) => [
    hook,
    printable(names.join(', ') || '-'),
    String(count),
  ]);
  const sources = files.map(({ file, dialect, layer, hooks: own, trust }) => [
    printable(file),
    dialect ?? '-',
    layer,
    writeCount(own, 'hook'),
    trustText(trust),
  ]);
  return [
    heading('Hooks').trimStart(),
    renderTable([{ title: 'property' }, { title: 'value' }], facts),
    ...(counts.length === 0 ? [] : [heading('By event'), renderTable(eventColumns, counts)]),
    ...(sources.length === 0 ? [] : [heading('Settings files'), renderTable(fileColumns, sources)]),
    ...(agents.length === 0
      ? []
      : [heading('Coding agents'), renderTable(agentColumns, agents.map(agentRow))]),
  ].join('\n');
}

function statusText(enabled: boolean, denies: Status['denies']): string {
  const denied = `what untrusted files guard is denied (${denies.join(', ')})`;
  if (enabled) return denies.length === 0 ? pc.green('on') : pc.yellow(`on, but ${denied}`);
  return pc.yellow(denies.length === 0 ? 'off: no hook runs' : `off: no hook runs, and ${denied}`);
}

const eventColumns = [{ title: 'hook' }, { title: 'in files' }, { title: 'count', align: 'right' }] as const;
const fileColumns = ['file', 'format', 'layer', 'hooks', 'trust'].map((title) => ({ title }));

const agentColumns = ['agent', 'for', 'last event'].map((title) => ({ title }));

function agentRow({ agent, scope, lastAt, lastEvent }: AgentStatus): string[] {
  if (lastAt === null) return [agent, scope, pc.yellow('never')];
  return [agent, scope, writeLastEvent({ at: Date.parse(lastAt), event: printable(lastEvent ?? '') })];
}

const trustWords: Readonly<Record<string, string>> = {
  given: 'given',
  trusted: 'trusted',
  unknown: 'not trusted yet: spec-hooks trust',
  changed: 'changed since it was trusted: spec-hooks trust',
};

function trustText(trust: string | null): string {
  return trust === null ? '-' : (trustWords[trust] ?? trust);
}
