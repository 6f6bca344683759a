import { type ChildProcess, spawn } from 'node:child_process';
import { bundleProgram } from '../bundle-program.ts';

/** A running process of child.ts. */
export interface Child {
  process: ChildProcess;
  /** What it has said so far; half a line is not there yet. */
  lines: string[];
  /** Resolves at its first line. */
  spoke: Promise<void>;
  /** Resolves with all its lines when it is gone. */
  ended: Promise<string[]>;
}

/** The arguments with which Node runs child.ts. */
export const childArgs: readonly string[] = [await bundleProgram('sqlite/child')];

/** Starts child.ts with a role and its arguments. */
export function spawnChild(args: readonly string[]): Child {
  const child = spawn(process.execPath, [...childArgs, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  let rest = '';
  let speak = () => {};
  const spoke = new Promise<void>((resolve) => {
    speak = resolve;
  });
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
    if (lines.length > 0) speak();
  });
  const ended = new Promise<string[]>((resolve) => child.once('close', () => resolve(lines)));
  return { process: child, lines, spoke: Promise.race([spoke, ended.then(() => {})]), ended };
}
