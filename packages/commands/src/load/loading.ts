// Load: finds, reads and checks settings files and asks whether they are trusted. `loadSettings` calls it; it never runs an entry.

import { type AnyHook, DefinitionError } from '@spec/hooks';
import { conditionCommand, dialectTraits } from '../dialect-traits.ts';
import { namedVariables, setsVariable } from '../dialects/nested/named-variables.ts';
import { type HttpLimits, whyNeverAsked } from '../handlers/http.ts';
import { type Background, createBackground } from '../members/background.ts';
import { commandHooks } from '../members/command-hooks.ts';
import { type CommandOptions, type CompiledFile, pickCommandOptions } from '../members/options.ts';
import type { CommandEntry, Dialect, Finding, WrittenRule } from '../normal-form.ts';
import { type CommandRunner, createCommandRunner } from '../run/command-runner.ts';
import { isHandedOn } from '../run/environment.ts';
import { lookUpGoneTrust, lookUpTrust, refusals, type Trust, type TrustOption } from '../trust/trust.ts';
import { type DialectOptions, dialectsWith } from './dialects.ts';
import { createGuarding } from './guarding.ts';
import type { Hardening } from './harden.ts';
import { type ReadOptions, type ReadSettings, readSettings } from './read-files.ts';
import { type FileReport, findingSentence, reportText } from './report.ts';
import type { ResolvedSource } from './sources.ts';
import { trustFindings } from './trust-findings.ts';

/** How settings files are loaded. */
export interface LoadingOptions
  extends Omit<CommandOptions, 'background' | 'drainId'>,
    Hardening,
    DialectOptions,
    Pick<ReadOptions, 'rules'> {
  /** Which files of projects may run; files of the layer `user` always may. Default: none. */
  readonly trust?: TrustOption;
  /**
   * What happens to a wrong entry or one for an unsupported event: it is left out and reported (the default), or
   * all files are refused (`refuse`), if no agent is better than one without a guard.
   */
  readonly onBadEntry?: 'leave-out' | 'refuse';
  /** A prefix for the ids of all entries, snake_case, for files that are loaded by several calls. Default: none. */
  readonly name?: string;
}

/** What was loaded from settings files. */
export interface LoadedSettings {
  /** To be registered as policies. */
  readonly hooks: readonly AnyHook[];
  /** All entries that run, in the order of the files. */
  readonly entries: readonly CommandEntry[];
  /** The declarative rules of hub files, for `loadRules` of `@spec/rules`. Empty without the option `rules: 'hand-over'`. */
  readonly rules: readonly WrittenRule[];
  /** Errors, and what may be unexpected. */
  readonly findings: readonly Finding[];
  readonly files: readonly FileReport[];
  /** A report of all this for a person. */
  readonly report: string;
  /** Ends what still runs, also in the background, and removes the files that hold the output of hooks. */
  close(): Promise<void>;
}

/** Settings files that can be loaded repeatedly. */
export interface Loading {
  /** The files to watch: the settings and, after a load, the scripts in their fingerprints. Absolute. */
  paths(): readonly string[];
  /** @throws {DefinitionError} `bad_definition` */
  load(): Promise<LoadedSettings>;
}

export function createLoading(sources: readonly ResolvedSource[], options: Given): Loading {
  const dialects = dialectsWith(options);
  const shared: Shared = {
    dialects,
    background: createBackground(),
    drainId: makeDrainId(sources, options),
    runners: new Map(),
  };
  const guarding = createGuarding();
  let scripts: readonly string[] = [];
  return {
    paths: () => [...sources.map(({ path }) => path), ...scripts, ...storeFile(options.trust)],
    async load() {
      const reads = await Promise.all(sources.map((source) => readSettings(source, dialects, options)));
      const trusts = await Promise.all(reads.map((read) => trustRead(read, options)));
      scripts = trusts.flatMap((trust) => trust?.scripts ?? []);
      refuseBroken(reads, options);
      guarding.check(reads, trusts);
      return loaded(reads, trusts, { given: options, shared });
    },
  };
}

