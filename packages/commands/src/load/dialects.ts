import { nearest } from '@spec/hooks';
import { type ClaudeOptions, createClaude } from '../dialects/claude/index.ts';
import { hub } from '../dialects/hub.ts';
import { createService, type ServiceOptions } from '../dialects/service/index.ts';
import { settings } from '../dialects/settings.ts';
import type { Dialect, DialectName, Finding, SettingsFile } from '../normal-form.ts';

/** Options of single dialects. */
export interface DialectOptions {
  readonly claude?: ClaudeOptions;
  readonly service?: ServiceOptions;
}

/** The dialects, in the order in which they try to recognise a file. */
export function dialectsWith({ claude, service }: DialectOptions = {}): readonly Dialect[] {
  return [settings, hub, createService(service), createClaude(claude)];
}

/** A dialect with how it was chosen. */
export interface Chosen {
  readonly dialect: Dialect;
  readonly by: 'option' | 'key' | 'shape';
}

/** The dialect chosen for a file, or why none was; neither if the file has no hooks. */
export interface Choice {
  readonly chosen?: Chosen;
  readonly finding?: Finding;
}

/** Chooses a file's dialect: by option, by its key `dialect`, or by the shape of its entries. */
export function chooseDialect(
  file: SettingsFile,
  dialects: readonly Dialect[],
  option: DialectName | undefined,
): Choice {
  const { dialect: key, hooks } = file.content;
  const word = option ?? key;
  const by = option === undefined ? 'key' : 'option';
  if (word !== undefined) return named(file, word, { dialects, by });
  const dialect = dialects.find((one) => one.recognises(file.content));
  if (dialect !== undefined) return { chosen: { dialect, by: 'shape' } };
  const hasHooks = typeof hooks === 'object' && hooks !== null && Object.keys(hooks).length > 0;
  return { finding: hasHooks ? unknownShape(file, dialects) : noHooks(file) };
}

function named(
  file: SettingsFile,
  word: unknown,
  { dialects, by }: { readonly dialects: readonly Dialect[]; readonly by: Chosen['by'] },
): Choice {
  const dialect = dialects.find(({ name }) => name === word);
  if (dialect !== undefined) return { chosen: { dialect, by } };
  const names = dialects.map(({ name }) => name);
  const meant = typeof word === 'string' ? nearest(word, names) : undefined;
  const hint = meant === undefined ? '' : ` Did you mean "${meant}"?`;
  const message = `"dialect" must be one of ${names.join(', ')}.${hint}`;
  return { finding: { level: 'error', code: 'unknown_dialect', place: file.place(['dialect']), message } };
}

function unknownShape(file: SettingsFile, dialects: readonly Dialect[]): Finding {
  const names = dialects.map(({ name }) => `"${name}"`).join(', ');
  const message = `The hooks of this file have the shape of no known format. Say which it is by a key "dialect" at its top: ${names}.`;
  return { level: 'error', code: 'unknown_dialect', place: file.place(['hooks']), message };
}

function noHooks(file: SettingsFile): Finding {
  const message = 'There are no hooks in this file.';
  return { level: 'note', code: 'no_hooks', place: file.place([]), message };
}

/** The dialect of a name, without options. */
export function dialectNamed(name: string): Dialect | undefined {
  return dialectsWith().find((dialect) => dialect.name === name);
}
