// The packages as their users get them: packed, installed in projects that know nothing of the workspace, and run there.
import { existsSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { build } from 'esbuild';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { expectedOutput } from '../on-built/snippets.ts';
import type { Archive } from '../pack/pack-packages.ts';
import { commonJs, firstProgram, importsOf, javaScript, Project, packForTests, root } from './project.ts';

const program = firstProgram('README.md');
const printed = `${expectedOutput({ code: program })}\n`;
const forBrowsers = firstProgram('packages/hooks/README.md');

let archives: readonly Archive[];
/** Holds the projects of all kinds, and what is installed for them. */
let home: Project;

const kind = (name: string): Project => new Project(join(home.folder, name));
const archivesOf = (...names: readonly string[]): string[] =>
  archives.filter(({ name }) => names.length === 0 || names.includes(name)).map(({ file }) => file);

beforeAll(async () => {
  archives = packForTests();
  home = new Project().write('package.json', { private: true });
  await home.install(...archivesOf());
}, 180_000);

describe('the program of the README runs in a project of', { timeout: 60_000 }, () => {
  test('JavaScript', async () => {
    const project = kind('js').write('main.mjs', javaScript(program));
    expect(await project.runWell('node', 'main.mjs')).toBe(printed);
  });

  test('CommonJS', async () => {
    const project = kind('cjs').write('main.cjs', commonJs(javaScript(program)));
    expect(await project.runWell('node', 'main.cjs')).toBe(printed);
  });

  test('TypeScript, with the types of all packages checked that need no others', async () => {
    const project = kind('ts')
      .write('package.json', { private: true, type: 'module' })
      .write('tsconfig.json', { compilerOptions, include: ['src'] })
      .write('src/main.ts', program)
      .write('src/all.ts', importsOf(archives, ['@spec/runtime/mcp', '@spec/conformance/vitest']));
    symlinkSync(join(root, 'node_modules/@types'), join(project.folder, 'types'));
    await project.runWell('node', join(root, 'node_modules/typescript-native/bin/tsc'));
    expect(await project.runWell('node', 'dist/main.js')).toBe(printed);
  });
});

test('the hooks run in a browser, bundled', { timeout: 60_000 }, async () => {
  const project = kind('browser').write('main.mjs', javaScript(forBrowsers));
  const entryPoints = [join(project.folder, 'main.mjs')];
  const options = { bundle: true, write: false, platform: 'browser', format: 'esm' } as const;
  const { outputFiles } = await build({ entryPoints, ...options });
  const shown: string[] = [];
  const { AbortController, AbortSignal, structuredClone, queueMicrotask, performance, crypto } = globalThis;
  const page = { AbortController, AbortSignal, structuredClone, queueMicrotask, performance, crypto };
  const console = { log: (...values: readonly unknown[]) => shown.push(values.join(' ')) };
  await runInNewContext(`(async () => {${outputFiles[0]?.text}})()`, {
    ...page,
    setTimeout,
    clearTimeout,
    console,
  });
  expect(shown.join('\n')).toBe(expectedOutput({ code: forBrowsers }));
});

describe('a peer that is missing is named', { timeout: 30_000 }, () => {
  test.each([
    ['runtime/sqlite', 'better-sqlite3', 'better-sqlite3 drizzle-orm'],
    ['builtins/sqlite', 'better-sqlite3', 'better-sqlite3'],
    ['runtime/mcp', '@modelcontextprotocol/sdk', '@modelcontextprotocol/sdk'],
  ])('by @spec/%s', async (entry, peer, packages) => {
    const [installed, aside] = [join(home.folder, 'node_modules', peer), join(home.folder, 'aside')];
    if (existsSync(installed)) {
      renameSync(installed, aside); // Another package has it as a dependency.
      onTestFinished(() => renameSync(aside, installed));
    }
    const { status, output } = await home.run('node', '-e', `require('@spec/${entry}')`);
    expect(status).toBe(1);
    expect(output).toContain(`@spec/${entry} needs ${peer}, which is not installed: npm install ${packages}`);
  });
});

test('a peer that is made for a newer Node is refused', async () => {
  const engines = { node: '>=98' };
  home.write('node_modules/better-sqlite3/package.json', {
    name: 'better-sqlite3',
    version: '99.1.0',
    engines,
  });
  onTestFinished(() => rmSync(join(home.folder, 'node_modules/better-sqlite3'), { recursive: true }));
  const { output } = await home.run('node', '-e', "require('@spec/runtime/sqlite')");
  expect(output).toContain(
    'version 99.1.0 of it needs Node 98: install an older one, npm install better-sqlite3@98',
  );
});

test('pnpm installs the archives as docs/installing.md says', { timeout: 120_000 }, async () => {
  const [hooks = '', ...others] = archivesOf('@spec/hooks', '@spec/builtins', '@spec/runtime');
  const project = new Project()
    .write('package.json', { private: true })
    .write('pnpm-workspace.yaml', `overrides:\n  '@spec/hooks': file:${hooks}\n`)
    .write('main.mjs', javaScript(program));
  await project.runWell(join(root, 'node_modules/.bin/pnpm'), 'add', '--prefer-offline', hooks, ...others);
  expect(await project.runWell('node', 'main.mjs')).toBe(printed);
});

const compilerOptions = {
  target: 'ES2023',
  module: 'NodeNext',
  strict: true,
  skipLibCheck: false,
  rootDir: 'src',
  outDir: 'dist',
  types: ['node'],
  typeRoots: ['types'],
};
