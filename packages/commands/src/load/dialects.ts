import { nearest } from '@spec/hooks';
import type { JsonObject } from 'type-fest';
import { type ClaudeOptions, createClaude } from '../dialects/claude/index.ts';
import { codex } from '../dialects/codex/index.ts';
import { copilot } from '../dialects/copilot/index.ts';
import { cursor } from '../dialects/cursor/index.ts';
import { factory } from '../dialects/factory.ts';
import { gemini } from '../dialects/gemini/index.ts';
import { hub } from '../dialects/hub.ts';
import { qwen } from '../dialects/qwen.ts';
import { createService, type ServiceOptions } from '../dialects/service/index.ts';
import { settings } from '../dialects/settings.ts';
import { isObject } from '../json-object.ts';
import type { Dialect, DialectName, Finding, SettingsFile } from '../normal-form.ts';

/** Options of single dialects. */
export interface DialectOptions {
  readonly claude?: ClaudeOptions;
  readonly service?: ServiceOptions;
}

/** The dialects, in the order in which they try to recognise a file. */
export function dialectsWith({ claude, service }: DialectOptions = {}): readonly Dialect[] {
  return [
    cursor,
    copilot,
    settings,
    hub,
    gemini,
    createService(service),
    createClaude(claude),
    qwen,
    factory,
    codex,
  ];
}

/** A dialect with how it was chosen. */
export interface Chosen {
  readonly dialect: Dialect;
  readonly by: 'option' | 'key' | 'path' | 'shape';
}

/** The dialect chosen for a file, or why none was; neither if the file has no hooks. */
export interface Choice {
  readonly chosen?: Chosen;
  readonly finding?: Finding;
}

/** Where a file is, and the dialect that the caller names for it. */
export interface Wish {
  readonly path: string;
  readonly dialect: DialectName | undefined;
}

/** Chooses a file's dialect: by option, by its key `dialect`, by its path, or by the shape of its entries. */
export function chooseDialect(
  file: SettingsFile,
  dialects: readonly Dialect[],
  { path, dialect: option }: Wish,
): Choice {
  const { dialect: key } = file.content;
  const word = option ?? key;
  const by = option === undefined ? 'key' : 'option';
  if (word !== undefined) return named(file, word, { dialects, by });
  const chosen = recogniseDialect(file.content, dialects, path);
  if (chosen !== undefined) return { chosen };
  return { finding: hasHooks(file.content) ? unknownShape(file, dialects) : noHooks(file) };
}

/** The dialect that a file is in by its path, or else by the shape of its entries; none where it has no hooks or a shape of no dialect. */
export function recogniseDialect(
  content: JsonObject,
  dialects: readonly Dialect[],
  path: string,
): Chosen | undefined {
  const byShape = dialects.find((one) => one.recognises(content));
  const byPath = dialects.find(({ paths }) => paths?.test(path));
  const hasAny = byShape !== undefined || hasHooks(content) || byPath?.hasBareHooks?.(content);
  if (byPath !== undefined && hasAny) return { dialect: byPath, by: 'path' };
  return byShape && { dialect: byShape, by: 'shape' };
}

function hasHooks({ hooks }: JsonObject): boolean {
  return isObject(hooks) && Object.keys(hooks).length > 0;
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
  return {
    finding: { level: 'error', code: 'unknown_dialect', position: file.findPosition(['dialect']), message },
  };
}

function unknownShape(file: SettingsFile, dialects: readonly Dialect[]): Finding {
  const names = dialects.map(({ name }) => `"${name}"`).join(', ');
  const message = `The hooks of this file have the shape of no known format. Say which it is by a key "dialect" at its top: ${names}.`;
  return { level: 'error', code: 'unknown_dialect', position: file.findPosition(['hooks']), message };
}

function noHooks(file: SettingsFile): Finding {
  const message = 'There are no hooks in this file.';
  return { level: 'note', code: 'no_hooks', position: file.findPosition([]), message };
}

/** The dialect of a name, without options. */
export function dialectNamed(name: string): Dialect | undefined {
  return dialectsWith().find((dialect) => dialect.name === name);
}
