import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { lookAtCode } from './code.ts';

const manifest = JSON.stringify({
  name: '@my/self',
  imports: { '#on': { node: './lib/on.js', default: './lib/off.js' }, '#lib/*.js': './lib/*.js' },
  exports: { '.': './lib/on.js', './lib/*': './lib/*.js' },
});

/** What is reached from a hook with this text, in a project of its own. */
function look(text: string) {
  const root = mkdtempSync(join(tmpdir(), 'spec-hooks-code-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const files = { 'package.json': manifest, 'lib/on.js': '1', 'lib/off.js': '0', 'hooks/g.mjs': text };
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), content);
  }
  const { files: reached, unseen } = lookAtCode([join(root, 'hooks')]);
  return { reached: reached.map((file) => file.slice(root.length + 1)), unseen };
}

test.each([
  [`import on from '#on';`, ['hooks/g.mjs', 'lib/off.js', 'lib/on.js', 'package.json']],
  [`import on from '#lib/on.js';`, ['hooks/g.mjs', 'lib/on.js', 'package.json']],
  [`import on from '@my/self';`, ['hooks/g.mjs', 'lib/on.js', 'package.json']],
  [`import on from '@my/self/lib/off';`, ['hooks/g.mjs', 'lib/off.js', 'package.json']],
  [`const on = createRequire(import.meta.url)('../lib/on.js');`, ['hooks/g.mjs', 'lib/on.js']],
  [`const on = createRequire(new URL('..', import.meta.url))("../lib/on.js");`, ['hooks/g.mjs', 'lib/on.js']],
])('a module of the project is reached: %s', (text, reached) => {
  expect(look(text)).toEqual({ reached, unseen: [] });
});

test('a name made at run time is a doubt, however the module is asked for', () => {
  expect(look(`createRequire(import.meta.url)(name);`).unseen).toEqual([
    expect.stringContaining('imports a module by a name that is made at run time'),
  ]);
});
