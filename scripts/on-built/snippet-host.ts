/**
 * Runs programs one after another in one process, each in an empty folder of its own: most of the time that a program takes is the start of
 * Node and of the packages. A line of JSON for each that ended goes to the file that SNIPPET_RUNS names.
 *
 * A program is over when nothing is left to do, as a process of its own would be. One that ends the process has no line.
 */
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { judgeHooks, watchDefinitions } from './judge-shown-hooks.ts';

const { SNIPPET_RUNS: file = '' } = process.env;
const takeHooks = watchDefinitions();
const started = {
  cwd: process.cwd(),
  env: { ...process.env },
  write: process.stdout.write,
  console: { ...console },
};

for (const program of process.argv.slice(2)) {
  const cwd = mkdtempSync(join(tmpdir(), 'snippet-'));
  process.chdir(cwd);
  const { printed, isOver } = await runToItsEnd(program);
  const hooks = takeHooks();
  const problems: string[] = [];
  void judgeHooks(hooks, problems);
  await waitForNothing();
  const exitCode = Number(process.exitCode ?? (isOver ? 0 : 13));
  appendFileSync(file, `${JSON.stringify({ program, printed, exitCode, count: hooks.length, problems })}\n`);
  forgetProgram();
  rmSync(cwd, { recursive: true, force: true });
}

async function runToItsEnd(program: string): Promise<{ printed: string; isOver: boolean }> {
  let [printed, isOver] = ['', false];
  process.stdout.write = ((chunk: string | Uint8Array) => {
    printed += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8');
    return true;
  }) as typeof process.stdout.write;
  import(pathToFileURL(program).href).then(
    () => (isOver = true),
    (error: unknown) => {
      printed += inspect(error);
      process.exitCode = 1;
    },
  );
  await waitForNothing();
  process.stdout.write = started.write;
  return { printed, isOver };
}

/** Until the process would end, which it says once after something was left to do. */
function waitForNothing(): Promise<void> {
  setImmediate(() => {});
  return new Promise((resolve) => process.once('beforeExit', () => resolve()));
}

function forgetProgram(): void {
  process.exitCode = undefined;
  process.chdir(started.cwd);
  Object.assign(console, started.console);
  takeHooks(); // Those that judging has made.
  for (const name of Object.keys(process.env)) if (!(name in started.env)) delete process.env[name];
  Object.assign(process.env, started.env);
}
