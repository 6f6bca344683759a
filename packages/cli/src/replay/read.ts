import { constants, createReadStream, existsSync, type Stats } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { basename, normalize, resolve } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { Readable } from 'node:stream';
import { DefinitionError } from '@spec/hooks';
import { notAFile, unreadable } from '../read-text.ts';
import { parse } from './formats/parse-json.ts';
import { type Entry, lineReader } from './read-lines.ts';

export interface Input {
  readonly name: string;
  /** Bytes; `undefined` where it cannot be known. */
  readonly size: number | undefined;
  bytesRead(): number;
  entries(): AsyncGenerator<Entry>;
  /** Ends the reading: nothing more comes, also from a standard input that is still open. */
  close(): void;
}

/**
 * Looks at files of conversations, or standard input for `-`, before any is read. A file that is named twice is one input.
 *
 * @throws {DefinitionError} `bad_option`, with one sentence where one of them cannot be read
 */
export async function openInputs(paths: readonly string[]): Promise<readonly Input[]> {
  const targets = await Promise.all(paths.map(realPath));
  const files = paths.filter((_, i) => targets.indexOf(targets[i] as string) === i);
  const inputs: Input[] = [];
  for (const path of files) {
    const isAlone = files.every((other) => other === path || basename(other) !== basename(path));
    const size = path === '-' ? undefined : await measureFile(path);
    const name = path === '-' ? 'standard input' : path;
    inputs.push(
      makeInput({
        name,
        size,
        prefix: isAlone ? basename(name) : normalize(name),
        open: () => openStream(path),
      }),
    );
  }
  return inputs;
}

/** The same for all names of one file. */
async function realPath(path: string): Promise<string> {
  return path === '-' ? path : realpath(path).catch(() => resolve(path));
}

const REMEDY = 'give files of conversations, or - for standard input';

/** The size of a file in bytes, where it can be known. */
async function measureFile(path: string): Promise<number | undefined> {
  const found = await readStat(path).catch((error: unknown) => {
    throw isSessionFolder(path) ? noSessions(path) : unreadable(path, error, REMEDY);
  });
  if (found.isDirectory()) throw notAFile(path, REMEDY);
  return found.isFile() ? found.size : undefined;
}

/** Where Claude Code keeps its sessions: the first thing that somebody tries, with or without Claude Code. */
function isSessionFolder(path: string): boolean {
  return /(^|[\\/])\.claude[\\/]projects[\\/]?$/.test(path) && !existsSync(path);
}

function noSessions(path: string): DefinitionError {
  const message = `There is no folder ${path}, so Claude Code has left no sessions there: name another folder or files of conversations, or none to see a support agent with hooks.`;
  return new DefinitionError('bad_option', message);
}

async function readStat(path: string): Promise<Stats> {
  await access(path, constants.R_OK);
  return stat(path);
}

function openStream(path: string): Readable {
  return path === '-' ? process.stdin : createReadStream(path);
}

interface InputSource extends Pick<Input, 'name' | 'size'> {
  /** Begins the ids of conversations that have none. */
  readonly prefix: string;
  open(): Readable;
}

function makeInput({ name, size, prefix, open }: InputSource): Input {
  let bytes = 0;
  let isClosed = false;
  let close = (): void => {};
  return {
    name,
    size,
    bytesRead: () => bytes,
    async *entries() {
      if (isClosed) return;
      const stream = open();
      const lines = createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY });
      close = () => {
        lines.close();
        stream.destroy();
      };
      let failure: string | undefined;
      stream.once('error', ({ code }: NodeJS.ErrnoException) => {
        failure = code ?? 'unknown';
        lines.close();
      });
      yield* readEntries(lines, { name, prefix, onBytes: (count) => (bytes += count) });
      if (failure !== undefined) yield { place: 'its end', problem: `it cannot be read (${failure})` };
    },
    close: () => {
      isClosed = true;
      close();
    },
  };
}

/**
 * Conversations a line, lines of session files, or one JSON document over many lines (an array of conversations or of messages, or a
 * single conversation). What sessions hold comes last: only the whole file tells where their branches end.
 */
async function* readEntries(
  lines: Interface,
  { name, prefix, onBytes }: Pick<InputSource, 'name' | 'prefix'> & { onBytes(count: number): void },
): AsyncGenerator<Entry> {
  let number = 0;
  const document: string[] = [];
  const reader = lineReader(name, prefix);
  for await (const line of lines) {
    number++;
    onBytes(Buffer.byteLength(line) + 1);
    const text = number === 1 ? line.replace(/^\uFEFF/, '') : line;
    if (document.length > 0) document.push(text);
    else if (isNoText(text)) {
      yield { place: `line ${number}`, problem: NO_TEXT };
      break;
    } else if (text.trim() === '') continue;
    else if (startsDocument(text)) document.push(text);
    else yield* reader.readLineEntries(text, number);
  }
  if (document.length > 0) yield* reader.readDocumentEntries(document.join('\n'));
  yield* reader.sessions();
}

const NO_TEXT = 'this is no text in UTF-8, and nothing of it is read from here on';

/** Bytes that are no UTF-8 are read as U+FFFD, which JSON may hold, too. */
function isNoText(line: string): boolean {
  return /[\0\uFFFD]/.test(line) && 'problem' in parse(line);
}

/** A line that opens an array, or an object that goes on in the next line. */
function startsDocument(line: string): boolean {
  const text = line.trim();
  return text === '{' || (text.startsWith('[') && 'problem' in parse(text));
}
