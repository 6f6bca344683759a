import { findAbove, readManifest } from './surroundings.ts';
import type { TestRunner } from './templates.ts';

/** Who runs the tests of a project: Vitest where its package.json names it, else Node itself. */
export function findTestRunner(folder: string): TestRunner {
  const file = findAbove(folder, 'package.json');
  if (file === undefined) return 'node';
  const { dependencies, devDependencies } = readManifest(file);
  return 'vitest' in { ...dependencies, ...devDependencies } ? 'vitest' : 'node';
}

/** How tests are started. */
export function testCommand(runner: TestRunner, file: string): string {
  return runner === 'vitest' ? `npx vitest run ${file}` : `npx tsx --test ${file}`;
}
