import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'spec-hooks-tests-'));

chmodSync(folder, 0o1777); // As the one it stands in: some tests act as another user of the machine.

/** Gives all tests of a run one folder for temporary files. */
export function setup(): void {
  process.env.TMPDIR = folder;
}

/** Removes it with whatever tests left there. */
export function teardown(): void {
  rmSync(folder, { recursive: true, force: true });
}