/** Trusting a file again changes only the store, not a settings file. */
function storeFile(option: TrustOption | undefined): readonly string[] {
  return typeof option === 'object' && option.path !== undefined ? [option.path] : [];
}

/** The session ends what runs in the background, even if the entries that began it are gone. */
function makeDrainId([first]: readonly ResolvedSource[], { name }: LoadingOptions): string {
  const layer = first === undefined ? 'settings' : `settings_${first.layer}`;
  return name === undefined ? layer : `${name}_${layer}`;
}

/** What outlives a single load. */
interface Shared {
  readonly dialects: readonly Dialect[];
  readonly background: Background;
  readonly drainId: string;
  /** By file and limit. */
  readonly runners: Map<string, CommandRunner>;
}

type Given = LoadingOptions & { readonly projectDir: string };

async function trustRead(
  { path, layer, content, loaded: part }: ReadSettings,
  { trust: option, projectDir }: Given,
): Promise<Trust | undefined> {
  if (part === undefined || content === undefined)
    return layer === 'user' ? undefined : lookUpGoneTrust(path, option);
  const entries = part.entries.map(({ entry }) => entry);
  const subject = { dialect: part.dialect.name, content, entries, projectDir, settingsPath: path };
  return lookUpTrust(path, subject, { option, isGiven: layer === 'user' });
}

/** @throws {DefinitionError} `bad_definition` */
function refuseBroken(reads: readonly ReadSettings[], { onBadEntry }: LoadingOptions): void {
  const pickErrors = ({ findings }: ReadSettings): Finding[] =>
    findings.filter(({ level }) => level === 'error');
  const broken = reads.filter(({ isBroken }) => isBroken);
  const refused = onBadEntry === 'refuse' ? reads : broken;
  const lines = refused.flatMap(pickErrors).map((finding) => `${findingSentence(finding)} (${finding.code})`);
  if (lines.length === 0) return;
  const what = broken.length > 0 ? 'cannot be read' : 'have entries that are wrong';
  const text = lines.length === 1 ? lines.join() : [`Settings files that ${what}:`, ...lines].join('\n  ');
  throw new DefinitionError('bad_definition', text);
}

function loaded(
  reads: readonly ReadSettings[],
  trusts: readonly (Trust | undefined)[],
  { given, shared }: { readonly given: Given; readonly shared: Shared },
): LoadedSettings {
  const compiled = reads.flatMap((read, i) => compiledFile(read, trusts[i], shared) ?? []);
  const { background, drainId } = shared;
  const files = reads.map((read, i) => fileReport(read, trusts[i], given));
  return {
    hooks: commandHooks(compiled, { ...pickCommandOptions(given), background, drainId }),
    entries: compiled.flatMap(({ entries }) => entries.map(({ entry }) => entry)),
    rules: reads.flatMap((read, i) => pickRules(read, trusts[i])),
    findings: files.flatMap(({ findings }) => findings),
    files,
    report: reportText(files),
    async close() {
      await Promise.all([
        background.close(),
        ...[...shared.runners.values()].map((runner) => runner.close()),
      ]);
      for (const dialect of shared.dialects) dialect.close?.();
    },
  };
}

function compiledFile(
  { path, file, layer, loaded: part }: ReadSettings,
  trust: Trust | undefined,
  { runners }: Shared,
): CompiledFile | undefined {
  if (part === undefined || part.entries.length === 0) return undefined;
  const { maxConcurrent } = part;
  const key = `${path} ${maxConcurrent}`;
  const runner = runners.get(key) ?? createCommandRunner({ maxConcurrent: maxConcurrent ?? NO_LIMIT });
  runners.set(key, runner);
  const refusal = trust?.status === 'given' ? undefined : trust?.refusal;
  return { ...part, file, layer, runner, ...(refusal === undefined ? {} : { refusal }) };
}

