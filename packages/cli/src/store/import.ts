import { randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import { DefinitionError } from '@spec/hooks';
import { importThread } from '@spec/runtime';
import { exitCodes } from '../exit-codes.ts';
import { type StoreFlags, withStore } from './open-store.ts';

/** Stores an exported thread. Gives the exit code. */
export async function importFrom(file: string, flags: StoreFlags): Promise<number> {
  const source = file === '-' ? process.stdin : await streamOf(file);
  const result = await withStore(
    flags,
    async ({ store, db }) => ({ thread: await importThread(store, source, { owner: randomUUID() }), db }),
    true,
  );
  const text = `${result.thread} is in ${result.db}.`;
  process.stdout.write(`${flags.json ? JSON.stringify(result, undefined, 2) : text}\n`);
  return exitCodes.fine;
}

/** Opened before the store is, so that no store is made for a file that is not there. */
async function streamOf(file: string): Promise<AsyncIterable<Uint8Array>> {
  try {
    const handle = await open(file);
    if ((await handle.stat()).isFile()) return handle.createReadStream();
    await handle.close();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new DefinitionError('bad_option', `The export ${file} cannot be read (${code}).`);
  }
  throw new DefinitionError('bad_option', `The export ${file} is no file.`);
}
