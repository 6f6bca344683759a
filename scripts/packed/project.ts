import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { type Archive, packPackages } from '../pack/pack-packages.ts';

/** The folder of the checkout. */
export const root: string = join(import.meta.dirname, '../..');

/** How a program ended, and what it printed. */
export interface Ended {
  readonly status: number;
  readonly stdout: string;
  /** With standard error. */
  readonly output: string;
}

/** A folder in which nothing of the workspace is found. */
export class Project {
  readonly folder: string;
  readonly #env: NodeJS.ProcessEnv;

  /** @param env what its programs find in their environment besides the usual, such as another `PATH` */
  constructor(folder: string = mkdtempSync(join(tmpdir(), 'project-')), env: NodeJS.ProcessEnv = {}) {
    this.folder = folder;
    this.#env = env;
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
    const env = { ...usualEnvironment(), NO_COLOR: '1', ...this.#env };
    try {
      const { stdout, stderr } = await promisify(execFile)(command, args, { cwd: this.folder, env });
      return { status: 0, stdout, output: stdout + stderr };
    } catch (error) {
      const { code, stdout = '', stderr = '' } = error as { code: number; stdout?: string; stderr?: string };
      return { status: code, stdout, output: stdout + stderr };
    }
  }

  /** The same for a program that must not fail. @returns its standard output */
  async runWell(command: string, ...args: readonly string[]): Promise<string> {
    const { status, stdout, output } = await this.run(command, ...args);
    if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}:\n${output}`);
    return stdout;
  }

  /** Installs archives, and packages of the registry, as a user does. */
  install(...packages: readonly string[]): Promise<string> {
    const quietly = ['--no-audit', '--no-fund', '--prefer-offline', '--engine-strict'];
    return this.runWell('npm', 'install', ...quietly, ...packages);
  }
}

/** What a person's programs find: certificates and proxies, and nothing that npm or the test runner sets. */
function usualEnvironment(): NodeJS.ProcessEnv {
  const others = /^(?:npm_|VITEST|TEST$|NODE_ENV$|NODE_OPTIONS$|NODE_PATH$|FORCE_COLOR$|INIT_CWD$)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !others.test(name)));
}

/** Packs all packages once for a test file. */
export function packForTests(): readonly Archive[] {
  const archives = packPackages(mkdtempSync(join(tmpdir(), 'archives-')));
  const isOld = Number.parseInt(process.versions.node, 10) < 22;
  return archives.filter(({ name }) => !isOld || !wantsNode22.has(name));
}

/** Packages for frameworks that ask for Node 22, or have a dependency that does. */
const wantsNode22: ReadonlySet<string> = new Set(['@spec/mastra', '@spec/openai-agents']);

/** A program in plain JavaScript. */
export function javaScript(code: string): string {
  const options = { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext };
  return ts.transpile(code, { ...options, verbatimModuleSyntax: true });
}

/** The same program as people write it where modules are required. */
export function commonJs(code: string): string {
  const body = code.replace(/^import (\{.*?\}) from ('.*?');$/gms, 'const $1 = require($2);');
  return `(async () => {\n${body}\n})();\n`;
}

/** A module that imports entry points of packages, all but some, for the sake of their types. */
export function importsOf(archives: readonly Archive[], without: readonly string[] = []): string {
  const entries = archives.flatMap(({ name, entries }) => entries.map((path) => name + path.slice(1)));
  const wanted = entries.filter((entry) => !without.includes(entry));
  return wanted.map((entry, at) => `export * as p${at} from '${entry}';\n`).join('');
}

/** The first program of a page, such as the README's. */
export function firstProgram(page: string): string {
  const [, code] = /^```ts[^\n]*\n([\s\S]*?)^```$/m.exec(readFileSync(join(root, page), 'utf8')) ?? [];
  if (code === undefined) throw new Error(`${page} shows no program`);
  return code;
}
