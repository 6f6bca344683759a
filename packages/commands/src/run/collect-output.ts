import type { Readable } from 'node:stream';
import { mentionsAnswer } from './hidden-answer.ts';

/** The most bytes kept of each of a command's two outputs. */
const OUTPUT_BYTES = 1024 * 1024;

/** Bytes past the limit that are read at once, and the milliseconds until the next ones: a flood must not keep the host busy. */
const DROPPED_BYTES = 1024 * 1024;
const REST_MS = 10;

/** Characters that are looked at again with what follows: an answer's word may stand across two pieces. */
const SEAM = 200;

/** What is missing of an output. */
export interface Cut {
  /** Whether what was dropped has a word of an answer. */
  readonly mentionsAnswer: boolean;
}

export interface CollectedOutput {
  bytes(): Uint8Array;
  /** Where more was written than was kept, or the output is still open: what is known of the rest. */
  cut(): Cut | undefined;
}

/**
 * Keeps what a command writes, up to the limit. The rest is read and dropped, so a command that writes much can end normally:
 * its exit code is its answer and must not depend on the text it quotes.
 */
export function collectOutput(stream: Readable, onFirstLine?: (line: string) => void): CollectedOutput {
  let hear = onFirstLine;
  const chunks: Buffer[] = [];
  let size = 0;
  let dropped: Dropped | undefined;
  let untilRest = DROPPED_BYTES;
  stream.on('data', (chunk: Buffer) => {
    const kept = chunk.subarray(0, OUTPUT_BYTES - size);
    if (kept.length > 0) chunks.push(kept);
    size += kept.length;
    const line = hear && findFirstLine(chunks);
    if (line !== undefined) {
      hear?.(line);
      hear = undefined;
    }
    if (kept.length === chunk.length) return;
    dropped = drop(chunk.subarray(kept.length), dropped);
    untilRest -= chunk.length;
    if (untilRest > 0) return;
    untilRest = DROPPED_BYTES;
    stream.pause();
    setTimeout(() => stream.resume(), REST_MS);
  });
  // A pipe that breaks has ended.
  stream.on('error', () => {});
  return {
    bytes: () => (chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)),
    cut() {
      if (dropped !== undefined) return { mentionsAnswer: dropped.mentionsAnswer };
      return stream.readableEnded ? undefined : { mentionsAnswer: false };
    },
  };
}

/** Bytes in which a first line is looked for. */
const LINE_BYTES = 4_096;

/** Finds the first line that is not blank, once it is whole; an empty line if it is too long. */
function findFirstLine(chunks: readonly Buffer[]): string | undefined {
  const text = Buffer.concat(chunks).subarray(0, LINE_BYTES).toString().trimStart();
  const end = text.indexOf('\n');
  if (end >= 0) return text.slice(0, end);
  return Buffer.concat(chunks).length >= LINE_BYTES ? '' : undefined;
}

interface Dropped extends Cut {
  readonly seam: string;
}

function drop(chunk: Buffer, before: Dropped | undefined): Dropped {
  const text = (before?.seam ?? '') + chunk.toString('latin1');
  return {
    mentionsAnswer: before?.mentionsAnswer || mentionsAnswer(text),
    seam: text.slice(-SEAM),
  };
}
