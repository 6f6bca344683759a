import type { Readable } from 'node:stream';

/** The bytes that are kept of each of a command's two outputs. */
const OUTPUT_BYTES = 1024 * 1024;

export interface CollectedOutput {
  bytes(): Uint8Array;
}

/** Keeps what a command writes; past the limit it reads no more and calls `tooMuch` once. */
export function collectOutput(stream: Readable, tooMuch: () => void): CollectedOutput {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    const room = OUTPUT_BYTES - size;
    if (chunk.length <= room) {
      chunks.push(chunk);
      size += chunk.length;
      return;
    }
    chunks.push(chunk.subarray(0, room));
    size = OUTPUT_BYTES;
    stream.destroy();
    tooMuch();
  });
  // A pipe that breaks has ended.
  stream.on('error', () => {});
  return { bytes: () => (chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)) };
}
