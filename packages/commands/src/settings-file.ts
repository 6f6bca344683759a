import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { JsonObject, JsonValue } from 'type-fest';
import type { DialectName, FilePosition, Finding, Layer, SettingsFile } from './normal-form.ts';
import { readToml } from './toml-text.ts';

/** What a settings file is called. */
export interface FileName {
  /** The name of the file in findings. */
  readonly file: string;
  readonly layer: Layer;
  /** Which file of its layer it is, from 1. Default 1. */
  readonly ordinal?: number;
  /** What the ids of its entries begin with, snake_case. Default: nothing. */
  readonly prefix?: string | undefined;
}

/** A settings file as far as it could be parsed. */
export interface ParsedFile {
  /** Absent where it is no JSON, or no object. */
  readonly settings: SettingsFile | undefined;
  readonly findings: readonly Finding[];
}

type Path = readonly (string | number)[];

/** More hooks than anyone writes by hand; to look through more would take minutes. */
export const MAX_SETTINGS_BYTES = 1_048_576;

/**
 * Parses a settings file of 1 MB at most: JSON with comments and trailing commas, or TOML where its name says so. What is wrong is a finding;
 * nothing is thrown.
 */
export function parseSettings(bytes: Uint8Array | string, name: FileName): ParsedFile {
  if (bytes.length > MAX_SETTINGS_BYTES)
    return unreadable(findStart(name), 'it has more than 1 MB', 'unreadable_file');
  const text = typeof bytes === 'string' ? withoutMark(bytes) : decode(bytes);
  if (text === undefined) return unreadable(findStart(name), 'it is not UTF-8 text');
  return name.file.endsWith('.toml') ? parseToml(text, name) : parseJson(text, name);
}

function parseToml(text: string, name: FileName): ParsedFile {
  const toPlace = placesIn(text, name);
  const read = readToml(text);
  if ('why' in read) return unreadable(toPlace(read.offset, []), read.why);
  const { content, findOffset } = read;
  const findPosition = (path: Path): FilePosition => toPlace(findOffset(path), path);
  return { settings: { ...named(name), content, findPosition, entryId: entryIds(name) }, findings: [] };
}

function parseJson(text: string, name: FileName): ParsedFile {
  const errors: ParseError[] = [];
  const root = readTree(text, errors);
  const toPlace = placesIn(text, name);
  const [error] = errors;
  if (error !== undefined)
    return unreadable(toPlace(error.offset, []), `${describeProblem(error)}${describeHint(text, error)}`);
  if (root?.type !== 'object') return unreadable(findStart(name), 'it must be an object');
  const findings: Finding[] = [];
  const content = readJson(root, { findings, toPlace, path: [] }) as JsonObject;
  const position = (path: Path): FilePosition => toPlace(findOffset(root, path), path);
  return { settings: { ...named(name), content, findPosition: position, entryId: entryIds(name) }, findings };
}

const named = ({ file, layer }: FileName): Pick<SettingsFile, 'file' | 'layer'> => ({ file, layer });

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** The parser works by recursion: what is nested too deep for it is reported like every other error. */
function readTree(text: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(text, errors, { allowTrailingComma: true });
  } catch {
    errors.push(TOO_DEEP);
    return undefined;
  }
}

/** Besides the parser's own errors. */
const TOO_DEEP: ParseError = { error: 4, offset: 0, length: 0 };

function describeProblem(problem: ParseError): string {
  if (problem === TOO_DEEP) return 'it is nested too deep';
  const words = printParseErrorCode(problem.error).replace(/([a-z])([A-Z])/g, '$1 $2');
  return words.startsWith('<') ? 'it is no valid JSON' : words.toLowerCase();
}

/** Documents write `[...]` for entries that they leave out. */
function describeHint(text: string, { offset }: ParseError): string {
  return text.slice(offset, offset + 3) === '...' ? ': replace "..." with the entries it stands for' : '';
}

function unreadable(
  position: FilePosition,
  why: string,
  code: 'bad_json' | 'unreadable_file' = 'bad_json',
): ParsedFile {
  const message = `This file cannot be read: ${why}. None of its hooks is loaded.`;
  return { settings: undefined, findings: [{ level: 'error', code, position, message }] };
}

