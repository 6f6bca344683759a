import { pc } from '../colours.ts';
import { writeParagraph } from '../paragraph.ts';
import { printable } from '../printable.ts';
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
  readonly counts: Readonly<Record<CheckFinding['level'], number>>;
  readonly findings: readonly CheckFinding[];
}

/** The result for a person: by file, each finding with its place. */
export function renderCheckResult({ hooks, files, counts, findings }: CheckResult): string {
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
  return [...parts, renderSummary(hooks, counts)].join('\n\n');
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

const colours = { error: pc.red, warning: pc.yellow, risk: pc.magenta, note: pc.blue };

function renderFinding({ level, code, line, column, entry, message }: CheckFinding): string {
  const position = line === null ? '' : column === null ? `line ${line}` : `${line}:${column}`;
  const where = [position, entry].filter(Boolean).join('  ');
  return `  ${colours[level](level)}  ${code}${where === '' ? '' : `  ${pc.dim(printable(where))}`}\n${writeParagraph(printable(message), { indent: '    ' })}`;
}

function renderSummary(hooks: number, { error, warning, risk, note }: CheckResult['counts']): string {
  if (hooks + error + warning + risk + note === 0)
    return 'There are no hooks here yet. Run spec-hooks init to create one.';
  const total = `${writeCount(hooks, 'hook')} checked`;
  if (error + warning + risk + note === 0) return pc.green(`${total}: nothing to report.`);
  const text = `${total}: ${writeCount(error, 'error')}, ${writeCount(warning, 'warning')}, ${writeCount(risk, 'risk')}, ${writeCount(note, 'note')}.`;
  return error > 0 ? pc.red(text) : warning > 0 ? pc.yellow(text) : pc.green(text);
}
