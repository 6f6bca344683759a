import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sqliteStore } from '@spec/runtime/sqlite';
import { expect, test } from 'vitest';
import { cliEnv, nodeArgs } from './run-cli.ts';

/** Tells each module that is loaded. */
const hook = `import { appendFileSync } from 'node:fs';
export function load(url, context, next) { appendFileSync(process.env.LOADED, url + '\\n'); return next(url, context); }`;

/** The same of a command that has to end well. */
function listLoaded(...args: string[]): readonly string[] {
  return listLoadedUntil(0, args);
}

/** The modules that a command loads until it ends with an exit code. */
function listLoadedUntil(code: number, args: readonly string[]): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'spec-hooks-loaded-'));
  const loaded = join(folder, 'loaded');
  writeFileSync(join(folder, 'hook.mjs'), hook);
  const hookUrl = JSON.stringify(pathToFileURL(join(folder, 'hook.mjs')).href);
  writeFileSync(
    join(folder, 'register.mjs'),
    `import { register } from 'node:module';\nregister(${hookUrl});`,
  );
  const started = ['--import', pathToFileURL(join(folder, 'register.mjs')).href, ...nodeArgs, ...args];
  const { status } = spawnSync(process.execPath, started, {
    cwd: folder,
    env: { ...cliEnv(), LOADED: loaded },
  });
  expect(status).toBe(code);
  return readFileSync(loaded, 'utf8').split('\n');
}

test('what all commands wait for knows no settings files, no schemas, no tables and no store', () => {
  const urls = listLoaded('--help');
  expect(urls.some((url) => /commander/.test(url))).toBe(true);
  const heavy =
    /\/packages\/(?:commands\/dist\/index|(?:runtime|inspector|agents|hooks)\/dist)|node_modules\/(?:zod|drizzle-orm|hono|cli-table3)\//;
  expect(urls.filter((url) => heavy.test(url))).toEqual([]);
});

test('what the link of the inspector waits for has no routes, compares no texts and runs no turns', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'spec-hooks-loaded-')), 'threads.db');
  const store = sqliteStore({ path });
  await store.createThread({
    ...{ id: 'order-7', createdAt: 1, agentId: 'support', userId: null, parentId: null, depth: 0 },
    ...{ currentSide: 'a', terminated: null, turn: null, compaction: null, metadata: {} },
  });
  await store.close();
  const urls = listLoaded('inspect', 'order-7', '--html', '--db', path);
  expect(urls.some((url) => /\/packages\/inspector\/dist\/index/.test(url))).toBe(true);
  const late =
    /\/packages\/(?:runtime|commands|agents)\/dist\/index|node_modules\/(?:zod|hono|@hono\/node-server|diff|uuid)\//;
  expect(urls.filter((url) => late.test(url))).toEqual([]);
});

test.each(['log', 'inspect', 'threads'])(
  '%s asks for no database driver where there is no store',
  (command) => {
    const urls = listLoadedUntil(1, [command]);
    expect(urls.filter((url) => /better-sqlite3|drizzle-orm/.test(url))).toEqual([]);
  },
);
