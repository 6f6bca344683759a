import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { explainFailure } from './diagnose.mjs';
import { takeLock } from './lock.mjs';
import { isTooOld } from './node-version.mjs';

describe('the Node version', () => {
  test.each(['12.22.12', '18.20.8', '20.18.3'])('%s is too old', (version) =>
    expect(isTooOld(version)).toBe(true),
  );
  test.each(['20.19.0', '20.20.2', '22.0.0', '26.10.0'])('%s will do', (version) =>
    expect(isTooOld(version)).toBe(false),
  );

  test('old Nodes can parse what says so', () => {
    const scripts = join(import.meta.dirname, '..');
    const programs = readdirSync(scripts).filter((name) => name.endsWith('.mjs'));
    expect(programs).toEqual(['bench.mjs', 'setup.mjs', 'spec-hooks.mjs', 'start.mjs']);
    for (const file of [...programs, 'setup/node-version.mjs']) {
      const code = readFileSync(join(scripts, file), 'utf8').replace(/\/\/.*/g, '');
      expect(code).not.toMatch(/node:|\?\?|\?\.|^await /m);
      const imports = [...code.matchAll(/^import .* from '(.*)'/gm)].map(([, specifier]) => specifier);
      expect(imports).toEqual(file.includes('/') ? [] : ['./setup/node-version.mjs']);
    }
  });
});

describe('the sentence about a failed set-up', () => {
  const beforePythonsLines =
    '.../better-sqlite3 install: prebuild-install warn install getaddrinfo ENOTFOUND github.com\n';
  test.each([
    ['.../better-sqlite3 install: make: g++: No such file or directory', 'C++ compiler is missing'],
    ['gyp ERR! stack Error: not found: make', '"make" is missing'],
    [
      'gyp ERR! find Python \ngyp ERR! stack Error: Could not find any Python installation to use',
      'Python 3 is missing',
    ],
    ['gyp: /nowhere/common.gypi not found (cwd: /x) while reading includes', 'names /nowhere'],
    ['gyp WARN install got an error, rolling back install', 'header files of Node'],
    ['npm error code EAI_AGAIN', 'registry cannot be reached'],
    ['Error: ERR_PNPM_META_FETCH_FAIL', 'registry cannot be reached'],
    ['files/f0/x: No space\n      left on device (os error 28)', 'disk is full'],
    ["npm error ENOENT: no such file or directory, mkdir '/home/x/.npm'", 'could not be written'],
    ['ERR_PNPM_OUTDATED_LOCKFILE', 'install --no-frozen-lockfile'],
    ['Error: spawn npx ENOENT', 'npx is missing'],
    ['ERR_PNPM_FETCH_404', 'refused a package (ERR_PNPM_FETCH_404)'],
  ])('%s', (output, part) => {
    const sentence = explainFailure(beforePythonsLines + output) ?? '';
    expect(sentence).toContain(part);
    expect(sentence).not.toContain('\n');
  });

  test('is not made up for what is unknown', () => expect(explainFailure('something else')).toBeUndefined());
});

describe('the lock', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lock-'));
  const path = join(folder, 'lock');
  const never = () => expect.unreachable('nobody else holds the lock');
  afterEach(() => rmSync(path, { force: true }));

  test('lets one at a time in', async () => {
    const trace = join(folder, 'trace');
    const script = `
      import { appendFileSync } from 'node:fs';
      import { takeLock } from '${join(import.meta.dirname, 'lock.mjs')}';
      const lock = await takeLock('${path}', () => {});
      appendFileSync('${trace}', '(');
      await new Promise((resolve) => setTimeout(resolve, 50));
      appendFileSync('${trace}', ')');
      lock.release();`;
    const processes = Array.from({ length: 4 }, () =>
      spawn(process.execPath, ['--input-type=module', '-e', script]),
    );
    await Promise.all(processes.map((child) => new Promise((resolve) => child.on('close', resolve))));
    expect(readFileSync(trace, 'utf8')).toBe('()()()()');
    expect(existsSync(path)).toBe(false);
  });

  test('of an ended process is taken over, of a living one waited for', async () => {
    const ended = spawn(process.execPath, ['-e', '']);
    await new Promise((resolve) => ended.on('close', resolve));
    const living = spawn('sleep', ['60']);
    writeFileSync(path, JSON.stringify({ host: hostname(), pids: [ended.pid, living.pid] }));
    let holder = '';
    const waiting = takeLock(path, (name) => {
      holder = name;
      living.kill();
    });
    (await waiting).release();
    expect(holder).toBe(`process ${ended.pid}, ${living.pid}`);
    writeFileSync(path, JSON.stringify({ host: hostname(), pids: [ended.pid] }));
    (await takeLock(path, never)).release();
  });
});
