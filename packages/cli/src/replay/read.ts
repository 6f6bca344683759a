import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createInterface, type Interface } from 'node:readline';
import type { Readable } from 'node:stream';
import { type Conversation, toConversation } from './conversation.ts';

/** One conversation of an input, or what is wrong in its place. */
export type Entry =
  | { readonly place: string; readonly conversation: Conversation }
  | { readonly place: string; readonly problem: string };

export interface Input {
  readonly name: string;
  /** Bytes; `undefined` where it cannot be known. */
  readonly size: number | undefined;
  bytesRead(): number;
  entries(): AsyncGenerator<Entry>;
  /** Ends the reading: nothing more comes, also from a standard input that is still open. */
  close(): void;
}

/** Opens a file of conversations, or standard input for `-`. @throws {Error} with one sentence where it cannot be read */
export async function openInput(path: string): Promise<Input> {
  if (path === '-') return inputOf('standard input', undefined, process.stdin);
  const found = await stat(path).catch(() => undefined);
  if (found === undefined)
    throw new Error(`There is no file ${path}. Give a file of conversations, or - for standard input.`);
  if (found.isDirectory())
    throw new Error(`${path} is a folder. Give a file of conversations, or - for standard input.`);
  return inputOf(path, found.size, createReadStream(path));
}

function inputOf(name: string, size: number | undefined, stream: Readable): Input {
  let bytes = 0;
  let lines: Interface | undefined;
  return {
    name,
    size,
    bytesRead: () => bytes,
    entries() {
      // Made when the lines are read: those that come before somebody listens would be lost.
      lines = createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY });
      return readEntries(lines, (count) => (bytes += count));
    },
    close: () => {
      lines?.close();
      stream.destroy();
    },
  };
}

/**
 * Tells the form by the first line: one object a line, or one JSON document over many lines (an array of
 * conversations, or a single one).
 */
async function* readEntries(lines: Interface, onBytes: (count: number) => void): AsyncGenerator<Entry> {
  let number = 0;
  const document: string[] = [];
  for await (const line of lines) {
    number++;
    onBytes(Buffer.byteLength(line) + 1);
    const text = number === 1 ? line.replace(/^\uFEFF/, '') : line;
    if (document.length > 0) document.push(text);
    else if (text.trim() === '') continue;
    else if (startsDocument(text)) document.push(text);
    else yield entryOf(`line ${number}`, text);
  }
  if (document.length > 0) yield* entriesOfDocument(document.join('\n'));
}

/** A line that opens an array, or an object that goes on in the next line. */
function startsDocument(line: string): boolean {
  const text = line.trim();
  return text.startsWith('[') || text === '{';
}

function* entriesOfDocument(text: string): Generator<Entry> {
  const parsed = parse(text);
  if ('problem' in parsed) yield { place: 'the JSON document', problem: parsed.problem };
  else if (!Array.isArray(parsed.value)) yield toEntry('the JSON document', parsed.value);
  else for (const [i, value] of parsed.value.entries()) yield toEntry(`entry ${i + 1}`, value);
}

function entryOf(place: string, text: string): Entry {
  const parsed = parse(text);
  return 'problem' in parsed ? { place, problem: parsed.problem } : toEntry(place, parsed.value);
}

function toEntry(place: string, value: unknown): Entry {
  const conversation = toConversation(value);
  return 'problem' in conversation ? { place, problem: conversation.problem } : { place, conversation };
}

/** JSON.parse quotes its input in its messages; only the position is kept. */
function parse(text: string): { value: unknown } | { problem: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    const position = /position (\d+)/.exec((error as Error).message)?.[1];
    return {
      problem: `not valid JSON${position === undefined ? '' : `, at character ${Number(position) + 1}`}`,
    };
  }
}
