import { join } from 'node:path';
import type { TestRunner } from '../new/templates.ts';
import { testCommand } from '../new/test-runner.ts';

/** What was written, and where. */
export interface Written {
  readonly folder: string;
  readonly paths: readonly string[];
  readonly runner: TestRunner;
  /** The settings files that were there. */
  readonly settings: readonly string[];
  isInstalled(name: string): boolean;
}

const ours = ['@spec/hooks', '@spec/cli'];
/** What the tests and the types of the project need. */
const tools: Readonly<Record<TestRunner, readonly string[]>> = {
  node: ['tsx', 'typescript', '@types/node'],
  vitest: ['vitest', 'typescript', '@types/node'],
};

/** Names the files, and the commands that come next: each can be typed as it stands, in this order. */
export function describeWritten(written: Written): string {
  const { folder, paths, settings, runner } = written;
  const test = paths.find((path) => path.includes('.test.')) ?? '';
  const steps = [
    ...(folder === '.' ? [] : [`cd ${folder}`]),
    ...installation(written),
    testCommand(runner, folder === '.' ? test : test.slice(join(folder, '/').length)),
    'npx tsc --noEmit',
    ...(settings.length === 0
      ? []
      : ['npx spec-hooks trust                 # look at the settings files that were here']),
    'npx spec-hooks test                  # the cases in *.hooks.yaml',
    'npx spec-hooks check                 # what is wrong, or will surprise',
    'npx spec-hooks list                  # what runs when',
    'npx spec-hooks new before_tool_call my_guard',
  ];
  return `Written: ${paths.join(', ')}\n\nNext:\n${steps.map((step) => `  ${step}\n`).join('')}`;
}

function installation({ runner, isInstalled }: Written): string[] {
  const missing = (names: readonly string[]): string[] => names.filter((name) => !isInstalled(name));
  const packages = missing(ours);
  const helpers = missing(tools[runner]);
  return [
    // They are in no registry, so that no command could be typed as it stands.
    ...(packages.length === 0
      ? []
      : [`# Install ${packages.join(' and ')} from their archives; "npm run pack" makes them in a clone`]),
    ...(helpers.length === 0 ? [] : [`npm install --save-dev ${helpers.join(' ')}`]),
  ];
}
