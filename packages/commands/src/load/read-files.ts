import { DefinitionError } from '@spec/hooks';
import { readRegularFile } from '@spec/hooks/node';
import type { JsonObject } from 'type-fest';
import type {
  CommandEntry,
  CompiledEntry,
  Dialect,
  DialectName,
  Finding,
  Layer,
  WrittenRule,
} from '../normal-form.ts';
import { idStart, MAX_SETTINGS_BYTES, parseSettings } from '../settings-file.ts';
import { type Chosen, chooseDialect } from './dialects.ts';
import { type Hardening, harden } from './harden.ts';
import type { ResolvedSource } from './sources.ts';

/** The readable parts of a settings file. */
export interface ReadSettings {
  readonly path: string;
  readonly file: string;
  readonly layer: Layer;
  /** Its format and what chose it; absent if the file is missing, has no hooks or has an unknown format. */
  readonly dialect?: DialectName;
  readonly chosenBy?: Chosen['by'];
  readonly findings: readonly Finding[];
  /** Whether nothing of it can be read: it is not JSON, or its format is unknown. */
  readonly isBroken: boolean;
  /** As it was parsed. */
  readonly content?: JsonObject;
  /** What runs of it. */
  readonly loaded?: LoadedFile;
}

/** The part of a settings file that runs. */
export interface LoadedFile {
  readonly id: string;
  readonly dialect: Dialect;
  readonly entries: readonly CompiledEntry[];
  readonly rules: readonly WrittenRule[];
  readonly maxConcurrent: number | undefined;
}

export interface ReadOptions extends Hardening {
  /** What the ids of all entries begin with, snake_case. Default: nothing. */
  readonly name?: string;
  /**
   * What happens to declarative rules in hub files: `hand-over` puts them into `rules` of the result, so that `loadRules` of `@spec/rules`
   * can make hooks of them. Otherwise they do not run: they are left out, each with an error (`rules_not_taken`).
   */
  readonly rules?: 'leave-out' | 'hand-over';
}

/** Reads a settings file. Problems become findings; nothing is thrown. */
export async function readSettings(
  source: ResolvedSource,
  dialects: readonly Dialect[],
  options: ReadOptions = {},
): Promise<ReadSettings> {
  const { path, file, layer } = source;
  const about = { path, file, layer };
  let bytes: Uint8Array;
  try {
    bytes = readRegularFile(path, MAX_SETTINGS_BYTES);
  } catch (error) {
    return { ...about, ...unreadable(file, error) };
  }
  return { ...about, ...understood(bytes, source, { dialects, options }) };
}

type Understood = Omit<ReadSettings, 'path' | 'file' | 'layer'>;

function unreadable(file: string, error: unknown): Understood {
  const { code = 'unknown', message: why } = error as NodeJS.ErrnoException;
  const position = { file, line: 1, column: 1, path: '' };
  if (code === 'ENOENT') {
    const message = `There is no file ${file}: it has no hooks.`;
    return { isBroken: false, findings: [{ level: 'note', code: 'no_file', position, message }] };
  }
  const message = `This file cannot be read: ${why} (${code}). None of its hooks is loaded.`;
  return { isBroken: true, findings: [{ level: 'error', code: 'unreadable_file', position, message }] };
}

function understood(
  bytes: Uint8Array,
  source: ResolvedSource,
  { dialects, options }: { readonly dialects: readonly Dialect[]; readonly options: ReadOptions },
): Understood {
  const name = { file: source.file, layer: source.layer, ordinal: source.ordinal, prefix: options.name };
  const { settings, findings } = parseSettings(bytes, name);
  if (settings === undefined) return { findings, isBroken: true };
  const { chosen, finding } = chooseDialect(settings, dialects, source);
  if (chosen === undefined) {
    const isBroken = finding?.level === 'error';
    return { isBroken, findings: finding === undefined ? findings : [...findings, finding] };
  }
  const { dialect, by } = chosen;
  const read = dialect.read(settings);
  const { entries, problems } = compileAll(dialect, read.entries, options);
  const { rules, lost } = takenRules(read.rules ?? [], options);
  const id = idStart(name, dialect.name);
  return {
    content: settings.content,
    dialect: dialect.name,
    chosenBy: by,
    isBroken: false,
    findings: [...findings, ...read.findings, ...lost, ...problems],
    loaded: { id, dialect, entries, rules, maxConcurrent: read.maxConcurrent },
  };
}

/** A rule that no hook runs would guard nothing, and nobody would notice. */
function takenRules(
  rules: readonly WrittenRule[],
  { rules: wish }: ReadOptions,
): { readonly rules: readonly WrittenRule[]; readonly lost: readonly Finding[] } {
  if (wish === 'hand-over') return { rules, lost: [] };
  const message =
    "This is a declarative rule, and nothing here runs it. Load the file with the option rules: 'hand-over', and give the rules to loadRules of @spec/rules.";
  const lost = rules.map(
    ({ position }): Finding => ({ level: 'error', code: 'rules_not_taken', position, message }),
  );
  return { rules: [], lost };
}

interface Compiled {
  readonly entries: readonly CompiledEntry[];
  readonly problems: readonly Finding[];
}

/** An entry that breaks a rule is left out with a finding; the others stay. */
function compileAll(dialect: Dialect, given: readonly CommandEntry[], hardening: Hardening): Compiled {
  const entries: CompiledEntry[] = [];
  const problems: Finding[] = [];
  for (const entry of given) {
    try {
      entries.push(dialect.compile(harden(entry, hardening)));
    } catch (error) {
      if (!(error instanceof DefinitionError)) throw error;
      problems.push({ level: 'error', code: error.code, position: entry.position, message: error.message });
    }
  }
  return { entries, problems };
}

/** How many entries and rules of a file are loaded. */
export function countEntries({ loaded }: Pick<ReadSettings, 'loaded'>): number {
  return loaded === undefined ? 0 : loaded.entries.length + loaded.rules.length;
}
