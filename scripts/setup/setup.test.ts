import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
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
    expect(programs).toEqual([
      'bench.mjs',
      'refuse-to-pack.mjs',
      'setup.mjs',
      'spec-hooks.mjs',
      'start-cluster.mjs',
      'start.mjs',
      'try.mjs',
    ]);
    for (const file of [...programs, 'setup/node-version.mjs']) {
      const code = readFileSync(join(scripts, file), 'utf8').replace(/\/\/.*/g, '');
      expect(code).not.toMatch(/node:|\?\?|\?\.|^await /m);
      const imports = [...code.matchAll(/^import .* from '(.*)'/gm)].map(([, specifier]) => specifier);
      const standsAlone = file.includes('/') || file === 'refuse-to-pack.mjs';
      expect(imports).toEqual(standsAlone ? [] : ['./setup/node-version.mjs']);
    }
  });
});

test('npm install in a clone says what sets it up', () => {
  const cwd = mkdtempSync(join(tmpdir(), 'clone-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  for (const name of ['package.json', '.npmrc'])
    cpSync(join(import.meta.dirname, '../..', name), join(cwd, name));
  const { status, stderr } = spawnSync('npm', ['install'], { cwd, encoding: 'utf8' });
  expect(status).not.toBe(0);
  expect(stderr).toContain('"npm install" is not for this clone; "npm start" and "npm test" set it up');
});

describe('the set-up', () => {
  const working = 'mkdir -p $addon && echo "module.exports = class {}" > $addon/index.js';

  test('installs once, again for another lockfile, and leaves standard output free', () => {
    const checkout = newCheckout(working);
    expect(checkout.setUp()).toEqual({ status: 0, stdout: '', stderr: expect.stringMatching(/^Setting up/) });
    expect(checkout.calls()).toEqual([
      '--yes --prefer-offline --fetch-retries=1 pnpm@9.9.9 install --frozen-lockfile --prefer-offline',
    ]);
    expect(existsSync(join(checkout.path, 'node_modules/.bin/spec-hooks'))).toBe(true);
    expect(checkout.setUp()).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(checkout.calls()).toHaveLength(1);
    writeFileSync(join(checkout.path, 'pnpm-lock.yaml'), 'other');
    expect(checkout.setUp().status).toBe(0);
    expect(checkout.calls()).toHaveLength(2);
  });

  test('prints why it failed, says what it needs, and tries again the next time', () => {
    const checkout = newCheckout('echo out of luck; echo no network >&2; exit 7');
    for (const count of [1, 2]) {
      const { status, stdout, stderr } = checkout.setUp();
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
      expect(stderr).toMatch(/out of luck\nno network\n.*The set-up failed.*a C\+\+ compiler.*--force/s);
      expect(checkout.calls()).toHaveLength(count);
    }
  });

  test('starts over where better-sqlite3 is that of another Node, once', () => {
    const broken = 'mkdir -p $addon && [ -e node_modules/old ] && echo "throw 1" > $addon/index.js';
    const checkout = newCheckout(`${broken} || { ${working}; }`);
    mkdirSync(join(checkout.path, 'node_modules/old'), { recursive: true });
    expect(checkout.setUp().status).toBe(0);
    expect(checkout.calls()).toHaveLength(2);
    const hopeless = newCheckout(`mkdir -p $addon && echo "throw Error('bad ABI')" > $addon/index.js`);
    expect(hopeless.setUp()).toMatchObject({ status: 1, stderr: expect.stringContaining('bad ABI') });
    expect(hopeless.calls()).toHaveLength(2);
  });
});

/** A checkout with an `npx` of its own, a shell script that has `$addon`; and how it was called. */
function newCheckout(npx: string) {
  const path = mkdtempSync(join(tmpdir(), 'checkout-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  for (const folder of ['bin', 'packages/runtime']) mkdirSync(join(path, folder), { recursive: true });
  cpSync(import.meta.dirname, join(path, 'scripts/setup'), { recursive: true });
  cpSync(join(import.meta.dirname, '../setup.mjs'), join(path, 'scripts/setup.mjs'));
  writeFileSync(join(path, 'package.json'), '{ "packageManager": "pnpm@9.9.9" }');
  for (const name of ['pnpm-lock.yaml', 'pnpm-workspace.yaml']) writeFileSync(join(path, name), '');
  const addon = 'packages/runtime/node_modules/better-sqlite3';
  writeFileSync(join(path, 'bin/npx'), `#!/bin/sh\necho "$@" >> calls\naddon=${addon}\n${npx}\n`);
  chmodSync(join(path, 'bin/npx'), 0o755);
  const env = { ...process.env, PATH: join(path, 'bin') + delimiter + process.env.PATH };
  return {
    path,
    calls: () => readFileSync(join(path, 'calls'), 'utf8').trim().split('\n'),
    setUp() {
      const program = join(path, 'scripts/setup.mjs');
      const { status, stdout, stderr } = spawnSync(process.execPath, [program], { env, encoding: 'utf8' });
      return { status, stdout, stderr };
    },
  };
}
