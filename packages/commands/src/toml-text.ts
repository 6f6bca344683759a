import { parse, TomlError } from 'smol-toml';
import type { JsonObject } from 'type-fest';

type Path = readonly (string | number)[];

/** A text in TOML, as JSON has it. */
export type TomlText =
  | { readonly content: JsonObject; findOffset(path: Path): number }
  | { readonly why: string; readonly offset: number };

/** Reads TOML. Dates become texts. */
export function readToml(text: string): TomlText {
  try {
    const content = JSON.parse(JSON.stringify(parse(text))) as JsonObject;
    return { content, findOffset: (path) => findOffset(text, path) };
  } catch (error) {
    if (!(error instanceof TomlError)) return { why: 'it is no valid TOML', offset: 0 };
    // The lines below the first quote the file.
    const [why = ''] = error.message.split('\n');
    return { why: why.replace('Invalid TOML document: ', ''), offset: findLine(text, error.line) };
  }
}

function findLine(text: string, line: number): number {
  let offset = 0;
  for (let at = 1; at < line; at += 1) offset = text.indexOf('\n', offset) + 1;
  return offset;
}

/** Where the value at a path stands, or the nearest around it. */
function findOffset(text: string, path: Path): number {
  const names: string[] = [];
  let offset = 0;
  for (const key of path) {
    if (typeof key === 'string') names.push(key);
    const found =
      typeof key === 'number'
        ? findTable(text, names, { from: offset, ordinal: key })
        : (findTable(text, names, { from: offset, ordinal: 0 }) ?? findKey(text, key, offset));
    offset = found ?? offset;
  }
  return offset;
}

interface Search {
  readonly from: number;
  /** Which one of a list, from 0. */
  readonly ordinal: number;
}

/** The header of a table, or of one in a list. */
function findTable(text: string, names: readonly string[], { from, ordinal }: Search): number | undefined {
  const dotted = names.map((name) => `["']?${escapeName(name)}["']?`).join('\\s*\\.\\s*');
  const header = new RegExp(`^[ \\t]*\\[\\[?\\s*${dotted}\\s*\\]`, 'gm');
  header.lastIndex = from;
  let left = ordinal;
  for (let match = header.exec(text); match !== null; match = header.exec(text)) {
    if (left === 0) return match.index;
    left -= 1;
  }
  return undefined;
}

/** A key of the table whose header stands before it. */
function findKey(text: string, name: string, from: number): number | undefined {
  const end = text.indexOf('\n[', from + 1);
  const table = end < 0 ? text.slice(from) : text.slice(from, end);
  const found = new RegExp(`^[ \\t]*["']?${escapeName(name)}["']?\\s*[=.]`, 'm').exec(table);
  return found === null ? undefined : from + found.index;
}

function escapeName(name: string): string {
  return name.replaceAll(/[^\w-]/g, '\\$&');
}
