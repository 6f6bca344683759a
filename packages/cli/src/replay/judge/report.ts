import { pc } from '../../colours.ts';
import { printable } from '../../printable.ts';
import { type Column, formatCount, formatMs, heading, renderTable, writeCount } from '../../table.ts';
import type { Finding, HookCount } from './findings.ts';
import type { UnreadFile } from './judge.ts';

/** What `replay` says of a folder of sessions; `--json` prints it. Its texts are redacted. */
export interface JudgedReport {
  /** Of this shape. */
  readonly version: 1;
  /** Where the hooks are from; `null`: they are the guards of the command. */
  readonly hooksFrom: string | null;
  /** Files and folders of code that were left out. */
  readonly notImported: readonly string[];
  readonly files: number;
  readonly sessions: number;
  readonly calls: number;
  readonly messages: number;
  readonly interrupted: boolean;
  readonly hooks: readonly HookCount[];
  /** How often `redact` would have replaced something, by its kind; `null` where it is none of the hooks. */
  readonly redacted: Readonly<Record<string, number>> | null;
  /** How many there are. */
  readonly found: number;
  /** The newest of them. */
  readonly findings: readonly Finding[];
  readonly unread: readonly UnreadFile[];
  readonly ms: number;
}

/** What an outcome is called. */
export const verdictNames: Readonly<Record<Finding['outcome'], string>> = {
  denied: 'denied',
  asked: 'a person asked',
  unknown: 'hook asked',
};

/** What is judged by, in words. */
export function describeHooks({ hooksFrom }: JudgedReport): string {
  return hooksFrom === null ? 'built-in guards: no hooks found here' : `hooks of ${hooksFrom}`;
}

/** What was left out, in sentences. */
export function describeGaps(report: JudgedReport): string[] {
  const { notImported, findings, found, interrupted, hooks, sessions } = report;
  const code = notImported.join(', ');
  const isOpen = hooks.some(({ unknown }) => unknown > 0);
  return [
    ...(interrupted ? ['Interrupted: this is what was found until then.'] : []),
    ...(sessions === 0 && !interrupted
      ? ['No conversation is as new as --since says: an earlier time shows more.']
      : []),
    ...(code === '' ? [] : [`Not judged, because it is code: ${code}. --run-hooks imports it.`]),
    ...(isOpen
      ? ['"hook asked" is a command, a server or a script that would have been asked: --run-hooks asks it.']
      : []),
    ...(found > findings.length
      ? [`The newest ${formatCount(findings.length)} of ${formatCount(found)}: --last all shows all.`]
      : []),
  ];
}

const hookColumns: readonly Column[] = [
  { title: 'hook' },
  { title: 'denied', align: 'right' },
  { title: 'a person asked', align: 'right' },
  { title: 'hook asked', align: 'right' },
];

const findingColumns: readonly Column[] = [
  { title: 'would be' },
  { title: 'call' },
  { title: 'why' },
  { title: 'session' },
];

/** The report as a person reads it. */
export function showJudged(report: JudgedReport): string {
  const { files, sessions, calls, findings, ms } = report;
  const read = [
    writeCount(files, 'file'),
    writeCount(sessions, 'session'),
    writeCount(calls, 'tool call'),
  ].join(', ');
  return [
    heading('What hooks would have done', describeHooks(report)).trimStart(),
    ...hookLines(report),
    ...redactedLines(report),
    ...(findings.length === 0 ? [] : [heading('Call by call, the newest first')]),
    ...(findings.length === 0 ? [] : [renderTable(findingColumns, findings.map(makeRow))]),
    ...unreadLines(report.unread),
    '',
    ...describeGaps(report).map((sentence) => printable(sentence)),
    `${report.interrupted ? pc.yellow('■') : pc.green('✓')} ${read}, in ${formatMs(ms)}. Nothing was started, and nothing left this machine.`,
  ].join('\n');
}

function hookLines({ hooks, hooksFrom }: JudgedReport): string[] {
  const shown =
    hooksFrom === null ? hooks : hooks.filter(({ denied, asked, unknown }) => denied + asked + unknown > 0);
  const silent = hooks.length - shown.length;
  const rows = shown.map(({ id, denied, asked, unknown }) => [
    pc.bold(printable(id)),
    ...[denied, asked, unknown].map((count) => (count === 0 ? pc.dim('0') : formatCount(count))),
  ]);
  return [
    ...(rows.length === 0 ? [] : [renderTable(hookColumns, rows)]),
    ...(silent === 0 ? [] : [pc.dim(`${writeCount(silent, 'more hook')} would have done nothing.`)]),
  ];
}

function redactedLines({ redacted }: JudgedReport): string[] {
  if (redacted === null) return [];
  return [heading('What redact would have replaced'), describeRedacted(redacted)];
}

/** Such as `3 email, 1 card`. */
export function describeRedacted(redacted: Readonly<Record<string, number>>): string {
  const kinds = Object.entries(redacted).toSorted(([, a], [, b]) => b - a);
  return (
    kinds.map(([kind, count]) => `${formatCount(count)} ${kind.replaceAll('_', ' ')}`).join(', ') || 'nothing'
  );
}

function makeRow({ outcome, id, tool, input = '', reason, session, time }: Finding): string[] {
  const colour = outcome === 'denied' ? pc.red : outcome === 'asked' ? pc.yellow : pc.dim;
  return [
    colour(verdictNames[outcome]),
    `${tool === undefined ? '' : `${pc.bold(printable(tool))} `}${printable(input)}`,
    `${printable(reason ?? '')} ${pc.dim(printable(`(${id})`))}`.trim(),
    `${printable(shortenSession(session))} ${time.slice(0, 16).replace('T', ' ')}`,
  ];
}

/** The first part of a UUID tells one session from another. */
export function shortenSession(session: string): string {
  return /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(session) ? session.slice(0, 8) : session;
}

/** More files than this are only counted. */
const SHOWN = 20;

function unreadLines(unread: readonly UnreadFile[]): string[] {
  if (unread.length === 0) return [];
  const rest = unread.length - SHOWN;
  return [
    heading('What could not be read'),
    ...unread.slice(0, SHOWN).map((one) => printable(describeUnread(one))),
    ...(rest > 0 ? [`… and ${writeCount(rest, 'more file')}: --json has all.`] : []),
  ];
}

/** Such as `a.jsonl, line 3: not valid JSON (and 2 more lines)`. */
export function describeUnread({ file, line, problem, lines }: UnreadFile): string {
  const more = lines > 1 ? ` (and ${writeCount(lines - 1, 'more line')})` : '';
  return `${file}${line === 0 ? '' : `, line ${line}`}: ${problem}${more}`;
}
