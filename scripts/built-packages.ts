import type { TestProject } from 'vitest/node';
import { buildPackages } from './setup/build.mjs';

/** Builds what tests start as programs: the command with all packages below it. A watched test gets it anew in every run. */
export function setup(project: TestProject): void {
  build();
  project.onTestsRerun(build);
}

function build(): void {
  const failure = buildPackages('@spec/cli...');
  if (failure !== undefined) throw new Error(failure);
}
