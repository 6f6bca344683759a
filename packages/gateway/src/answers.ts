import type { Result } from '@modelcontextprotocol/sdk/types.js';
import { type HookToolResult, isRecord } from '@spec/hooks';
import {
  joinParts,
  listFiles,
  type Part,
  readBlock,
  readContent,
  rebuildParts,
  splitParts,
} from './parts.ts';
import { makeError } from './peer.ts';

/** What a server answered: as hooks see it, and as the client gets it when they have changed it. */
export interface Answer {
  readonly seen: HookToolResult;
  /** As it came. @throws the error that the server answered */
  readonly give: () => Result;
  /** As hooks have changed it. @throws an error for the client, if it cannot be given what hooks made of the answer */
  readonly rebuild: (changed: HookToolResult) => Result;
}

/** A code of JSON-RPC for what a gateway refuses. */
export const REFUSED = -32_000;

const LOST_LINES =
  'A hook changed this result so that its parts cannot be told apart any more, and it is withheld.';

/** The result of a tool. `undefined`: it is none. @param hasSchema whether the tool promises structured content */
export function readToolResult(raw: Result, hasSchema: boolean): Answer | undefined {
  const { content = [], structuredContent, toolResult, isError } = raw;
  if (!Array.isArray(content) || !content.every(isRecord)) return undefined;
  const blocks = content.map(readBlock);
  const data = structuredContent === undefined ? [] : [readStructure(structuredContent)];
  const older = toolResult === undefined ? [] : [readOlder(toolResult)];
  const isSaidTwice =
    blocks.length === 1 && data.length === 1 && isSameJson(blocks[0]?.text, structuredContent);
  const parts = [...blocks, ...older, ...(isSaidTwice ? [] : data)];
  const rebuild = (changed: HookToolResult): Result => {
    const texts = splitParts(readText(changed), parts.length);
    if (texts === undefined) return makeToolResult({ status: 'error', error: LOST_LINES }, hasSchema);
    const content = rebuildParts([...blocks, ...older], texts, changed.attachments);
    const result = writeOlder({ ...raw, content, isError: changed.status === 'error' }, older);
    return data.length === 0 ? result : withStructure(result, texts.at(-1) ?? '', hasSchema);
  };
  const text = joinParts(parts);
  const status = isError === true ? 'error' : 'success';
  const said = isError === true ? { error: text || 'The tool failed.' } : { result: text };
  return { give: () => raw, seen: { status, ...said, ...listFiles(blocks) }, rebuild };
}

/** What MCP had in the place of `content` before November 2024, and clients take still. It is a block here whose place is not among the others. */
function readOlder(value: unknown): Part {
  const text = JSON.stringify(value);
  return { text, block: { toolResult: value }, write: (changed) => ({ type: 'text', text: changed }) };
}

/** An older result stays where it was, unless hooks have changed it: then it is a text. */
function writeOlder(result: Result & { content: unknown[] }, [older]: readonly Part[]): Result {
  if (older === undefined) return result;
  const { toolResult: _, ...rest } = result;
  const last = rest.content.at(-1);
  return last === older.block ? { ...result, content: rest.content.slice(0, -1) } : rest;
}

function readStructure(value: unknown): Part {
  return { text: JSON.stringify(value), block: {}, write: () => ({}) };
}

/** JSON can write a letter or a number in several ways, and hooks look for one of them: only spaces may differ. */
function isSameJson(text: string | undefined, value: unknown): boolean {
  try {
    JSON.parse(text ?? '');
  } catch {
    return false;
  }
  return text?.replace(SPACES_BETWEEN, '$1') === JSON.stringify(value);
}

/** What may stand between the signs of JSON, or a text in it. */
const SPACES_BETWEEN = /("(?:[^"\\]|\\.)*")|[ \t\r\n]+/g;

function readText({ result, error }: HookToolResult): string {
  return error ?? result ?? '';
}

/** A result that a hook gives, or that is given in the place of one. */
export function makeToolResult(result: HookToolResult, hasSchema: boolean): Result {
  const text = readText(result);
  const made = { content: [{ type: 'text', text }], isError: result.status === 'error' };
  return hasSchema && !made.isError ? withStructure(made, text, hasSchema) : made;
}

/** Clients refuse a result without the structure that its tool has promised, unless it is an error. */
function withStructure(result: Result, json: string, hasSchema: boolean): Result {
  const { structuredContent: _, ...rest } = result;
  try {
    const structuredContent: unknown = JSON.parse(json);
    if (isRecord(structuredContent)) return { ...rest, structuredContent };
  } catch {
    // A hook has put a text in its place.
  }
  return hasSchema ? { ...rest, isError: true } : rest;
}

/** What a resource holds. */
export function readContents(raw: Result): Answer | undefined {
  const { contents } = raw;
  if (!Array.isArray(contents) || !contents.every(isRecord)) return undefined;
  const parts = contents.map(readContent);
  return readParts(raw, parts, (content) => ({ ...raw, contents: content }));
}

/** The messages of a prompt, and what it says of itself before them. */
export function readMessages(raw: Result): Answer | undefined {
  const { messages } = raw;
  if (!Array.isArray(messages) || !messages.every((one) => isRecord(one) && isRecord(one.content)))
    return undefined;
  if (raw.description !== undefined && typeof raw.description !== 'string') return undefined;
  const about = raw.description === undefined ? [] : [readDescription(raw.description)];
  const parts = messages.map(({ content }, at) => readBlock(content, at));
  return readParts(raw, [...about, ...parts], (blocks) => ({
    ...{ ...raw, ...Object.assign({}, ...blocks.slice(0, about.length)) },
    messages: blocks.slice(about.length).map((one, at) => ({ ...messages[at], content: one })),
  }));
}

function readDescription(text: string): Part {
  return { text, block: { description: text }, write: (description) => ({ description }) };
}

function readParts(
  raw: Result,
  parts: readonly Part[],
  write: (blocks: readonly Readonly<Record<string, unknown>>[]) => Result,
): Answer {
  const seen: HookToolResult = { status: 'success', result: joinParts(parts), ...listFiles(parts) };
  const rebuild = (changed: HookToolResult): Result => {
    if (changed.status === 'error') throw makeError(REFUSED, readText(changed));
    const texts = splitParts(readText(changed), parts.length);
    if (texts === undefined) throw makeError(REFUSED, LOST_LINES);
    return write(rebuildParts(parts, texts, changed.attachments));
  };
  return { give: () => raw, seen, rebuild };
}

/** An error that a server answered. Hooks see it as the failure of a call. */
export function readError(
  error: Error & { readonly code?: unknown; readonly data?: unknown },
  text: string,
): Answer {
  const { code, data } = error;
  const shown = data === undefined ? text : `${text}\n${JSON.stringify(data)}`;
  const number = typeof code === 'number' ? code : REFUSED;
  return {
    seen: { status: 'error', error: shown },
    give: () => {
      throw makeError(number, text, data);
    },
    rebuild: (changed) => {
      throw makeError(number, readText(changed));
    },
  };
}
