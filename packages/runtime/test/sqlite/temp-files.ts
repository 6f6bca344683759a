import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

let made = 0;

/** Makes a folder for the tests of a file, which goes when they are done; gives the paths of new files in it. */
export function tempFiles(): () => string {
  const folder = mkdtempSync(join(tmpdir(), 'spec-store-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return () => join(folder, `store-${++made}.db`);
}
