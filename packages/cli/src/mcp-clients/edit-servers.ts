import { isDeepStrictEqual } from 'node:util';
import { DefinitionError, isRecord } from '@spec/hooks';
import { findNodeAtLocation, type ParseError, parse, parseTree } from 'jsonc-parser';
import { replaceItem } from '../agents/edit-json.ts';
import type { McpClient } from './clients.ts';
import { editTable, parseToml } from './edit-toml.ts';
import { isWrapped, type WrapPlace, wrapEntry } from './wrapped.ts';

/** An entry of a client's configuration that was rewritten: as it was, and as it is. */
export interface Rewritten {
  readonly name: string;
  readonly original: string;
  readonly written: string;
}

/** What became of a configuration. */
export interface Edit {
  readonly text: string;
  readonly rewritten: readonly Rewritten[];
  /** Names of entries that stay as they are: no process and no address, or a form that is not edited. */
  readonly left: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

/** Leads all servers of a configuration through the gateway. Every byte beside them stays as it is. */
export function wrapServers(text: string, client: McpClient, place: WrapPlace): Edit {
  let edit: Edit = { text, rewritten: [], left: [] };
  for (const [name, entry] of Object.entries(readServers(text, client))) {
    if (isWrapped(entry)) continue;
    const wrapped = isRecord(entry) ? wrapEntry(name, entry, place) : undefined;
    const next =
      wrapped === undefined
        ? undefined
        : putEntry(edit.text, client, { name, entry: entry as Fields, wrapped });
    if (next === undefined) edit = { ...edit, left: [...edit.left, name] };
    else edit = { ...edit, text: next.text, rewritten: [...edit.rewritten, next.rewritten] };
  }
  return edit;
}

/** The servers of a configuration. @throws {DefinitionError} `bad_option` if it has another form */
export function readServers(text: string, { format, field, title }: McpClient): Fields {
  const plain = text.replace(/^\uFEFF/, '');
  const content = format === 'toml' ? parseToml(plain) : parseJson(plain);
  const servers = isRecord(content) ? (content[field] ?? {}) : undefined;
  if (isRecord(servers)) return servers;
  throw new DefinitionError(
    'bad_option',
    `The configuration of ${title} is not changed: it is not ${format.toUpperCase()}, or its "${field}" is not an object of servers by name. Mend it first.`,
  );
}

/** With comments, as clients read it; `undefined`: it is no JSON. */
function parseJson(text: string): unknown {
  const errors: ParseError[] = [];
  const content: unknown = parse(text, errors, { allowTrailingComma: true });
  return errors.length === 0 ? content : undefined;
}

interface Put {
  readonly name: string;
  readonly entry: Fields;
  readonly wrapped: Fields;
}

function putEntry(
  text: string,
  client: McpClient,
  { name, entry, wrapped }: Put,
): { readonly text: string; readonly rewritten: Rewritten } | undefined {
  return client.format === 'toml'
    ? putTable(text, client, { name, entry, wrapped })
    : putJson(text, client, { name, entry, wrapped });
}

function putJson(given: string, { field }: McpClient, { name, wrapped }: Put): ReturnType<typeof putEntry> {
  const mark = given.startsWith('\uFEFF') ? '\uFEFF' : '';
  const text = given.slice(mark.length);
  const original = findText(text, [field, name]);
  const changed = replaceItem(text, [field, name], wrapped);
  const written = findText(changed, [field, name]);
  if (original === undefined || written === undefined) return undefined;
  return { text: mark + changed, rewritten: { name, original, written } };
}

function putTable(
  text: string,
  { field }: McpClient,
  { name, entry, wrapped }: Put,
): ReturnType<typeof putEntry> {
  const cut = Object.keys(entry).filter((key) => !(key in wrapped));
  const changed = Object.entries(wrapped).filter(([key, value]) => !isDeepStrictEqual(entry[key], value));
  const piece = editTable(text, [field, name], { set: Object.fromEntries(changed), cut });
  if (piece === undefined) return undefined;
  const next = text.slice(0, piece.start) + piece.text + text.slice(piece.end);
  if (!isSameBut(text, next, { field, name, wrapped })) return undefined;
  const head = text.lastIndexOf('[', piece.start);
  const rewritten = {
    name,
    original: text.slice(head, piece.end),
    written: text.slice(head, piece.start) + piece.text,
  };
  return { text: next, rewritten };
}

/** Whether an edit of a TOML text has done what it should, and nothing else. */
function isSameBut(
  text: string,
  next: string,
  { field, name, wrapped }: { readonly field: string; readonly name: string; readonly wrapped: Fields },
): boolean {
  const before = parseToml(text);
  const servers = before?.[field];
  if (before === undefined || !isRecord(servers)) return false;
  return isSameContent(parseToml(next), { ...before, [field]: { ...servers, [name]: wrapped } });
}

function isSameContent(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(JSON.parse(JSON.stringify(a ?? null)), JSON.parse(JSON.stringify(b ?? null)));
}

/** Puts entries back as they were, byte for byte. One that was changed since is left, and named. */
export function unwrapServers(text: string, client: McpClient, entries: readonly Rewritten[]): Edit {
  let edit: Edit = { text, rewritten: [], left: [] };
  for (const entry of entries) {
    const next = putBack(edit.text, client, entry);
    if (next === undefined) edit = { ...edit, left: [...edit.left, entry.name] };
    else edit = { ...edit, text: next, rewritten: [...edit.rewritten, entry] };
  }
  return edit;
}

function putBack(
  text: string,
  { format, field }: McpClient,
  { name, original, written }: Rewritten,
): string | undefined {
  if (format === 'toml') {
    const at = text.indexOf(written);
    return at === -1 ? undefined : text.slice(0, at) + original + text.slice(at + written.length);
  }
  const mark = text.startsWith('\uFEFF') ? 1 : 0;
  const node = findNode(text.slice(mark), [field, name]);
  if (node === undefined) return undefined;
  const now = text.slice(mark + node.offset, mark + node.offset + node.length);
  if (!isSameContent(parse(now), parse(written))) return undefined;
  return text.slice(0, mark + node.offset) + original + text.slice(mark + node.offset + node.length);
}

function findText(text: string, path: string[]): string | undefined {
  const node = findNode(text, path);
  return node === undefined ? undefined : text.slice(node.offset, node.offset + node.length);
}

function findNode(
  text: string,
  path: string[],
): { readonly offset: number; readonly length: number } | undefined {
  const tree = parseTree(text, [], { allowTrailingComma: true });
  return tree && findNodeAtLocation(tree, path);
}
