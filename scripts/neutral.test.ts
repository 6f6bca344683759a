import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { reachableImports } from './reachable-imports.ts';

const source = join(import.meta.dirname, '../packages/hooks/src');
const isBuiltIn = (specifier: string) => specifier.startsWith('node:') || builtinModules.includes(specifier);

test('@spec/hooks and its test kit import nothing of Node', () => {
  for (const entry of ['index.ts', 'testing/index.ts']) {
    const { files, external } = reachableImports(join(source, entry));
    expect(files.length).toBeGreaterThan(5);
    expect(external.filter(({ specifier }) => isBuiltIn(specifier))).toEqual([]);
  }
});

test('the core of @spec/hooks needs p-timeout and nothing else at run time', () => {
  const { external } = reachableImports(join(source, 'index.ts'));
  expect([...new Set(external.map(({ specifier }) => specifier))]).toEqual(['p-timeout']);
});

test('the subpath for Node is where Node is imported', () => {
  const { external } = reachableImports(join(source, 'node/index.ts'));
  expect(external.some(({ specifier }) => isBuiltIn(specifier))).toBe(true);
});
