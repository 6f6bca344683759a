import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createHookJudge } from './judged-hooks.ts';

const examples = join(import.meta.dirname, '../../examples');
/** These run until somebody ends them, and have a test of their own. */
const servers = ['run-cluster'];
const names = readdirSync(examples, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !servers.includes(entry.name))
  .map(({ name }) => name);

const execute = promisify(execFile);

/** Every day others; all of them in `npm run test:everything`. */
const day = process.env.SAMPLE_OF_DAY;
const run = names.filter((_, at) => day === undefined || at % 4 === Number(day) % 4);

describe('every example prints what its output.txt says, and its hooks are right', () => {
  test.concurrent.each(run)('%s', { timeout: 180_000 }, async (name) => {
    const cwd = join(examples, name);
    const { nodeArgs, env, read } = createHookJudge();
    const { stdout } = await execute(process.execPath, [...nodeArgs, '--import', 'tsx', 'src/main.ts'], {
      cwd,
      env: { ...process.env, ...env },
    });
    expect(read().problems).toEqual([]);
    expect(stdout).toBe(readFileSync(join(cwd, 'output.txt'), 'utf8'));
  });
});
