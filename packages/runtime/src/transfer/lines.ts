import { RunError } from '@spec/hooks';
import { checkLine } from './checks.ts';
import { format, type Line, version } from './format.ts';

/** The text of an export, whole or in pieces; bytes are UTF-8. */
export type ExportText =
  | string
  | Uint8Array
  | AsyncIterable<string | Uint8Array>
  | Iterable<string | Uint8Array>;

/** A line with its number, from 1. */
export interface NumberedLine {
  readonly number: number;
  readonly line: Line;
}

/** The error of a line that cannot be imported; says what is wrong, not what is in it. */
export function badLine(number: number, problem: string): RunError {
  return new RunError('invalid_input', `import, line ${number}: ${problem}; nothing was imported`);
}

/**
 * The checked lines of an export between its first and its last.
 * @throws RunError `invalid_input` with the number of the line, also where the export was cut short.
 */
export async function* readLines(text: ExportText): AsyncGenerator<NumberedLine> {
  let number = 0;
  let ended = false;
  for await (const one of splitLines(text)) {
    number += 1;
    if (ended && one.trim() === '') continue;
    if (ended) throw badLine(number, 'there is something after the end of the export');
    const parsed = parse(one, number);
    if (number === 1) checkHeader(parsed);
    else {
      const line = checkLine(parsed);
      if (typeof line === 'string') throw badLine(number, line);
      if (!('end' in line)) yield { number, line };
      else if (line.end === number) ended = true;
      else throw badLine(number, `the export has ${line.end} lines; some are missing or were added`);
    }
  }
  if (!ended) throw badLine(number + 1, 'the export is cut short here');
}

/** Lines without their ends, from pieces of any length; a last one without its end counts too. */
async function* splitLines(text: ExportText): AsyncGenerator<string> {
  let begun: string[] = [];
  for await (const piece of decoded(text)) {
    const [end = '', ...others] = piece.split('\n');
    begun.push(end);
    if (others.length === 0) continue;
    yield begun.join('');
    begun = [others.pop() ?? ''];
    yield* others;
  }
  const last = begun.join('');
  if (last !== '') yield last;
}

/** The pieces as texts, without a byte order mark; a character may be cut in two by the end of a piece. */
async function* decoded(text: ExportText): AsyncGenerator<string> {
  refuseOther(text);
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let isFirst = true;
  const isWhole = typeof text === 'string' || text instanceof Uint8Array;
  for await (const piece of isWhole ? [text] : text) {
    const characters =
      typeof piece === 'string' ? piece : decode(() => decoder.decode(piece, { stream: true }));
    if (characters === '') continue;
    yield isFirst ? characters.replace(/^\ufeff/, '') : characters;
    isFirst = false;
  }
  decode(() => decoder.decode());
}

/** @throws {RunError} `invalid_input` */
function refuseOther(text: unknown): void {
  if (typeof text === 'string') return;
  const pieces = (typeof text === 'object' ? (text ?? {}) : {}) as Partial<
    Iterable<unknown> & AsyncIterable<unknown>
  >;
  if (typeof (pieces[Symbol.asyncIterator] ?? pieces[Symbol.iterator]) === 'function') return;
  throw new RunError('invalid_input', 'An export must be a text, bytes, or the pieces of one.');
}

function decode(read: () => string): string {
  try {
    return read();
  } catch {
    throw new RunError(
      'invalid_input',
      'import: the export is not UTF-8 text, given as strings or Uint8Arrays; nothing was imported',
    );
  }
}

function parse(text: string, number: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badLine(number, 'it is not valid JSON');
  }
}

function checkHeader(header: unknown): void {
  const { format: named, version: written } = (header ?? {}) as Record<string, unknown>;
  if (named !== format) throw badLine(1, 'this is not an export of a thread');
  if (written === version) return;
  throw badLine(1, `it is of version ${Number(written)}, this one reads ${version}; update @spec/runtime`);
}
