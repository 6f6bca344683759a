import { relative } from 'node:path';
import type { CommandEntry, FileReport, WrittenRule } from '@spec/commands';
import { readRegularFile } from '@spec/hooks/node';
import { pc } from '../colours.ts';
import { printable } from '../printable.ts';
import { handlerText } from '../project/handler-text.ts';
import { heading, renderTable, writeCount } from '../table.ts';

/** A settings file that a person looks at. */
export interface Shown {
  readonly report: FileReport;
  readonly entries: readonly CommandEntry[];
  readonly rules: readonly WrittenRule[];
}

const words: Readonly<Record<string, string>> = {
  given: 'your own: it needs no trust',
  trusted: 'trusted as it is',
  unknown: 'not trusted yet',
  changed: 'changed since it was trusted',
  gone: 'it was trusted, and its hooks are gone',
};

/** How a file stands; `gone`: it was trusted and has no hooks any more; `null`: it has none, and never had. */
export function trustStatus({ trust, findings }: FileReport): string | null {
  if (trust !== undefined) return trust.status;
  return findings.some(({ code }) => code === 'trust_changed') ? 'gone' : null;
}

/** What a settings file would run, for a person who decides on it: no command in it can hide itself. */
export function fileText({ report, entries, rules }: Shown, withScripts: boolean): string {
  const { file, dialect, trust } = report;
  const state = words[trustStatus(report) ?? ''] ?? 'it has no hooks';
  const scripts = trust?.scripts ?? [];
  return [
    heading(
      printable(file),
      [dialect === undefined ? [] : [`format ${dialect}`], state].flat().join(', '),
    ).trimStart(),
    ...(entries.length + rules.length === 0 ? ['It would run nothing.'] : []),
    ...(entries.length === 0 ? [] : [`It would run ${writeCount(entries.length, 'hook')}:`]),
    ...entries.map(entryText),
    ...(rules.length === 0 ? [] : [`It has ${writeCount(rules.length, 'rule')}:`]),
    ...rules.map(ruleText),
    ...(scripts.length === 0 ? [] : [`These name ${writeCount(scripts.length, 'script')}:`]),
    ...scripts.map((path) => scriptText(path, withScripts)),
    ...(entries.length === 0 ? [] : [DATA]),
    ...report.findings
      .filter(({ code }) => code === 'unseen_script')
      .map(({ message }) => `  ${pc.yellow('warning')}  ${printable(message)}`),
  ].join('\n');
}

const DATA = 'A change of a data file that a script opens by itself is not noticed.';

function entryText({ eventName, matcher, condition, handler, position }: CommandEntry): string {
  const wanted = matcher === undefined ? '' : ` ${textOrJson(matcher)}`;
  const asked = condition === undefined ? '' : `\n${indented(`if ${printable(condition)}`)}`;
  return `  ${pc.dim(`line ${position.line}`)}  ${pc.bold(eventName)}${printable(wanted)}${asked}\n${indented(printable(handlerText(handler)))}`;
}

/** All that is written, a script as it reads. */
function ruleText({ rule, position }: WrittenRule): string {
  const { id: _, event, matcher, action, script, ...others } = rule;
  const wanted = matcher === undefined ? '' : ` ${textOrJson(matcher)}`;
  const lines = [
    textOrJson(action),
    ...Object.entries(others).map(([key, value]) => `${key}: ${JSON.stringify(value)}`),
    ...(script === undefined ? [] : [textOrJson(script)]),
  ];
  return `  ${pc.dim(`line ${position.line}`)}  ${pc.bold(textOrJson(event))}${printable(wanted)}\n${indented(printable(lines.join('\n')))}`;
}

function textOrJson(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function scriptText(path: string, withText: boolean): string {
  const shown = relative(process.cwd(), path).startsWith('..') ? path : relative(process.cwd(), path);
  const { text, problem } = readText(path);
  if (text === undefined) return `  ${printable(shown)}  ${pc.yellow(problem)}`;
  const head = `  ${printable(shown)}  ${pc.dim(`${text.split('\n').length} lines`)}`;
  return withText ? `${head}\n${indented(printable(text))}` : head;
}

function readText(path: string): { readonly text?: string; readonly problem: string } {
  try {
    return { text: readRegularFile(path, MAX_BYTES).toString('utf8').trimEnd(), problem: '' };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return { problem: code === 'ENOENT' ? 'it does not exist' : message };
  }
}

const MAX_BYTES = 16_777_216;

function indented(text: string): string {
  return text.replace(/^/gm, '      ');
}

/** What is trusted, as a table. */
export function listText(
  trusted: readonly { readonly path: string; readonly fingerprint: string }[],
): string {
  if (trusted.length === 0) return 'No settings file is trusted.';
  const rows = trusted.map(({ path, fingerprint }) => [printable(path), fingerprint.slice(0, 19)]);
  return renderTable([{ title: 'settings file' }, { title: 'fingerprint' }], rows);
}
