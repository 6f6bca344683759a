import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createInterface, type Interface } from 'node:readline';
import type { Readable } from 'node:stream';
import { type Entry, lineReader, parse } from './read-lines.ts';

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
      return readEntries(lines, { name, onBytes: (count) => (bytes += count) });
    },
    close: () => {
      lines?.close();
      stream.destroy();
    },
  };
}

/**
 * Conversations a line, lines of session files, or one JSON document over many lines (an array of conversations or of messages, or a
 * single conversation). What sessions hold comes last: only the whole file tells where their branches end.
 */
async function* readEntries(
  lines: Interface,
  { name, onBytes }: { readonly name: string; readonly onBytes: (count: number) => void },
): AsyncGenerator<Entry> {
  let number = 0;
  const document: string[] = [];
  const reader = lineReader(name);
  for await (const line of lines) {
    number++;
    onBytes(Buffer.byteLength(line) + 1);
    const text = number === 1 ? line.replace(/^\uFEFF/, '') : line;
    if (document.length > 0) document.push(text);
    else if (text.trim() === '') continue;
    else if (startsDocument(text)) document.push(text);
    else yield* reader.entriesOf(text, number);
  }
  if (document.length > 0) yield* reader.entriesOfDocument(document.join('\n'));
  yield* reader.sessions();
}

/** A line that opens an array, or an object that goes on in the next line. */
function startsDocument(line: string): boolean {
  const text = line.trim();
  return text === '{' || (text.startsWith('[') && 'problem' in parse(text));
}
