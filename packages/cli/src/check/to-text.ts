import { pc } from '../colours.ts';
import { writeParagraph } from '../paragraph.ts';
import { printable } from '../printable.ts';
import type { UnreadSettings } from '../project/unread-settings.ts';
import { writeCount } from '../table.ts';
import type { CheckFinding } from './finding.ts';

/** A settings file, and what it was taken for. */
export interface CheckedFile {
  readonly file: string;
  readonly layer: string;
  readonly dialect: string | null;
  /** Who said so: `option`, `key`, `path` or `shape`. */
  readonly chosenBy: string | null;
  readonly hooks: number;
  readonly trust: string | null;
}

/** What `check` found. */
export interface CheckResult {
  readonly ok: boolean;
  readonly hooks: number;
  readonly files: readonly CheckedFile[];
  /** Settings files that are there, and that the configuration does not name: nothing of them was looked at. */
  readonly notRead: readonly UnreadSettings[];
  readonly counts: Readonly<Record<CheckFinding['level'], number>>;
  readonly findings: readonly CheckFinding[];
}

/** The result for a person: by file, each finding with its place. */
export function renderCheckResult({ hooks, files, notRead, counts, findings }: CheckResult): string {
  const names = [...new Set([...files.map(({ file }) => file), ...findings.map(({ file }) => file)])];
  const parts = names.map((name) => {
    const head =
      name === null
        ? []
        : [
            renderHead(
              name,
              files.find(({ file }) => file === name),
            ),
          ];
    return [...head, ...findings.filter(({ file }) => file === name).map(renderFinding)].join('\n');
  });
  return [...parts, ...notRead.map(renderUnread), renderSummary({ hooks, notRead, counts })].join('\n\n');
}

const chosen: Readonly<Record<string, string>> = {
  option: 'by option',
  key: 'by its key',
  path: 'by its path',
  shape: 'by its shape',
};

function renderHead(name: string, file: CheckedFile | undefined): string {
  if (file === undefined) return pc.underline(printable(name));
  const { dialect, chosenBy, layer, hooks } = file;
  const how =
    dialect === null
      ? 'no hooks loaded'
      : `format ${dialect} (${chosen[chosenBy ?? ''] ?? ''}), ${writeCount(hooks, 'hook')}`;
  return `${pc.underline(printable(name))}  ${pc.dim(`${layer}, ${how}`)}`;
}

function renderUnread({ file, message }: UnreadSettings): string {
  const text = writeParagraph(printable(message), { indent: '    ' });
  return `${pc.underline(printable(file))}  ${pc.yellow('not read')}\n${text}`;
}

const colours = { error: pc.red, warning: pc.yellow, risk: pc.magenta, note: pc.blue };

function renderFinding({ level, code, line, column, entry, message }: CheckFinding): string {
  const position = line === null ? '' : column === null ? `line ${line}` : `${line}:${column}`;
  const where = [position, entry].filter(Boolean).join('  ');
  return `  ${colours[level](level)}  ${code}${where === '' ? '' : `  ${pc.dim(printable(where))}`}\n${writeParagraph(printable(message), { indent: '    ' })}`;
}

function renderSummary({
  hooks,
  notRead,
  counts,
}: Pick<CheckResult, 'hooks' | 'notRead' | 'counts'>): string {
  const { error, warning, risk, note } = counts;
  const found = error + warning + risk + note;
  const total = `${writeCount(hooks, 'hook')} checked`;
  const unread = notRead.length === 0 ? '' : `, and ${writeCount(notRead.length, 'settings file')} not read`;
  if (hooks + found + notRead.length === 0)
    return 'There are no hooks here yet. Run spec-hooks init to create one.';
  if (found === 0) return (unread === '' ? pc.green : pc.yellow)(`${total}: nothing to report${unread}.`);
  const text = `${total}: ${writeCount(error, 'error')}, ${writeCount(warning, 'warning')}, ${writeCount(risk, 'risk')}, ${writeCount(note, 'note')}${unread}.`;
  return error > 0 ? pc.red(text) : warning > 0 || unread !== '' ? pc.yellow(text) : pc.green(text);
}
