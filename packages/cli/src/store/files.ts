import { stat } from 'node:fs/promises';
import { exitCodes } from '../exit-codes.ts';
import { withProgress } from '../progress.ts';
import { formatCount, writeCount } from '../table.ts';
import { type StoreFlags, withStoreFile } from './open-store.ts';
import type { PostgresPlace } from './postgres.ts';

/** Copies a store to a new file. Gives the exit code. */
export async function backup(file: string, flags: StoreFlags): Promise<number> {
  const db = await withStoreFile(flags, dumpInstead, async ({ store, db: source }) => {
    const label = `Copying ${source} (${writeCount(await measureFile(source), 'byte')}) to ${file}`;
    await withProgress({ label, isWanted: flags.json !== true }, () => store.backup(file));
    return source;
  });
  const bytes = await measureFile(file);
  const text = `${file} is a copy of ${db}: ${writeCount(bytes, 'byte')}.`;
  process.stdout.write(`${flags.json ? JSON.stringify({ db, file, bytes }, undefined, 2) : text}\n`);
  return exitCodes.fine;
}

/** Writes the file of a store anew. Gives the exit code. */
export async function vacuum(flags: StoreFlags): Promise<number> {
  const { db, bytesBefore } = await withStoreFile(flags, nothingInstead, async ({ store, db: source }) => {
    const before = await measureFile(source);
    const label = `Writing ${source} (${writeCount(before, 'byte')}) anew`;
    await withProgress({ label, isWanted: flags.json !== true, blocksEventLoop: true }, () => store.vacuum());
    return { db: source, bytesBefore: before };
  });
  const bytesAfter = await measureFile(db);
  const text = `${db}: ${writeCount(bytesBefore, 'byte')} before, ${formatCount(bytesAfter)} now.`;
  process.stdout.write(
    `${flags.json ? JSON.stringify({ db, bytesBefore, bytesAfter }, undefined, 2) : text}\n`,
  );
  return exitCodes.fine;
}

function dumpInstead({ schema = 'spec_hooks' }: PostgresPlace): string {
  return `copy it with pg_dump -Fc -n ${schema}, or one thread with spec-hooks export`;
}

function nothingInstead(): string {
  return 'PostgreSQL makes room by itself (autovacuum)';
}

async function measureFile(file: string): Promise<number> {
  return (await stat(file)).size;
}
