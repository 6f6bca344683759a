import type { Finding, SettingsFile } from '../../normal-form.ts';

/** Keys and positions from the top of a file. */
export type Path = readonly (string | number)[];

/** Gathers what is wrong or surprising in one settings file. */
export interface Report {
  readonly findings: readonly Finding[];
  /** The entry is not loaded. */
  error(code: string, path: Path, message: string): void;
  /** The entry is loaded but does not do what it says. */
  warning(code: string, path: Path, message: string): void;
  note(code: string, path: Path, message: string): void;
}

export function createReport(file: SettingsFile): Report {
  const findings: Finding[] = [];
  const add =
    (level: Finding['level']) =>
    (code: string, path: Path, message: string): void =>
      void findings.push({ level, code, position: file.findPosition(path), message });
  return { findings, error: add('error'), warning: add('warning'), note: add('note') };
}
