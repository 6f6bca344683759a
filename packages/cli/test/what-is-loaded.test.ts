import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { cliEnv, nodeArgs } from './run-cli.ts';

/** Tells each module that is loaded. */
const hook = `import { appendFileSync } from 'node:fs';
export function load(url, context, next) { appendFileSync(process.env.LOADED, url + '\\n'); return next(url, context); }`;

test('what all commands wait for knows no settings files, no schemas and no store', () => {
  const folder = mkdtempSync(join(tmpdir(), 'spec-hooks-loaded-'));
  const loaded = join(folder, 'loaded');
  writeFileSync(join(folder, 'hook.mjs'), hook);
  const hookUrl = JSON.stringify(pathToFileURL(join(folder, 'hook.mjs')).href);
  writeFileSync(
    join(folder, 'register.mjs'),
    `import { register } from 'node:module';\nregister(${hookUrl});`,
  );
  const args = ['--import', pathToFileURL(join(folder, 'register.mjs')).href, ...nodeArgs, '--help'];
  const { status } = spawnSync(process.execPath, args, { env: { ...cliEnv(), LOADED: loaded } });
  expect(status).toBe(0);
  const urls = readFileSync(loaded, 'utf8').split('\n');
  expect(urls.some((url) => /commander/.test(url))).toBe(true);
  const heavy =
    /\/packages\/(?:commands\/dist\/index|(?:runtime|inspector|agents|hooks)\/dist)|node_modules\/(?:zod|drizzle-orm|hono)\//;
  expect(urls.filter((url) => heavy.test(url))).toEqual([]);
});
