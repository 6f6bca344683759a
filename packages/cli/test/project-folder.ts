import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type CliResult, runCli, runCliApart } from './run-cli.ts';

/** A project in a temporary folder, with a home of its own. */
export interface ProjectFolder {
  readonly path: string;
  /** The same project, with a folder below as the working folder. */
  below(folder: string): ProjectFolder;
  /** Runs `spec-hooks` in it. */
  cli(args: readonly string[], input?: string): Promise<CliResult>;
  /** Runs it as a process of its own. */
  cliApart(args: readonly string[], input?: string): Promise<CliResult>;
  /** Runs it with `--json`, and gives what it prints with its exit code. */
  json<Result>(args: readonly string[]): Promise<Result & { readonly code: number | null }>;
  read(file: string): string;
  write(file: string, text: string): void;
  has(file: string): boolean;
}

/** Makes a project of files: texts, or values that are written as JSON. It is removed with the folder of the whole run: of tests that run side by side, vitest cannot tell whose it is. */
export function projectFolder(files: Readonly<Record<string, unknown>> = {}): ProjectFolder {
  const path = mkdtempSync(join(tmpdir(), 'spec-hooks-cli-'));
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(path, file)), { recursive: true });
    writeFileSync(
      join(path, file),
      typeof content === 'string' ? content : JSON.stringify(content, undefined, 2),
    );
  }
  return openFolder(path, join(path, 'home'));
}

function openFolder(path: string, home: string): ProjectFolder {
  const env = { HOME: home };
  const cli = (args: readonly string[], input = ''): Promise<CliResult> =>
    runCli(args, { cwd: path, input, env });
  return {
    path,
    below: (folder) => openFolder(join(path, folder), home),
    cli,
    cliApart: (args, input = '') => runCliApart(args, { cwd: path, input, env }),
    async json(args) {
      const { stdout, stderr, code } = await cli([...args, '--json']);
      if (stdout === '') throw new Error(`nothing was printed; standard error: ${stderr}`);
      return { ...JSON.parse(stdout), code };
    },
    write: (file, text) => writeFileSync(join(path, file), text),
    read: (file) => readFileSync(join(path, file), 'utf8'),
    has: (file) => existsSync(join(path, file)),
  };
}
