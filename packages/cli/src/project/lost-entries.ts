import type { Finding } from '@spec/commands';
import type { Project } from './load-project.ts';

/** Entries of settings files that are wrong: they are left out alone, and guard nothing. */
export function lostEntries({ settings }: Pick<Project, 'settings'>): readonly Finding[] {
  return (settings?.findings ?? []).filter((finding) => finding.level === 'error' && !isAboutTrust(finding));
}

/** Whether a finding of a settings file is about trust: its entries are there, and do not run. */
export function isAboutTrust({ code }: Pick<Finding, 'code'>): boolean {
  return code === 'untrusted' || code === 'trust_changed';
}

/** An entry that is not loaded, as commands that run hooks tell of it. */
export interface NotLoaded {
  /** `file:line` */
  readonly source: string;
  readonly message: string;
}

export function listNotLoaded(project: Pick<Project, 'settings'>): NotLoaded[] {
  return lostEntries(project).map(({ position: { file, line }, message }) => ({
    source: `${file}:${line}`,
    message,
  }));
}

/** A settings file of which no hook is loaded, since the file or the environment says so. */
export interface SwitchedOff {
  readonly file: string;
  readonly message: string;
}

export function listSwitchedOff({ settings }: Pick<Project, 'settings'>): SwitchedOff[] {
  return (settings?.findings ?? [])
    .filter(({ code }) => code === 'disabled')
    .map(({ position: { file }, message }) => ({ file, message }));
}
