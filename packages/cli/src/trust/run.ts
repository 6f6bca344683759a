import { existsSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { loadSettings, type TrustFile, trustStore } from '@spec/commands';
import { DefinitionError } from '@spec/hooks';
import { askPerson } from '../ask-person.ts';
import { exitCodes } from '../exit-codes.ts';
import { printable } from '../printable.ts';
import { configFileAbove, type FoundConfig } from '../project/config.ts';
import { trustFile } from '../project/load-project.ts';
import { configuredParts } from '../project/parts.ts';
import { wrongUsage } from '../wrong-usage.ts';
import { isAnythingHeld } from './held-tools.ts';
import { findProjectCode, type ProjectCode } from './project-code.ts';
import { fileText, listText, type Shown, trustStatus } from './to-text.ts';
import { trustCode } from './trust-code.ts';

/** The options of `spec-hooks trust`, as they were typed. */
export interface TrustFlags {
  readonly show?: boolean;
  readonly yes?: boolean;
  readonly list?: boolean;
  readonly remove?: boolean;
  readonly json?: boolean;
  /** The file that keeps what is trusted, where it is not the person's own. */
  readonly store?: string;
}

/** Shows what settings files would run, and trusts them. Gives the exit code. */
export async function trust(files: readonly string[], flags: TrustFlags): Promise<number> {
  const project = projectHere();
  const store = trustStore(flags.store === undefined ? trustFile(project) : resolve(flags.store));
  if (flags.list) return listTrusted(store, flags);
  if (flags.remove) return remove(files, store, flags);
  if (files.length > 0) {
    const code = findProjectCode(process.cwd());
    const isCode = (file: string): boolean => resolve(file) === code?.subject;
    if (code !== undefined && files.some(isCode)) {
      const others = files.filter((file) => !isCode(file));
      if (others.length > 0) return wrongUsage(`Trust ${files.find(isCode)} by itself: it is code.`);
      return trustProjectCode(code, store, flags);
    }
  }
  const sources = files.length > 0 ? files : configuredParts(project).settings;
  if (project.code !== undefined && files.length === 0) tellOfCode(project.code);
  if (files.length === 0) tellOfHeldTools();
  if (sources.length === 0) return wrongUsage('This project has no settings files: name one.');
  const loaded = await loadSettings(sources, {
    projectDir: project.folder,
    trust: store,
    rules: 'hand-over',
  });
  await loaded.close();
  const missing = loaded.files.find(({ path, trust: given }) => given === undefined && !existsSync(path));
  if (missing !== undefined) throw new DefinitionError('bad_option', `There is no file ${missing.file}.`);
  const looked: Looked[] = [];
  for (const report of loaded.files) {
    const entries = loaded.entries.filter(({ position }) => position.file === report.file);
    const rules = loaded.rules.filter(({ position }) => position.file === report.file);
    looked.push(await lookAt({ report, entries, rules }, store, flags));
  }
  if (flags.json) print({ files: looked.map(makeJson) });
  return looked.every(isTrusted) ? exitCodes.fine : exitCodes.findings;
}

async function trustProjectCode(code: ProjectCode, store: TrustFile, flags: TrustFlags): Promise<number> {
  const looked = await trustCode(code, store, flags);
  if (flags.json) print({ files: [looked] });
  else if (looked.status === 'trusted')
    process.stdout.write(`${printable(looked.file)} and what it names are trusted.\n`);
  return looked.recorded || looked.status === 'trusted' ? exitCodes.fine : exitCodes.findings;
}

/** The project as it lies there: its configuration is code, which does not run before somebody trusts it. */
function projectHere(): FoundConfig & { readonly code?: string } {
  const path = configFileAbove(process.cwd());
  if (path === undefined) return { config: {}, folder: process.cwd() };
  return { config: {}, folder: dirname(path), code: relative(process.cwd(), path) };
}

function tellOfHeldTools(): void {
  if (!isAnythingHeld()) return;
  process.stderr.write(
    'spec-hooks: the gateway holds tools of MCP servers back: look at them with spec-hooks trust --tools\n',
  );
}

function tellOfCode(file: string): void {
  process.stderr.write(
    `spec-hooks: ${printable(file)} is code of this project, and was not run: look at it, then name its settings files: spec-hooks trust FILE… For coding agents, trust the code itself: spec-hooks trust ${printable(file)}\n`,
  );
}

interface Looked extends Shown {
  /** Whether it was trusted just now. */
  readonly recorded: boolean;
}

async function lookAt(
  shown: Shown,
  store: TrustFile,
  { show = false, yes, json }: TrustFlags,
): Promise<Looked> {
  const { path, file, trust: given } = shown.report;
  if (!json) process.stdout.write(`${fileText(shown, show)}\n`);
  const status = trustStatus(shown.report);
  const isGone = status === 'gone';
  if (!isGone && status !== 'unknown' && status !== 'changed') return { ...shown, recorded: false };
  const recorded = yes === true || (json !== true && (await agrees(file, isGone)));
  if (recorded) await (isGone ? store.forget(path) : store.trust(path, given?.fingerprint ?? ''));
  if (!json) process.stdout.write(`${describeOutcome(file, recorded, isGone)}\n\n`);
  return { ...shown, recorded };
}

function describeOutcome(file: string, recorded: boolean, isGone: boolean): string {
  if (isGone) return recorded ? `${file} is forgotten.` : `${file} is not forgotten.`;
  return recorded ? `${file} is trusted now.` : `${file} is not trusted.`;
}

/** A file without hooks can only be forgotten. */
async function agrees(file: string, isGone: boolean): Promise<boolean> {
  const question = isGone ? `${file} has no hooks any more. Forget it?` : `Trust ${file} with all of this?`;
  return askPerson(question, `${isGone ? 'forget' : 'trust'} ${file}`);
}

function isTrusted({ report, recorded }: Looked): boolean {
  const status = trustStatus(report);
  return recorded || status === 'given' || status === 'trusted' || (status === null && !report.isBroken);
}

function makeJson({ report, entries, rules, recorded }: Looked): object {
  const { file, trust: given } = report;
  return {
    file,
    status: trustStatus(report),
    fingerprint: given?.fingerprint ?? null,
    scripts: given?.scripts ?? [],
    entries: entries.map(({ id, eventName, matcher = null, handler, position }) => ({
      id,
      event: eventName,
      matcher,
      handler,
      line: position.line,
    })),
    rules: rules.map(({ rule, position }) => ({ id: rule.id, event: rule.event, rule, line: position.line })),
    recorded,
  };
}

async function listTrusted(store: TrustFile, { json }: TrustFlags): Promise<number> {
  const trusted = [...(await store.all())].map(([path, fingerprint]) => ({ path, fingerprint }));
  if (json) print({ trusted });
  else process.stdout.write(`${listText(trusted)}\n`);
  return exitCodes.fine;
}

async function remove(files: readonly string[], store: TrustFile, { json }: TrustFlags): Promise<number> {
  if (files.length === 0)
    return wrongUsage('--remove: name the settings files that are to be trusted no longer.');
  const removed: string[] = [];
  for (const file of files) {
    const isGone = await store.forget(resolve(file));
    if (isGone) removed.push(file);
    if (!json)
      process.stdout.write(isGone ? `${file} is trusted no longer.\n` : `${file} was not trusted.\n`);
  }
  if (json) print({ removed });
  return removed.length === files.length ? exitCodes.fine : exitCodes.findings;
}

function print(result: object): void {
  process.stdout.write(`${JSON.stringify(result, undefined, 2)}\n`);
}
