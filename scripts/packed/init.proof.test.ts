// What `spec-hooks init` makes, in projects that know nothing of the workspace: each command that it names next is typed as it stands.
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Archive } from '../pack/pack-packages.ts';
import { Project, packForTests } from './project.ts';

const tools = ['tsx', 'typescript', '@types/node'];

let archives: readonly Archive[];

beforeAll(() => {
  archives = packForTests();
}, 60_000);

/** As `tsc --init` writes it, with what it says for ES modules in a package of CommonJS. */
const compilerOptions = {
  module: 'nodenext',
  target: 'esnext',
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noUncheckedSideEffectImports: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  moduleDetection: 'force',
  skipLibCheck: true,
};

const shop = { name: 'shop', version: '1.0.0', main: 'index.js', license: 'ISC' };

test('spec-hooks init ends green in an empty folder', { timeout: 300_000 }, async () => {
  const project = new Project();
  await project.install(...archives.map(({ file }) => file));
  await startAndFollow(project, 'mts', [`npm install --save-dev ${tools.join(' ')}`]);
});

describe('spec-hooks init ends green in a package', { timeout: 300_000 }, () => {
  const home = new Project();
  beforeAll(() => home.install(...archives.map(({ file }) => file), ...tools), 180_000);

  test('of ES modules', async () => {
    const project = new Project(join(home.folder, 'esm')).write('package.json', { ...shop, type: 'module' });
    await startAndFollow(project, 'ts', []);
  });

  test('of CommonJS with TypeScript of its own', async () => {
    const project = new Project(join(home.folder, 'cjs')).write('package.json', shop);
    await startAndFollow(project.write('tsconfig.json', { compilerOptions }), 'mts', []);
  });
});

/** Types what is named next, as it stands. */
async function startAndFollow(
  project: Project,
  extension: string,
  installation: readonly string[],
): Promise<void> {
  const started = await project.runWell('npx', 'spec-hooks', 'init');
  const test = `npx tsx --test hooks/limit-to-20-messages.test.${extension}`;
  const steps = stepsIn(started);
  expect(steps.slice(0, -4)).toEqual([...installation, test, 'npx tsc --noEmit']);
  expect(steps.slice(-4).map((step) => step.split(' ')[2])).toEqual(['test', 'check', 'list', 'new']);
  for (const step of steps) await project.runWell('sh', '-c', step);
  expect(await project.runWell('npx', 'spec-hooks', 'list')).toMatch(/my_guard .* policy /);
  await project.runWell('npx', 'tsx', '--test', `hooks/my-guard.test.${extension}`);
}

function stepsIn(printed: string): string[] {
  const [, next = ''] = printed.split('\nNext:\n');
  return next
    .trim()
    .split('\n')
    .map((step) => step.trim());
}
