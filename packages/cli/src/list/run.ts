import { isLifecycleName, lifecycleTable } from '@spec/hooks';
import { matcherFindings } from '../check/matchers.ts';
import { pc } from '../colours.ts';
import { exitCodes } from '../exit-codes.ts';
import { printable } from '../printable.ts';
import { type KnownHook, knownHooks } from '../project/known-hooks.ts';
import { type LoadProblem, loadProject, type Project } from '../project/load-project.ts';
import { listSwitchedOff, lostEntries } from '../project/lost-entries.ts';
import type { ProjectFlags } from '../project/parts.ts';
import { tellLeftOut } from '../project/tell-not-running.ts';
import { type Column, clip, heading, renderTable, writeCount } from '../table.ts';
import { describeUnknownHook, wrongUsage } from '../wrong-usage.ts';

/** The options of `spec-hooks list`, as they were typed. */
export interface ListFlags extends ProjectFlags {
  readonly hook?: string;
  readonly all?: boolean;
  readonly json?: boolean;
}

/** Lists the hooks that are known. Gives the exit code. */
export async function list({ hook, all = false, json, ...flags }: ListFlags): Promise<number> {
  if (hook !== undefined && !isLifecycleName(hook)) return wrongUsage(await describeUnknownHook(hook));
  const project = await loadProject(flags, 'collect');
  const { problems } = project;
  const hooks = knownHooks(project, all).filter((known) => hook === undefined || known.hook === hook);
  await project.close();
  const lost = entryProblems(project);
  if (json)
    process.stdout.write(
      `${JSON.stringify({ hooks, problems: [...problems, ...lost], switchedOff: listSwitchedOff(project), notRead: project.notRead }, undefined, 2)}\n`,
    );
  else {
    process.stdout.write(`${hooks.length === 0 ? nothingText(project) : renderHooks(hooks)}\n`);
    for (const sentence of listLacking(project, flags))
      process.stderr.write(`spec-hooks: ${printable(sentence)}\n`);
    tellLeftOut(project);
    tellIdleMatchers(project);
  }
  return problems.length + lost.length > 0 ? exitCodes.findings : exitCodes.fine;
}

/** Says on standard error which matchers never fit a tool. */
function tellIdleMatchers(project: Project): void {
  for (const { level, file, line, entry, message } of matcherFindings(project))
    if (level === 'warning')
      process.stderr.write(
        `spec-hooks: ${printable(`${[file, line].filter(Boolean).join(':')} ${entry ?? ''}: ${message}`)}\n`,
      );
}

/** Entries that could not be loaded, as problems. */
export function entryProblems(project: Project): Lacking[] {
  return lostEntries(project).map(({ code, position: { file, line, column, path }, message }) => {
    const where = `${file}:${line}:${column}${path === '' ? '' : ` ${path}`}`;
    return { part: 'settings', file, code, message: `${where}: ${message}` };
  });
}

/** Something that could not be loaded: a file, or an entry in one. */
export type Lacking = Omit<LoadProblem, 'code'> & { readonly code: string };

/** What is not there, in a sentence each. */
export function listLacking(project: Project, flags: ProjectFlags): string[] {
  const remedy = `${checkCommand(flags)} says why.`;
  const { problems } = project;
  const lost = lostEntries(project);
  const files = [...new Set(lost.map(({ position }) => position.file))];
  const entries = `${lost.length === 1 ? 'an entry' : `${lost.length} entries`} of ${files.join(', ')}`;
  return [
    ...problems.map(({ file, message }) =>
      message.includes('\n') ? `${file} could not be loaded: ${remedy}` : message,
    ),
    ...(files.length === 0 ? [] : [`${entries} ${lost.length === 1 ? 'is' : 'are'} not loaded; ${remedy}`]),
  ];
}

/** The command that looks at the same files. */
function checkCommand({ config = [], hooks }: ProjectFlags): string {
  const files = config.length === 0 ? [] : ['--config', ...config];
  return ['spec-hooks check', ...files, ...(hooks === undefined ? [] : ['--hooks', hooks])].join(' ');
}

function nothingText(project: Project): string {
  if (knownHooks(project).length > 0) return 'No hook matches.';
  if (project.problems.length + lostEntries(project).length + project.notRead.length > 0)
    return 'No hook is loaded.';
  if (listSwitchedOff(project).length > 0) return 'The hooks are switched off.';
  return 'There are no hooks here yet. Run spec-hooks init to create one.';
}

function renderHooks(hooks: readonly KnownHook[]): string {
  const names = [...new Set(hooks.map(({ hook }) => hook))];
  const parts = names.map((name) => {
    const { kind, trigger } = lifecycleTable[name];
    const own = hooks.filter(({ hook }) => hook === name);
    return `${heading(name, `${kind}; ${lowerFirst(trigger)}`)}\n${renderHookTable(own)}`;
  });
  return `${parts.join('\n')}\n\n${writeCount(hooks.length, 'hook')}, each list in the order in which it runs.`.trimStart();
}

function renderHookTable(hooks: readonly KnownHook[]): string {
  const columns = allColumns.filter(({ isTold }) => isTold === undefined || hooks.some(isTold));
  const rows = hooks.map((known) => columns.map(({ text }) => text(known)));
  return renderTable(columns, rows);
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** A column, left out where it would say the same of every hook. */
interface ListColumn extends Column {
  readonly text: (known: KnownHook) => string;
  readonly isTold?: (known: KnownHook) => boolean;
}

const allColumns: readonly ListColumn[] = [
  { title: 'id', text: ({ id }) => pc.bold(printable(id)) },
  { title: 'source', text: ({ source }) => printable(source ?? '-') },
  { title: 'scope', text: ({ scope }) => scope },
  {
    title: 'for',
    text: ({ event, matcher }) => printable([event, matcher].filter(Boolean).join(' ') || '-'),
    isTold: ({ event, matcher }) => event !== null || matcher !== null,
  },
  {
    title: 'runs',
    text: ({ name, runs }) => printable(clip([name, runs].filter(Boolean).join(': ') || '-', 40)),
    isTold: ({ runs }) => runs !== null,
  },
  {
    title: 'priority',
    align: 'right',
    text: ({ priority }) => String(priority),
    isTold: ({ priority }) => priority !== 0,
  },
  { title: 'timeout', align: 'right', text: timeoutText },
  { title: 'on failure', text: failureText },
];

function failureText({ onError, onTimeout }: KnownHook): string {
  return onError === onTimeout ? onError : `${onError}, ${onTimeout} on timeout`;
}

function timeoutText({ timeoutMs: ms, from }: KnownHook): string {
  if (ms === null) return from === 'module' ? pc.dim('default') : '-';
  if (ms % 60_000 === 0) return `${ms / 60_000} min`;
  return ms >= 1_000 ? `${ms / 1_000} s` : `${ms} ms`;
}
