import { isLifecycleName, lifecycleTable } from '@spec/hooks';
import pc from 'picocolors';
import { exitCodes } from '../exit-codes.ts';
import { type KnownHook, knownHooks } from '../project/known-hooks.ts';
import { type LoadProblem, loadProject, type Project, type ProjectFlags } from '../project/load-project.ts';
import { type Column, countOf, heading, renderTable } from '../table.ts';
import { unknownHook, wrongUsage } from '../wrong-usage.ts';

/** The options of `spec-hooks list`, as they were typed. */
export interface ListFlags extends ProjectFlags {
  readonly hook?: string;
  readonly all?: boolean;
  readonly json?: boolean;
}

/** Lists the hooks that are known. Gives the exit code. */
export async function list({ hook, all = false, json, ...flags }: ListFlags): Promise<number> {
  if (hook !== undefined && !isLifecycleName(hook)) return wrongUsage(unknownHook(hook));
  const project = await loadProject(flags, 'collect');
  const { problems } = project;
  const hooks = knownHooks(project, all).filter((known) => hook === undefined || known.hook === hook);
  await project.close();
  if (json) process.stdout.write(`${JSON.stringify({ hooks, problems }, undefined, 2)}\n`);
  else {
    process.stdout.write(`${hooks.length === 0 ? nothingText(project) : textOf(hooks)}\n`);
    for (const sentence of lackingOf(project)) process.stderr.write(`spec-hooks: ${sentence}\n`);
  }
  return problems.length > 0 ? exitCodes.findings : exitCodes.fine;
}

/** How many could not be loaded, on its own line under the table. */
export function problemsText(problems: readonly LoadProblem[]): string {
  const files = problems.map(({ file }) => file).join(', ');
  return `${files} could not be loaded: spec-hooks check says why.`;
}

/** What is not in the list, and why. */
function lackingOf({ problems, settings }: Project): string[] {
  const errors = (settings?.findings ?? []).filter(({ level }) => level === 'error');
  const files = (settings?.files ?? [])
    .filter(({ file, entryCount }) => entryCount === 0 && errors.some(({ place }) => place.file === file))
    .map(({ file }) => file);
  return [
    ...(problems.length === 0 ? [] : [problemsText(problems)]),
    ...(files.length === 0 ? [] : [`no hook of ${files.join(', ')} is loaded: spec-hooks check says why.`]),
  ];
}

function nothingText(project: Project): string {
  if (knownHooks(project).length > 0) return 'No hook is like that.';
  if (lackingOf(project).length > 0) return 'No hook is loaded.';
  return 'There are no hooks here. spec-hooks init makes a first one.';
}

function textOf(hooks: readonly KnownHook[]): string {
  const names = [...new Set(hooks.map(({ hook }) => hook))];
  const parts = names.map((name) => {
    const { kind, trigger } = lifecycleTable[name];
    const rows = hooks.filter(({ hook }) => hook === name).map(rowOf);
    return `${heading(name, `${kind}; ${lowerFirst(trigger)}`)}\n${renderTable(columns, rows)}`;
  });
  return `${parts.join('\n')}\n\n${countOf(hooks.length, 'hook')}, each list in the order in which it runs.`.trimStart();
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

const columns: readonly Column[] = [
  { title: 'id' },
  { title: 'source' },
  { title: 'scope' },
  { title: 'for' },
  { title: 'priority', align: 'right' },
  { title: 'timeout', align: 'right' },
  { title: 'on error' },
  { title: 'on timeout' },
];

function rowOf(known: KnownHook): string[] {
  const { id, source, scope, event, matcher, priority, onError, onTimeout } = known;
  return [
    pc.bold(id),
    source ?? '-',
    scope,
    [event, matcher].filter(Boolean).join(' ') || '-',
    String(priority),
    timeoutText(known),
    onError,
    onTimeout,
  ];
}

function timeoutText({ timeoutMs: ms, from }: KnownHook): string {
  if (ms === null) return from === 'module' ? pc.dim('default') : '-';
  if (ms % 60_000 === 0) return `${ms / 60_000} min`;
  return ms >= 1_000 ? `${ms / 1_000} s` : `${ms} ms`;
}