/** Hooks of a file that must not run say so. */
function pickRules({ file, loaded: part }: ReadSettings, trust: Trust | undefined): readonly WrittenRule[] {
  const rules = part?.rules ?? [];
  if (trust?.status !== 'unknown' && trust?.status !== 'changed') return rules;
  const refusal = `${file} does not run: ${refusals[trust.status]}. A person has to look at the file and trust it.`;
  return rules.map((rule) => ({ ...rule, refusal }));
}

const NO_LIMIT = Number.MAX_SAFE_INTEGER;

function fileReport(
  { loaded: part, content: _, ...read }: ReadSettings,
  trust: Trust | undefined,
  { pass, allowedHosts }: Given,
): FileReport {
  const entries = (part?.entries ?? []).map(({ entry }) => entry);
  const counts = { entryCount: entries.length, ruleCount: part?.rules.length ?? 0 };
  if (trust === undefined) return { ...read, ...counts };
  const surprises = [
    ...reportWithheldVariables(entries, pass),
    ...neverAsked(entries, { allowedHosts, pass }),
  ];
  const count = counts.entryCount + counts.ruleCount;
  const findings = [...read.findings, ...surprises, ...trustFindings(read.file, trust, count)];
  if (count === 0) return { ...read, findings, ...counts };
  const { status, fingerprint, scripts } = trust;
  return { ...read, findings, ...counts, trust: { status, fingerprint, scripts } };
}

/** Entries that fail at each run because the operator allows them no host or model. */
function neverAsked(
  entries: readonly CommandEntry[],
  limits: Pick<HttpLimits, 'allowedHosts' | 'pass'>,
): Finding[] {
  return entries.flatMap(({ handler, effects, position }) => {
    const why = handler.type === 'http' ? whyNeverAsked(handler, limits) : undefined;
    if (why === undefined) return [];
    const then =
      effects.onLaunchError === 'continue' ? 'what it looks at goes ahead' : 'what it guards is refused';
    const message = `This entry can never be asked, and ${then}: ${why}.`;
    return [{ level: 'warning', code: 'never_asked', position, message }];
  });
}

/** Variables that dialects and the runner give to commands, and those that shells set themselves. */
const GIVEN =
  /^(?:CLAUDE_[A-Z0-9_]+|TOOL_NAME|INPUT|OUTPUT|PROMPT|TIMESTAMP|SESSION_ID|USER_NAME|PROJECT_ROOT|PLATFORM|AGENT_NAME|FILE_PATH|HOOK_INPUT_\w+|PWD|OLDPWD|PPID|SHLVL|IFS|PS[0-4]|OPTARG|OPTIND|REPLY|RANDOM|LINENO|SECONDS|UID|EUID|HOSTNAME)$/;

/**
 * Reports variables of the agent's environment that a command names but is not given: the command finds them empty,
 * although they are set in a terminal.
 *
 * @param pass the names that are passed on besides those that every command gets
 */
function reportWithheldVariables(entries: readonly CommandEntry[], pass: readonly string[] = []): Finding[] {
  return entries.flatMap((entry) =>
    withheldFrom(findShellText(entry), pass, entry).map((name): Finding => {
      const message = `$${name} is set where the agent runs, and is not handed on: the command finds it empty. Name it in "pass", if the command may see it.`;
      return { level: 'warning', code: 'withheld_variable', position: entry.position, message };
    }),
  );
}

/** The parts of an entry that a shell expands. */
function findShellText(entry: CommandEntry): string {
  const { handler } = entry;
  const line = handler.type === 'command' && handler.args === undefined ? handler.command : '';
  return `${conditionCommand(entry) ?? ''}\n${line}`;
}

function withheldFrom(text: string, pass: readonly string[], { dialect, handler }: CommandEntry): string[] {
  const env = handler.type === 'command' ? handler.env : undefined;
  const own = Object.keys({ ...dialectTraits[dialect].folders, ...env });
  return namedVariables(text).filter(
    (name) =>
      Boolean(process.env[name]) &&
      !isHandedOn(name, pass) &&
      !GIVEN.test(name) &&
      !own.includes(name) &&
      !setsVariable(text, name),
  );
}