function findStart({ file }: FileName): FilePosition {
  return { file, line: 1, column: 1, path: '' };
}

/** Tells lines and columns from positions in a text. */
function placesIn(text: string, { file }: FileName): (offset: number, path: Path) => FilePosition {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset, path) => {
    const line = starts.findLastIndex((start) => start <= offset) + 1;
    return { file, line, column: offset - (starts[line - 1] as number) + 1, path: pathText(path) };
  };
}

/** `['hooks', 'PreToolUse', 0]` as `hooks.PreToolUse[0]`. */
function pathText(path: Path): string {
  return path
    .map((key, i) => (typeof key === 'number' ? `[${key}]` : `${i === 0 ? '' : '.'}${key}`))
    .join('');
}

/** Where the value at a path stands, or the nearest around it. */
function findOffset(root: Node, path: Path): number {
  let node = root;
  let offset = root.offset;
  for (const key of path) {
    const property = typeof key === 'string' ? findProperty(node, key) : undefined;
    const next = property?.children?.[1] ?? (typeof key === 'number' ? findItem(node, key) : undefined);
    if (next === undefined) break;
    offset = property?.offset ?? next.offset;
    node = next;
  }
  return offset;
}

/** Of keys that stand twice the last counts. */
function findProperty({ type, children = [] }: Node, key: string): Node | undefined {
  if (type !== 'object') return undefined;
  return children.findLast(({ children: pair }) => pair?.[0]?.value === key);
}

function findItem({ type, children }: Node, position: number): Node | undefined {
  return type === 'array' ? children?.[position] : undefined;
}

interface Reading {
  readonly findings: Finding[];
  readonly toPlace: (offset: number, path: Path) => FilePosition;
  readonly path: Path;
}

function readJson(node: Node, reading: Reading): JsonValue {
  if (node.type === 'object') return readObject(node, reading);
  if (node.type !== 'array') return node.value as JsonValue;
  return (node.children ?? []).map((item, i) => readJson(item, { ...reading, path: [...reading.path, i] }));
}

function readObject({ children = [] }: Node, reading: Reading): JsonObject {
  const object: JsonObject = {};
  for (const property of children) {
    const [key, value] = property.children ?? [];
    if (key === undefined || value === undefined) continue;
    const name = String(key.value);
    const path = [...reading.path, name];
    if (Object.hasOwn(object, name)) report(reading, { property, path }, duplicate(name));
    if (name === '__proto__') report(reading, { property, path }, UNSAFE);
    else object[name] = readJson(value, { ...reading, path });
  }
  return object;
}

interface At {
  readonly property: Node;
  readonly path: Path;
}

function report(
  { findings, toPlace }: Reading,
  { property, path }: At,
  { code, message }: Pick<Finding, 'code' | 'message'>,
): void {
  findings.push({ level: 'error', code, position: toPlace(property.offset, path), message });
}

const UNSAFE = { code: 'unknown_key', message: 'The key "__proto__" is left out: remove it.' };

const duplicate = (name: string): Pick<Finding, 'code' | 'message'> => ({
  code: 'duplicate_key',
  message: `The key "${name}" is here twice, and only the last one counts. Put the content of both under one.`,
});

/** What the ids of a file's hooks begin with: `claude_project`. */
export function idStart({ layer, ordinal = 1, prefix }: FileName, dialect: DialectName): string {
  const start = prefix === undefined ? dialect : `${prefix}_${dialect}`;
  return `${start}_${layer}${ordinal === 1 ? '' : `_${ordinal}`}`;
}

/** Ids by dialect, layer, event and position; two events whose names differ in their case alone have two. */
function entryIds(name: FileName): SettingsFile['entryId'] {
  const events = new Map<string, string[]>();
  return (dialect, eventName, position) => {
    const event = snakeCase(eventName);
    const spellings = events.get(event) ?? [];
    if (!spellings.includes(eventName)) spellings.push(eventName);
    events.set(event, spellings);
    const spelling = spellings.indexOf(eventName);
    return `${idStart(name, dialect)}_${event}${spelling === 0 ? '' : `_${spelling + 1}x`}_${position + 1}`;
  };
}

function snakeCase(name: string): string {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').split(/[^a-zA-Z0-9]+/);
  return words.filter(Boolean).join('_').toLowerCase() || 'event';
}
