import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DefinitionError } from '@spec/hooks';
import { exportThread } from '@spec/runtime';
import { exitCodes } from '../exit-codes.ts';
import { type Progress, withProgress } from '../progress.ts';
import { countOf } from '../table.ts';
import { type StoreFlags, withStore } from './open-store.ts';

/** The options of `spec-hooks export`, as they were typed. */
export interface ExportFlags extends StoreFlags {
  readonly output?: string;
}

/** Writes a thread to a new file, or to standard output. Gives the exit code. */
export async function exportTo(thread: string, { output, ...flags }: ExportFlags): Promise<number> {
  await withStore(flags, async ({ store }) => {
    const lines = exportThread(store, thread);
    const isShown = output === undefined ? !process.stdout.isTTY : flags.json !== true;
    const work = { label: `Exporting ${thread}`, isWanted: isShown };
    if (output === undefined)
      return withProgress(work, (progress) =>
        pipeline(Readable.from(told(lines, progress)), process.stdout, { end: false }),
      );
    const counts = await withProgress(work, (progress) => writeNew(output, told(lines, progress)));
    const result = { thread, file: output, ...counts };
    const text = `${thread} is in ${output}: ${countOf(counts.lines, 'line')}, ${countOf(counts.bytes, 'byte')}.`;
    process.stdout.write(`${flags.json ? JSON.stringify(result, undefined, 2) : text}\n`);
  });
  return exitCodes.fine;
}

async function* told(lines: AsyncIterable<string>, { update }: Progress): AsyncGenerator<string> {
  let count = 0;
  for await (const line of lines) {
    update(0, countOf(++count, 'line'));
    yield line;
  }
}

/** Half an export is none: where it fails, no file is left. */
async function writeNew(
  file: string,
  lines: AsyncIterable<string>,
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
    await pipeline(counted(), target);
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
  return counts;
}
