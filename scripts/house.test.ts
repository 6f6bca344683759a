// What every package of this workspace has in common, so that a new one cannot forget it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { globSync } from 'tinyglobby';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const layers = {
  hooks: 'core',
  cli: 'top',
  bench: 'top',
  postgres: 'beside',
  restate: 'beside',
  'local-services': 'tools',
  'test-helpers': 'test-helpers',
} as Readonly<Record<string, string>>;

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly license?: string;
  readonly keywords?: readonly string[];
  readonly scripts?: Readonly<Record<string, string>>;
  readonly engines?: { readonly node: string };
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** What a framework asks for, its bridge asks for too. */
const nodes = { mastra: '>=22.22', 'openai-agents': '>=22.13' } as Readonly<Record<string, string>>;

const readJson = <Content>(path: string) => JSON.parse(readFileSync(join(root, path), 'utf8')) as Content;
const foldersIn = (parent: string) =>
  readdirSync(join(root, parent)).filter((name) => existsSync(join(root, parent, name, 'package.json')));

describe.each(foldersIn('packages'))('packages/%s', (name) => {
  const manifest = readJson<Manifest>(`packages/${name}/package.json`);

  test('has its layer, which turbo boundaries holds it to', () => {
    const { tags } = readJson<{ tags: string[] }>(`packages/${name}/turbo.json`);
    const allowed = name in layers ? [layers[name]] : ['middle', 'middle-tested-with-others'];
    expect(tags).toHaveLength(1);
    expect(allowed).toContain(tags[0]);
  });

  test.skipIf(manifest.private)('is ready to be published', () => {
    expect(manifest).toMatchObject({
      name: `@spec/${name}`,
      license: 'MIT',
      engines: { node: nodes[name] ?? '>=20.19' },
    });
    expect(manifest.keywords).toContain('hooks');
    expect(manifest.scripts?.prepack).toBe('node ../../scripts/refuse-to-pack.mjs');
    expect(existsSync(join(root, 'packages', name, 'README.md'))).toBe(true);
    for (const [path, target] of Object.entries(manifest.exports ?? {})) {
      if (typeof target === 'string') continue;
      expect(Object.keys(target), path).toEqual(['@spec/source', 'types', 'default']);
      expect(
        existsSync(join(root, 'packages', name, target['@spec/source'] ?? '')),
        target['@spec/source'],
      ).toBe(true);
    }
  });
});

test.each(foldersIn('examples'))('examples/%s is a private package on top that CI can start', (name) => {
  const manifest = readJson<Manifest>(`examples/${name}/package.json`);
  expect(manifest).toMatchObject({ private: true, scripts: { start: expect.any(String) } });
  expect(readJson<{ tags: string[] }>(`examples/${name}/turbo.json`).tags).toEqual(['top']);
});

test('@spec/hooks installs with two dependencies', () => {
  const { dependencies } = readJson<Manifest>('packages/hooks/package.json');
  expect(Object.keys(dependencies ?? {}).sort()).toEqual(['p-timeout', 'type-fest']);
});

describe('npm run try', () => {
  const { compilerOptions } = readJson<{ compilerOptions: { paths: Record<string, readonly string[]> } }>(
    'tsconfig.try.json',
  );

  test('knows every entry point of every package', () => {
    const entryPoints = foldersIn('packages').flatMap((name) => {
      const { name: packageName, exports = {} } = readJson<Manifest>(`packages/${name}/package.json`);
      return Object.entries(exports).flatMap(([path, target]) => {
        const source = typeof target === 'string' ? undefined : target['@spec/source'];
        if (source === undefined) return [];
        return [[join(packageName, path), [`./${join('packages', name, source)}`]] as const];
      });
    });
    expect(compilerOptions.paths).toMatchObject(Object.fromEntries(entryPoints));
  });
});

test('no test takes a part of a random id for a secret that got out', () => {
  const looksForFewDigits =
    /\.not\s*\.to(?:Contain|Match)\((['"/])(?:[^'"/)]*\|)?[\da-f]{3,7}(?:\|[^'"/)]*)?\1/;
  const tests = globSync(['{packages,examples,scripts}/**/*.test.ts'], {
    cwd: root,
    ignore: '**/node_modules/**',
  });
  const found = tests.filter((path) => looksForFewDigits.test(readFileSync(join(root, path), 'utf8')));
  const withoutIds = ['birth-date.test.ts', 'restore-guards.test.ts', 'text-window.test.ts'];
  expect(found.map((path) => basename(path)).toSorted()).toEqual(withoutIds);
});

test('asynchronous contexts are made once in a process, because every promise pays for each of them', () => {
  const sources = globSync('packages/*/src/**/*.ts', { cwd: root, ignore: '**/*.test.ts' });
  const madeInside = /^[ \t].*new AsyncLocalStorage/m;
  expect(sources.filter((path) => madeInside.test(readFileSync(join(root, path), 'utf8')))).toEqual([]);
});
