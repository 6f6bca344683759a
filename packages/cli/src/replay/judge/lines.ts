import { StringDecoder } from 'node:string_decoder';

/** One line of a stream; `text` is missing where it is longer than what is read at once. */
export interface Line {
  /** From 1. */
  readonly number: number;
  readonly text?: string;
}

/** A longer line is passed over, and told: in characters. */
const LONGEST_LINE = 33_554_432;

/** The lines of a stream, of which no more than one is held at a time. */
export async function* readLines(
  stream: AsyncIterable<Buffer>,
  { longest = LONGEST_LINE, onBytes }: { readonly longest?: number; onBytes(count: number): void },
): AsyncGenerator<Line> {
  const decoder = new StringDecoder('utf8');
  let [parts, length, number]: [string[], number, number] = [[], 0, 0];
  const end = (): Line => {
    number++;
    const line = length > longest ? { number } : { number, text: parts.join('').replace(/\r$/, '') };
    [parts, length] = [[], 0];
    return line;
  };
  const add = (piece: string): void => {
    length += piece.length;
    if (length > longest) parts = [];
    else parts.push(piece);
  };
  for await (const chunk of stream) {
    onBytes(chunk.length);
    const pieces = decoder.write(chunk).split('\n');
    const last = pieces.pop() ?? '';
    for (const piece of pieces) {
      add(piece);
      yield end();
    }
    add(last);
  }
  if (length > 0) yield end();
}
