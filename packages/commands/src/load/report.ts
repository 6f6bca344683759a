import type { Finding } from '../normal-form.ts';
import type { Trust } from '../trust/trust.ts';
import type { ReadSettings } from './read-files.ts';

/** The report on one settings file. */
export interface FileReport extends Omit<ReadSettings, 'loaded' | 'content'> {
  /** How many of its entries run. */
  readonly entryCount: number;
  /** How many of its declarative rules are handed over. */
  readonly ruleCount: number;
  /** Absent if nothing of the file is loaded. */
  readonly trust?: Pick<Trust, 'status' | 'fingerprint' | 'scripts'>;
}

/** Writes the report as text: each file with how it was read, followed by its findings. */
export function reportText(files: readonly FileReport[]): string {
  return files.flatMap((file) => [describeFile(file), ...file.findings.map(findingLine)]).join('\n');
}

const chosen = {
  option: 'by option',
  key: 'by its key',
  path: 'by its path',
  shape: 'by its shape',
} as const;

function describeFile({ file, layer, dialect, chosenBy, entryCount, ruleCount, trust }: FileReport): string {
  const how = dialect === undefined ? 'not loaded' : `${dialect} (${chosenBy && chosen[chosenBy]})`;
  const trusted = trust === undefined || trust.status === 'given' ? '' : `, ${words[trust.status]}`;
  const rules = ruleCount === 0 ? '' : `, ${ruleCount} ${ruleCount === 1 ? 'rule' : 'rules'}`;
  return `${file}: ${layer}, ${how}, ${entryCount} ${entryCount === 1 ? 'hook' : 'hooks'}${rules}${trusted}`;
}

const words = { trusted: 'trusted', unknown: 'not trusted yet', changed: 'changed since it was trusted' };

/** Writes a finding as one line, with its position as editors open it. */
export function findingLine(finding: Finding): string {
  return `  ${finding.level} ${finding.code} ${findingSentence(finding)}`;
}

/** Writes a finding as a sentence that can stand alone. */
export function findingSentence({ position, message }: Finding): string {
  const at = position.path === '' ? '' : ` ${position.path}`;
  return `${position.file}:${position.line}:${position.column}${at}: ${message}`;
}
