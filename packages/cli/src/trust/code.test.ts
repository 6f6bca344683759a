import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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
  return lookAt({ 'package.json': manifest, 'lib/on.js': '1', 'lib/off.js': '0', 'hooks/g.mjs': text });
}

/** A folder with these files; what begins with `->` is a link. */
function makeFolder(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'spec-hooks-code-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    if (content.startsWith('->')) symlinkSync(content.slice(2), join(root, file));
    else writeFileSync(join(root, file), content);
  }
  return root;
}

function lookAt(files: Readonly<Record<string, string>>) {
  const root = makeFolder(files);
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

test.each([
  `import on from /* the list */ '../lib/on.js';`,
  `import on from // the list\n '../lib/on.js';`,
  `export * from/**//* two */'../lib/on.js';`,
  `await import(/* webpackChunkName: "on" */ '../lib/on.js');`,
  `await import('../lib/on.js' /* the list */, { with: {} });`,
  `const load = createRequire(import.meta.url); load('../lib/on.js');`,
  `this.load = module.createRequire(import.meta.url); this.load( "../lib/on.js" );`,
  `const $: NodeRequire = createRequire(import.meta.url); $("../lib/on.js");`,
  `import '../lib/%6fn.js';`,
])('a module is reached whatever stands between its name and the word for it: %s', (text) => {
  expect(look(text)).toEqual({ reached: ['hooks/g.mjs', 'lib/on.js'], unseen: [] });
});

test.each([
  `createRequire(import.meta.url)(name);`,
  `import('../lib/' + name);`,
  `import(/* a list */ name);`,
  `require(\`../lib/\${name}.js\`);`,
  `const load = createRequire(import.meta.url); load(name);`,
  `use(createRequire(import.meta.url));`,
  `import { createRequire as make } from 'node:module';`,
  `import on from '../lib/\\u006fn.js';`,
])('a name made at run time is a doubt, however the module is asked for: %s', (text) => {
  expect(look(text).unseen).toEqual([
    expect.stringContaining('imports a module by a name that is made at run time'),
  ]);
});

test.each([
  [
    'a link to a module',
    { 'src/g.mjs': `import './on.js';`, 'src/on.js': '', 'hooks/g.mjs': '->../src/g.mjs' },
    'src/on.js',
  ],
  [
    'a link to a folder',
    { 'a/b/hooks/g.mjs': `import '../on.js';`, 'a/b/on.js': '', hooks: '->a/b/hooks' },
    'a/b/on.js',
  ],
  [
    'what package.json says of a folder',
    { 'hooks/g.mjs': `require('../lib');`, 'lib/package.json': '{"main":"x/on"}', 'lib/x/on.js': '' },
    'lib/x/on.js',
  ],
  [
    'a package without package.json',
    {
      'hooks/g.mjs': `import 'flags';`,
      'hooks/node_modules/flags/index.js': '',
      'node_modules/flags/package.json': '{}',
    },
    'hooks/node_modules/flags/index.js',
  ],
])('a module is reached through %s', (_, files, reached) => {
  expect(lookAt(files).reached.some((file) => file.endsWith(reached))).toBe(true);
});

test.each([
  `Buffer.from('a' + b);`,
  `other.require(name);`,
  `import { createRequire } from 'node:module';`,
  `import.meta.resolve(name);`,
])('what loads nothing by a name that is made is no doubt: %s', (text) => {
  expect(look(text).unseen).toEqual([]);
});

test('links that lead back, and to one folder many times, are followed once', () => {
  const links = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`hooks/to${at}`, '->.']));
  expect(lookAt({ 'hooks/g.mjs': '', ...links }).reached).toEqual(['hooks/g.mjs']);
});

test('a change is seen in a module of any size', () => {
  const root = makeFolder({ 'hooks/g.mjs': `1;//${'x'.repeat(34_000_000)}` });
  const see = (): string => lookAtCode([join(root, 'hooks')]).fingerprint;
  const before = see();
  writeFileSync(join(root, 'hooks/g.mjs'), `0;//${'x'.repeat(34_000_000)}`);
  expect(see()).not.toBe(before);
});

test('a text that is made to be read for ever is a doubt', () => {
  expect(look(`${'import/*'.repeat(100_000)}${'createRequire('.repeat(100_000)}`).unseen).toHaveLength(1);
});
