import { findNodeAtLocation, type JSONPath, type Node, parseTree } from 'jsonc-parser';

/**
 * Adds an item behind the last one of a list in a JSON text with comments. Lists and objects on the way are made where they are missing.
 * Nothing else in the text changes, not even its white space: `modify` of jsonc-parser formats the neighbours anew.
 */
export function appendItem(text: string, path: JSONPath, item: unknown): string {
  const list = findNode(text, path);
  if (list !== undefined) return insertLast(text, list, { depth: path.length + 1, write: toJson(item) });
  return addProperty(text, path, [item]);
}

/** Adds a property that is not there. Objects on the way are made where they are missing. */
export function addProperty(text: string, path: JSONPath, value: unknown): string {
  const owner = path.slice(0, -1);
  const key = String(path.at(-1));
  const node = findNode(text, owner);
  if (node === undefined) return addProperty(text, owner, { [key]: value });
  const write = (style: Style): string => `${JSON.stringify(key)}: ${toJson(value)(style)}`;
  return insertLast(text, node, { depth: path.length, write });
}

/** Puts another item in the place of one that is there. */
export function replaceItem(text: string, path: JSONPath, item: unknown): string {
  const { offset, length } = findNode(text, path) as Node;
  const style = findStyle(text);
  const json = indent(toJson(item)(style), style, path.length);
  return text.slice(0, offset) + json + text.slice(offset + length);
}

/** Takes an item of a list or a property of an object out, with the comma that it needed. Comments beside it stay. */
export function cutItem(text: string, path: JSONPath): string {
  const value = findNode(text, path) as Node;
  const own = value.parent?.type === 'property' ? value.parent : value;
  const siblings = own.parent?.children ?? [];
  const at = siblings.indexOf(own);
  const [before, after] = [siblings[at - 1], siblings[at + 1]];
  const end = findEnd(own);
  if (before !== undefined) {
    const start = findEnd(before);
    return text.slice(0, start) + keepComments(text.slice(start, own.offset)) + text.slice(end);
  }
  if (after !== undefined)
    return text.slice(0, own.offset) + keepComments(text.slice(end, after.offset)) + text.slice(after.offset);
  return cutOnly(text, own);
}

/** Takes the only item of a list or the only property of an object out. */
function cutOnly(text: string, own: Node): string {
  const { offset, length } = own.parent as Node;
  const close = offset + length - 1;
  const [before, behind] = [text.slice(offset + 1, own.offset), text.slice(findEnd(own), close)];
  const rest = keepComments(behind);
  const blanks = rest === '' ? behind.replace(',', '') : rest;
  const isEmpty = before.trim() === '' && rest === '';
  return text.slice(0, offset + 1) + (isEmpty ? '' : joinComments(before, blanks)) + text.slice(close);
}

/** A comment may go on to the end of its line: what comes behind it begins another one. */
function joinComments(before: string, behind: string): string {
  return (/^[ \t]*[\r\n]/.test(behind) ? before.trimEnd() : before) + behind;
}

/** What stands beside an item, without the comma and without white space alone. */
function keepComments(beside: string): string {
  const rest = beside.replace(COMMENT_OR_COMMA, (found) => (found === ',' ? '' : found));
  return rest.trim() === '' ? '' : rest;
}

/** Beside an item stands no more than one comma; comments have others. */
const COMMENT_OR_COMMA = /\/\/[^\r\n]*|\/\*.*?\*\/|,/gs;

function findEnd({ offset, length }: Node): number {
  return offset + length;
}

function findNode(text: string, path: JSONPath): Node | undefined {
  const tree = parseTree(text, [], { allowTrailingComma: true });
  return tree && findNodeAtLocation(tree, path);
}

interface Insertion {
  /** How many lists and objects are around what is inserted. */
  readonly depth: number;
  readonly write: (style: Style) => string;
}

function insertLast(
  text: string,
  { children = [], offset, length }: Node,
  { depth, write }: Insertion,
): string {
  const style = findStyle(text);
  const item = `${style.eol}${style.unit.repeat(depth)}${indent(write(style), style, depth)}`;
  const last = children.at(-1);
  if (last !== undefined) return `${text.slice(0, findEnd(last))},${item}${text.slice(findEnd(last))}`;
  const close = offset + length - 1;
  const before = text.slice(0, close).trimEnd();
  return `${before}${item}${style.eol}${style.unit.repeat(depth - 1)}${text.slice(close)}`;
}

/** How a text is laid out. */
interface Style {
  readonly unit: string;
  readonly eol: string;
}

function findStyle(text: string): Style {
  const unit = /\n([ \t]+)[^\s/]/.exec(text)?.[1] ?? '  ';
  return { unit: unit.startsWith('\t') ? '\t' : unit, eol: text.includes('\r\n') ? '\r\n' : '\n' };
}

function toJson(value: unknown): (style: Style) => string {
  return ({ unit }) => JSON.stringify(value, undefined, unit);
}

function indent(json: string, { unit, eol }: Style, depth: number): string {
  return json.replaceAll('\n', `${eol}${unit.repeat(depth)}`);
}
