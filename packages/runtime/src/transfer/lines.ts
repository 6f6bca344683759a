import { RunError } from '@spec/hooks';
import { checkLine } from './checks.ts';
import { format, type Line, version } from './format.ts';

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
export async function* linesOf(text: AsyncIterable<string> | Iterable<string>): AsyncGenerator<NumberedLine> {
  let number = 0;
  let ended = false;
  for await (const one of splitLines(text)) {
    number += 1;
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
async function* splitLines(text: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string> {
  let begun: string[] = [];
  for await (const piece of text) {
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
