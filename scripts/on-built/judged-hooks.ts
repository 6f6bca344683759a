import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';

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

const compilerOptions = { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext };
const { outputText: judging } = ts.transpileModule(
  readFileSync(join(import.meta.dirname, 'judge-shown-hooks.ts'), 'utf8'),
  { compilerOptions },
);
const testing = pathToFileURL(join(import.meta.dirname, '../../packages/hooks/dist/testing.mjs')).href;

export function createHookJudge(): HookJudge {
  const folder = mkdtempSync(join(tmpdir(), 'judged-hooks-'));
  const program = join(folder, 'judge.mjs');
  writeFileSync(program, judging);
  const judged = join(folder, 'judged.txt');
  return {
    nodeArgs: ['--import', program],
    env: { JUDGED_HOOKS: judged, HOOKS_TESTING: testing },
    read() {
      const [count, ...problems] = readFileSync(judged, 'utf8').split('\n');
      rmSync(folder, { recursive: true });
      return { count: Number(count), problems };
    },
  };
}
