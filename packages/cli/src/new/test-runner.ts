import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { TestRunner } from './templates.ts';

/** Who runs the tests of a project: Vitest where its package.json names it, else Node itself. */
export function findTestRunner(folder: string): TestRunner {
  const path = join(resolve(folder), 'package.json');
  if (existsSync(path)) return namesVitest(path) ? 'vitest' : 'node';
  const above = dirname(resolve(folder));
  return above === resolve(folder) ? 'node' : findTestRunner(above);
}

function namesVitest(path: string): boolean {
  try {
    return Object.keys(collectDependencies(JSON.parse(readFileSync(path, 'utf8')))).includes('vitest');
  } catch {
    return false;
  }
}

interface Manifest {
  readonly dependencies?: object;
  readonly devDependencies?: object;
}

function collectDependencies({ dependencies, devDependencies }: Manifest): object {
  return { ...dependencies, ...devDependencies };
}

/** How tests are started. */
export function testCommand(runner: TestRunner, file: string): string {
  return runner === 'vitest' ? `npx vitest run ${file}` : `npx tsx --test ${file}`;
}
