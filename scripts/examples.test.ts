import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';

const examples = join(import.meta.dirname, '../examples');
const names = readdirSync(examples, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

const run = promisify(execFile);

describe('every example prints what its output.txt says', () => {
  test.concurrent.each(names)('%s', { timeout: 180_000 }, async (name) => {
    const cwd = join(examples, name);
    const { stdout } = await run(
      process.execPath,
      ['--conditions=@spec/source', '--import', 'tsx', 'src/main.ts'],
      { cwd },
    );
    expect(stdout).toBe(readFileSync(join(cwd, 'output.txt'), 'utf8'));
  });
});
