import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const root = join(import.meta.dirname, '..');

interface Config {
  readonly compilerOptions: { readonly paths: Readonly<Record<string, readonly string[]>> };
}

test('npm run try runs and type-checks a program in the top folder that imports them all', {
  timeout: 60_000,
}, () => {
  const file = join(root, `try-${process.pid}.ts`);
  onTestFinished(() => rmSync(file, { force: true }));
  // Those of the conformance suite register tests with a runner when they are imported.
  const { compilerOptions } = JSON.parse(readFileSync(join(root, 'tsconfig.try.json'), 'utf8')) as Config;
  const own = Object.keys(compilerOptions.paths).filter((name) => !/vitest|node-test/.test(name));
  const names = [...own, 'zod', 'ai', '@ai-sdk/openai-compatible'];
  const imports = names.map((name, i) => `import * as m${i} from '${name}';`).join('\n');
  writeFileSync(file, `${imports}\nconsole.log([${names.map((_, i) => `m${i}`).join()}].length);\n`);
  const run = (command: string, ...args: string[]): string =>
    execFileSync(join(root, 'node_modules/.bin', command), args, { cwd: root, encoding: 'utf8' });
  expect(run('tsx', '--conditions=@spec/source', '--tsconfig', 'tsconfig.try.json', file)).toBe(
    `${names.length}\n`,
  );
  expect(run('tsc', '-p', 'tsconfig.try.json')).toBe('');
});
