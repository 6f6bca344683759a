import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';

/** The hooks that a program has defined: how many, and what is wrong with them. */
export interface JudgedHooks {
  readonly count: number;
  readonly problems: readonly string[];
}

/** How to start a program whose hooks are judged when it is over, and what came of it. */
export interface HookJudge {
  readonly nodeArgs: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Once the program has ended. */
  read(): JudgedHooks;
}

/** Where programs that judge hooks find the test kit. */
export const judgingEnv = {
  HOOKS_TESTING: pathToFileURL(join(import.meta.dirname, '../../packages/hooks/dist/testing.mjs')).href,
};

/** Makes one module of a program of this folder, for a Node that knows no TypeScript. */
export function bundleProgram(name: string, outfile: string): void {
  const entryPoints = [join(import.meta.dirname, name)];
  buildSync({ entryPoints, outfile, bundle: true, format: 'esm', platform: 'node', target: 'node20' });
}

export function createHookJudge(): HookJudge {
  const folder = mkdtempSync(join(tmpdir(), 'judged-hooks-'));
  const program = join(folder, 'judge.mjs');
  bundleProgram('judge-program.ts', program);
  const judged = join(folder, 'judged.txt');
  return {
    nodeArgs: ['--import', program],
    env: { ...judgingEnv, JUDGED_HOOKS: judged },
    read() {
      const [count, ...problems] = readFileSync(judged, 'utf8').split('\n');
      rmSync(folder, { recursive: true });
      return { count: Number(count), problems };
    },
  };
}
