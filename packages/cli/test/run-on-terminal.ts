import { spawn, spawnSync } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { onTestFinished } from 'vitest';
import { cliEnv, nodeArgs } from './run-cli.ts';

/** Whether `script` of util-linux is there, which gives a process a terminal. */
export const hasTerminal: boolean =
  spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') === true;
if (!hasTerminal)
  console.info('Skipped: there is no script of util-linux, which gives a process a terminal.');

/** What a process wrote to a terminal. */
export interface TerminalResult {
  readonly code: number | null;
  /** Everything, in the order in which it was written. */
  readonly raw: string;
  /** The lines that are left. */
  readonly screen: string;
}

interface TerminalOptions {
  readonly cwd: string;
  /** Ctrl-C is pressed when this was written. */
  readonly interruptAt?: string;
}

/** Runs `spec-hooks` on a terminal of its own. The arguments are a command line of a shell, with redirections. */
export function runOnTerminal(args: string, { cwd, interruptAt }: TerminalOptions): Promise<TerminalResult> {
  const node = [process.execPath, ...nodeArgs].map((arg) => `'${arg}'`).join(' ');
  const child = spawn('script', ['-qefc', `exec ${node} ${args}`, '/dev/null'], {
    cwd,
    env: { ...cliEnv(), TERM: 'xterm' },
  });
  onTestFinished(() => void child.kill());
  let raw = '';
  let isInterrupted = false;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    raw += text;
    if (interruptAt === undefined || isInterrupted || !raw.includes(interruptAt)) return;
    isInterrupted = true;
    child.stdin.write('\u0003');
  });
  return new Promise((resolve) =>
    child.once('close', (code) => resolve({ code, raw, screen: readScreen(raw) })),
  );
}

/** A line that was cleared is gone, up to where it was cleared last. */
function readScreen(raw: string): string {
  const lines = raw.replaceAll('\r\n', '\n').split('\n');
  return lines.map((line) => stripVTControlCharacters(afterLast(line, clearings))).join('\n');
}

/** As a bar clears a line, and as what is printed above it does. */
const clearings = ['\u001b[2K', '\u001b[K'];

function afterLast(line: string, marks: readonly string[]): string {
  const ends = marks.map((mark) => (line.includes(mark) ? line.lastIndexOf(mark) + mark.length : 0));
  return line.slice(Math.max(...ends));
}
