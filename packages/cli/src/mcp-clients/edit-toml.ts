import { isRecord } from '@spec/hooks';
import { parse } from 'smol-toml';

/** A piece of a text that is replaced. */
export interface Piece {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** What a TOML text holds; `undefined`: it is no TOML. */
export function parseToml(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Gives keys of a table other values, and leaves every other byte as it is. Keys that are not there are added behind those that are.
 *
 * @returns `undefined` if the table, or a key of it, is written in a form that is not edited, such as an inline table
 */
export function editTable(
  text: string,
  path: readonly string[],
  { set, cut }: { readonly set: Readonly<Record<string, unknown>>; readonly cut: readonly string[] },
): Piece | undefined {
  const body = findBody(text, path);
  if (body === undefined) return undefined;
  const keys = new Set([...Object.keys(set), ...cut]);
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const kept = dropKeys(text.slice(body.start, body.end), keys);
  const added = Object.entries(set).map(([key, value]) => `${key} = ${writeValue(value)}${eol}`);
  return { ...body, text: added.join('') + kept };
}

/** What stands between the head of a table and the next head. */
function findBody(text: string, path: readonly string[]): Pick<Piece, 'start' | 'end'> | undefined {
  const heads = listHeads(text);
  const at = heads.findIndex(
    ({ keys }) => keys.length === path.length && keys.every((key, i) => key === path[i]),
  );
  const head = heads[at];
  if (head === undefined) return undefined;
  return { start: head.end, end: heads[at + 1]?.start ?? text.length };
}

interface Head {
  readonly start: number;
  readonly end: number;
  readonly keys: readonly string[];
}

/** The heads of all tables. A line within a text or a list looks like one sometimes: what comes before it is then no TOML by itself. */
function listHeads(text: string): readonly Head[] {
  return Array.from(text.matchAll(/^[ \t]*\[[^\n]*(?:\n|$)/gm)).flatMap(({ 0: line, index }) => {
    if (parseToml(text.slice(0, index)) === undefined) return [];
    const keys = readKeys(line);
    return keys === undefined ? [] : [{ start: index, end: index + line.length, keys }];
  });
}

function readKeys(line: string): readonly string[] | undefined {
  const keys: string[] = [];
  let value: unknown = parseToml(line);
  while (isRecord(value)) {
    const [key] = Object.keys(value);
    if (key === undefined) return keys;
    keys.push(key);
    value = value[key];
  }
  return Array.isArray(value) ? keys : undefined;
}

/** Leaves out the assignments of some keys: each reaches as far as it takes to be TOML. */
function dropKeys(body: string, keys: ReadonlySet<string>): string {
  const lines = body.split(/(?<=\n)/);
  let kept = '';
  for (let at = 0; at < lines.length; ) {
    const length = measureAssignment(lines, at);
    const piece = lines.slice(at, at + length).join('');
    const [key] = Object.keys(parseToml(piece) ?? {});
    if (key === undefined || !keys.has(key)) kept += piece;
    at += length;
  }
  return kept;
}

function measureAssignment(lines: readonly string[], at: number): number {
  for (let length = 1; at + length <= lines.length; length++)
    if (parseToml(lines.slice(at, at + length).join('')) !== undefined) return length;
  return 1;
}

/** JSON of texts, and of lists and records of them, is TOML but for the sign between a key and its value. */
function writeValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(writeValue).join(', ')}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const fields = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)} = ${writeValue(one)}`);
  return `{ ${fields.join(', ')} }`;
}
