import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DefinitionError } from '@spec/hooks';
import { exportThread } from '@spec/runtime';
import { exitCodes } from '../exit-codes.ts';
import { interruptSignal } from '../interrupt.ts';
import { type Progress, withProgress } from '../progress.ts';
import { writeCount } from '../table.ts';
import { type StoreFlags, withStore } from './open-store.ts';

/** The options of `spec-hooks export`, as they were typed. */
export interface ExportFlags extends StoreFlags {
  readonly output?: string;
}

/** Writes a thread to a new file, or to standard output. Gives the exit code. */
export function exportTo(thread: string, { output, ...flags }: ExportFlags): Promise<number> {
  return withStore(flags, async ({ store }) => {
    const lines = exportThread(store, thread);
    return output === undefined ? print(thread, lines) : exportToFile(thread, lines, { ...flags, output });
  });
}

async function print(thread: string, lines: AsyncIterable<string>): Promise<number> {
  const work = { label: `Exporting ${thread}`, isWanted: !process.stdout.isTTY };
  await withProgress(work, (progress) =>
    pipeline(Readable.from(told(lines, progress)), process.stdout, { end: false }),
  );
  return exitCodes.fine;
}

async function exportToFile(
  thread: string,
  lines: AsyncIterable<string>,
  { output: file, json = false }: ExportFlags & { readonly output: string },
): Promise<number> {
  const signal = interruptSignal('Undoing the export');
  try {
    const counts = await withProgress({ label: `Exporting ${thread}`, isWanted: !json }, (progress) =>
      writeNew(file, told(lines, progress), signal),
    );
    const text = `${thread} is in ${file}: ${writeCount(counts.lines, 'line')}, ${writeCount(counts.bytes, 'byte')}.`;
    process.stdout.write(`${json ? JSON.stringify({ thread, file, ...counts }, undefined, 2) : text}\n`);
    return exitCodes.fine;
  } catch (error) {
    if (signal.aborted) return exitCodes.interrupted;
    throw error;
  }
}

async function* told(lines: AsyncIterable<string>, { update }: Progress): AsyncGenerator<string> {
  let count = 0;
  for await (const line of lines) {
    update(0, writeCount(++count, 'line'));
    yield line;
  }
}

/** Half an export is none: where it fails, no file is left. */
async function writeNew(
  file: string,
  lines: AsyncIterable<string>,
  signal: AbortSignal,
): Promise<{ lines: number; bytes: number }> {
  const counts = { lines: 0, bytes: 0 };
  async function* counted(): AsyncGenerator<string> {
    for await (const line of lines) {
      counts.lines++;
      counts.bytes += Buffer.byteLength(line);
      yield line;
    }
  }
  const target = createWriteStream(file, { flags: 'wx' });
  await new Promise((resolve, reject) => target.once('open', resolve).once('error', reject)).catch(
    (error: unknown) => {
      const { code } = error as NodeJS.ErrnoException;
      const why = code === 'EEXIST' ? 'is there already: name a new file' : `cannot be written (${code})`;
      throw new DefinitionError('bad_option', `${file} ${why}.`);
    },
  );
  try {
    await pipeline(counted(), target, { signal });
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
  return counts;
}
