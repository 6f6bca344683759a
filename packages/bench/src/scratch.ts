import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** On the disk that the checkout is on: a temporary folder of the system may be in memory, where a sync costs nothing. */
const place = join(import.meta.dirname, '../node_modules/.cache');

/** Runs something with an empty folder of its own on disk, which is gone afterwards. */
export async function inFolder<T>(run: (folder: string) => Promise<T>): Promise<T> {
  mkdirSync(place, { recursive: true });
  const folder = mkdtempSync(join(place, 'bench-'));
  try {
    return await run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
