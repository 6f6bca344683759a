import { printable } from '../printable.ts';
import type { Project } from './load-project.ts';
import { listNotLoaded } from './lost-entries.ts';

/**
 * Says on standard error what will not run as it is written: settings files that nobody trusts or that are switched off, entries that
 * are not loaded or can never be asked, commands that find a variable empty, and files that are not read.
 */
export function tellNotRunning(project: Pick<Project, 'settings' | 'notRead'>): void {
  tell([
    ...filesNotRead(project),
    ...untrustedFiles(project),
    ...entriesNotLoaded(project),
    ...pickFindings(project, ['disabled', 'never_asked', 'withheld_variable']),
  ]);
}

/** Says on standard error which files are not read or are switched off, and which entries can never be asked. */
export function tellLeftOut(project: Pick<Project, 'settings' | 'notRead'>): void {
  tell([...filesNotRead(project), ...pickFindings(project, ['disabled', 'never_asked'])]);
}

function filesNotRead({ notRead }: Pick<Project, 'notRead'>): string[] {
  return notRead.map(({ file, message }) => `${file} is not read: ${message}`);
}

function tell(sentences: readonly string[]): void {
  for (const sentence of sentences) process.stderr.write(`spec-hooks: ${printable(sentence)}\n`);
}

function untrustedFiles({ settings }: Pick<Project, 'settings'>): string[] {
  return (settings?.files ?? []).flatMap(({ file, trust }) => {
    if (trust?.status !== 'unknown' && trust?.status !== 'changed') return [];
    const why = trust.status === 'changed' ? 'has changed since it was trusted' : 'is not trusted yet';
    const remedy = 'look at it, then trust it with spec-hooks trust, or add --trust for this once';
    return [`${file} ${why}: none of its hooks runs, and what they guard is denied; ${remedy}.`];
  });
}

function entriesNotLoaded(project: Pick<Project, 'settings'>): string[] {
  return listNotLoaded(project).map(
    ({ source, message }) => `${source} is not loaded, and guards nothing: ${message}`,
  );
}

function pickFindings({ settings }: Pick<Project, 'settings'>, codes: readonly string[]): string[] {
  return (settings?.findings ?? [])
    .filter(({ code }) => codes.includes(code))
    .map(({ position: { file, line }, message }) => `${file}:${line}: ${message}`);
}
