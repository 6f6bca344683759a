import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { DefinitionError, withCause } from '../errors.ts';
import { whereThrown } from '../thrown.ts';
import type { FoundFile } from './hook-files.ts';

/** Why a module of the folder cannot be used. */
export interface ModuleProblem {
  /** Relative to the folder of hooks. */
  readonly path: string;
  /** What is wrong and what to do: the place and the sort of an error, never its data. */
  readonly reason: string;
  /** What was thrown. */
  readonly cause?: unknown;
}

/** All problems in one error, with nothing left to find out one by one. */
export function badModules(folder: string, problems: readonly ModuleProblem[]): DefinitionError {
  const lines = problems
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ path, reason }) => `\n  ${path}: ${reason}`);
  const which = problems.length === 1 ? 'A hook module' : `${problems.length} hook modules`;
  const message = `${which} in ${folder} cannot be used, so no hook was loaded:${lines.join('')}`;
  const { cause } = problems.find((problem) => problem.cause !== undefined) ?? {};
  return withCause(new DefinitionError('bad_module', message), cause);
}

/** Why importing a module failed. */
export function importProblem(error: unknown, { path, file }: FoundFile): ModuleProblem {
  return {
    path,
    cause: error,
    reason:
      refused(error, file) ??
      unparsable(error, file) ??
      missing(error, file) ??
      notExported(error, file) ??
      thrown(error),
  };
}

/** By its name, since a package may bring a copy of our error class along. */
function refused(error: unknown, file: string): string | undefined {
  if (!(error instanceof Error) || error.name !== 'DefinitionError') return undefined;
  const line = lineIn(file, error);
  return line === undefined ? error.message : `line ${line}: ${error.message}`;
}

function lineIn(file: string, { stack = '' }: Error): string | undefined {
  const at = stack.lastIndexOf(`${file}:`);
  return at < 0 ? undefined : /^\d+/.exec(stack.slice(at + file.length + 1))?.[0];
}

/** As jiti words it: the problem, then ` \n file:line:column`, lines from 1 and columns from 0. */
function unparsable(error: unknown, file: string): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const [, problem, where, line, column] =
    /^ParseError: (.*?)\s*\n (.+):(\d+):(\d+)$/s.exec(error.message) ?? [];
  if (problem === undefined || where === undefined) return undefined;
  const position = `${line}:${Number(column) + 1}`;
  return where === file
    ? `does not parse at ${position}: ${problem}`
    : `imports ${shortPath(where)}, which does not parse at ${position}: ${problem}`;
}

const NOT_FOUND: readonly unknown[] = ['MODULE_NOT_FOUND', 'ERR_MODULE_NOT_FOUND'];

function missing(error: unknown, file: string): string | undefined {
  const { code, message, requireStack } = (error ?? {}) as {
    code?: unknown;
    message?: unknown;
    requireStack?: unknown;
  };
  if (!NOT_FOUND.includes(code) || typeof message !== 'string') return undefined;
  const name = /^Cannot find (?:module|package) '([^']+)'/.exec(message)?.[1] ?? '';
  const importer =
    Array.isArray(requireStack) && typeof requireStack[0] === 'string' ? requireStack[0] : file;
  const by = importer === file ? '' : ` (in ${shortPath(importer)})`;
  if (!isWrittenIn(importer, name)) return `imports something that cannot be found${by}`;
  return `imports "${name}"${by}, ${whatToDo(name)}`;
}

function whatToDo(name: string): string {
  if (/^\.{0,2}\//.test(name)) return 'and there is no such file';
  if (/^(?:[~#]|@\/)/.test(name))
    return 'which cannot be found; the "paths" of a tsconfig.json are not followed';
  const [scope, rest] = name.split('/');
  // A misspelt name of ours would be installed from whoever has taken it.
  if (scope === '@spec') return 'which is not installed: check its name, and see docs/installing.md';
  return `which is not installed: npm install ${name.startsWith('@') ? `${scope}/${rest}` : scope}`;
}

/** As jiti's imports word it: `(0 , _hooks.definehook) is not a function`. */
function notExported(error: unknown, file: string): string | undefined {
  const message = error instanceof TypeError ? error.message : '';
  const name = /^\(0 , _\w+\.(\w+)\) is not a function$/.exec(message)?.[1];
  if (name === undefined || !readOrEmpty(file).includes(name)) return undefined;
  return `calls ${name}, which the module that it imports it from does not export`;
}

/** Only what the author wrote is quoted: a name that was put together at run time may hold anything. */
function isWrittenIn(file: string, name: string): boolean {
  const text = readOrEmpty(file);
  return name !== '' && ["'", '"', '`'].some((quote) => text.includes(`${quote}${name}${quote}`));
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function thrown(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  if (error instanceof Error && 'syscall' in error && typeof code === 'string' && /^E[A-Z]+$/.test(code)) {
    return `cannot be read, or reads something that cannot be (${code})`;
  }
  // What translates TypeScript puts code of its own before the first line.
  const where = whereThrown(error)?.replace(/:1:\d+$/, ':1');
  return `throws when it is imported: ${where ?? 'a value that is not an Error'}`;
}

function shortPath(file: string): string {
  return `${basename(dirname(file))}/${basename(file)}`;
}
