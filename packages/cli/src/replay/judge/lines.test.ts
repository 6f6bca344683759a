import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readLines } from './lines.ts';

async function collectLines(chunks: readonly Buffer[], longest: number): Promise<unknown[]> {
  const lines: unknown[] = [];
  for await (const line of readLines(Readable.from(chunks) as AsyncIterable<Buffer>, {
    longest,
    onBytes: () => {},
  }))
    lines.push(line.text ?? line.number);
  return lines;
}

test('lines come whole, wherever the stream is cut; one that is too long is only numbered', async () => {
  const bytes = Buffer.from('é one\r\n\na line that is too long\nlast');
  const each = [...bytes].map((byte) => Buffer.from([byte]));
  expect(await collectLines(each, 10)).toEqual(['é one', '', 3, 'last']);
  expect(await collectLines([bytes], 10)).toEqual(['é one', '', 3, 'last']);
});
