import { randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import { addAbortSignal, type Readable } from 'node:stream';
import { RunError } from '@spec/hooks';
import { importThread } from '@spec/runtime';
import { exitCodes } from '../exit-codes.ts';
import { interruptSignal } from '../interrupt.ts';
import { type Progress, withProgress } from '../progress.ts';
import { notAFile, unreadable } from '../read-text.ts';
import { formatCount } from '../table.ts';
import { type StoreFlags, withStore } from './open-store.ts';

/** Stores an exported thread. Gives the exit code. */
export async function importFrom(file: string, flags: StoreFlags): Promise<number> {
  const { stream, total } = file === '-' ? { stream: process.stdin, total: undefined } : await opened(file);
  const name = file === '-' ? 'standard input' : file;
  const label = `Importing ${name}`;
  const work = { label, total, isWanted: flags.json !== true };
  const signal = interruptSignal('Undoing the import');
  addAbortSignal(signal, stream);
  const result = await withStore(
    flags,
    async ({ store, db }) =>
      withProgress(work, async (progress) => ({
        thread: await importThread(store, told(stream, progress), { owner: randomUUID() }),
        db,
      })),
    'make',
  ).catch((error: unknown) => {
    if (!signal.aborted) throw withName(error, name);
  });
  if (result === undefined) return exitCodes.interrupted;
  const text = `${result.thread} is in ${result.db}.`;
  process.stdout.write(`${flags.json ? JSON.stringify(result, undefined, 2) : text}\n`);
  return exitCodes.fine;
}

/** What is wrong in an export is told with its line; of which file that is, only we know. */
function withName(error: unknown, name: string): unknown {
  if (!(error instanceof RunError) || !/^import\b/.test(error.message)) return error;
  return new RunError(error.code, error.message.replace(/^import/, `import of ${name}`));
}

async function* told(stream: AsyncIterable<Uint8Array>, { update }: Progress): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of stream) {
    yield piece;
    bytes += piece.length;
    update(bytes, `${formatCount(bytes)} bytes`);
  }
}

interface Opened {
  readonly stream: Readable;
  /** Bytes. */
  readonly total: number | undefined;
}

const REMEDY = 'give the file of an export, or - for standard input';

/** Opened before the store is, so that no store is made for a file that is not there. */
async function opened(file: string): Promise<Opened> {
  try {
    const handle = await open(file);
    const found = await handle.stat();
    if (!found.isDirectory())
      return { stream: handle.createReadStream(), total: found.isFile() ? found.size : undefined };
    await handle.close();
  } catch (error) {
    throw unreadable(file, error, REMEDY);
  }
  throw notAFile(file, REMEDY);
}
