import { execFile } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';

const root = join(import.meta.dirname, '..');

interface Tried {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function runTry(...args: string[]): Promise<Tried> {
  const env = { ...process.env, INIT_CWD: root, npm_package_json: join(root, 'package.json') };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(root, 'scripts/try.mjs'), ...args],
      { cwd: root, env },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

function program(text: string, name = `try-${process.pid}.ts`): string {
  onTestFinished(() => rmSync(join(root, name), { force: true }));
  writeFileSync(join(root, name), text);
  return name;
}

const hook = (body: string): string => `import { defineHook } from '@spec/hooks';
  export const hook = defineHook({ hook: 'before_create_message', id: 'x', execute: async (_state, message) => ${body} });
  console.log('ran with', process.argv.slice(2).join());\n`;

interface Config {
  readonly compilerOptions: { readonly paths: Readonly<Record<string, readonly string[]>> };
}

describe('npm run try', { timeout: 120_000 }, () => {
  test('runs and type-checks a program in the top folder that imports them all', async () => {
    // Those of the conformance suite register tests with a runner when they are imported.
    const { compilerOptions } = JSON.parse(readFileSync(join(root, 'tsconfig.try.json'), 'utf8')) as Config;
    const own = Object.keys(compilerOptions.paths).filter((name) => !/vitest|node-test/.test(name));
    const names = [...own, 'zod', 'ai', '@ai-sdk/openai-compatible'];
    const imports = names.map((name, i) => `import * as m${i} from '${name}';`).join('\n');
    const text = `${imports}\nconsole.log([${names.map((_, i) => `m${i}`).join()}].length);\n`;
    expect(await runTry(program(text))).toEqual({ code: 0, stdout: `${names.length}\n`, stderr: '' });
  });

  test('runs a program of the clone, with its arguments', async () => {
    const tried = await runTry(program(hook('message')), 'a', 'b');
    expect(tried).toEqual({ code: 0, stdout: 'ran with a,b\n', stderr: '' });
  });

  test('does not run what does not compile, and names the place', async () => {
    const name = program(hook('{ message; }'));
    const { code, stdout, stderr } = await runTry(name);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(new RegExp(`^${name}\\(2,\\d+\\): error TS`));
    expect(stderr).toMatch(/does not compile, and was not run\.\n$/);
  });

  test('looks at its program alone, and takes JavaScript as it is', async () => {
    program(hook('{ message; }'), `try-${process.pid}-other.ts`);
    expect(await runTry(program(hook('message')))).toMatchObject({ code: 0 });
    expect(await runTry(program('console.log(1)', `try-${process.pid}.mjs`))).toMatchObject({
      stdout: '1\n',
    });
  });

  test('without a program, or with one that is not there, is one sentence', async () => {
    expect(await runTry()).toEqual({
      code: 2,
      stdout: '',
      stderr: 'Name a program to run, such as: npm run try my-hook.ts\n',
    });
    expect(await runTry('nowhere.ts')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'There is no file nowhere.ts. Name a program to run, such as: npm run try my-hook.ts\n',
    });
  });
});
