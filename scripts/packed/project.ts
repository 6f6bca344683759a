import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type Archive, packPackages } from '../pack/pack-packages.ts';

/** The folder of the checkout. */
export const root: string = join(import.meta.dirname, '../..');

/** What a program printed, and how it ended. */
export interface Ended {
  readonly status: number;
  readonly output: string;
}

/** A folder in which nothing of the workspace is found. */
export class Project {
  readonly folder: string;

  constructor(folder: string = mkdtempSync(join(tmpdir(), 'project-'))) {
    this.folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  /** Writes a file, JSON where it is no text. @returns the project */
  write(file: string, content: string | object): this {
    const path = join(this.folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`);
    return this;
  }

  /** Runs a program in the folder, without the settings of the test run. */
  async run(command: string, ...args: readonly string[]): Promise<Ended> {
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: process.env.TMPDIR, NO_COLOR: '1' };
    try {
      const { stdout, stderr } = await promisify(execFile)(command, args, { cwd: this.folder, env });
      return { status: 0, output: `${stdout}${stderr}` };
    } catch (error) {
      const { code, stdout = '', stderr = '' } = error as { code: number; stdout?: string; stderr?: string };
      return { status: code, output: `${stdout}${stderr}` };
    }
  }

  /** The same for a program that must not fail. @returns what it printed */
  async runWell(command: string, ...args: readonly string[]): Promise<string> {
    const { status, output } = await this.run(command, ...args);
    if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}:\n${output}`);
    return output;
  }

  /** Installs archives, and packages of the registry, as a user does. */
  install(...packages: readonly string[]): Promise<string> {
    const quietly = ['--no-audit', '--no-fund', '--prefer-offline', '--engine-strict'];
    return this.runWell('npm', 'install', ...quietly, ...packages);
  }
}

/** Packs all packages once for a test file. */
export function packForTests(): readonly Archive[] {
  return packPackages(mkdtempSync(join(tmpdir(), 'archives-')));
}

/** The first program of a page, such as the README's. */
export function firstProgram(page: string): string {
  const [, code] = /^```ts[^\n]*\n([\s\S]*?)^```$/m.exec(readFileSync(join(root, page), 'utf8')) ?? [];
  if (code === undefined) throw new Error(`${page} shows no program`);
  return code;
}
