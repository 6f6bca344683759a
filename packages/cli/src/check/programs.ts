import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { basename, delimiter, join, resolve } from 'node:path';
import type { CommandEntry, LoadedSettings } from '@spec/commands';
import { readShellLine } from '@spec/hooks';
import type { Project } from '../project/load-project.ts';
import { type CheckFinding, finding } from './finding.ts';

/** Programs and scripts of settings files that are not there, or cannot be executed. */
export function programFindings({ settings, folder }: Project): CheckFinding[] {
  if (settings === undefined) return [];
  return settings.entries.flatMap((entry) => [
    ...missingPrograms(entry, folder),
    ...missingScripts(entry, settings),
  ]);
}

function missingPrograms(entry: CommandEntry, folder: string): CheckFinding[] {
  const { handler } = entry;
  if (handler.type !== 'command') return [];
  const names = handler.args === undefined ? namesIn(handler.command) : [handler.command];
  return [...new Set(names)].flatMap((name) => {
    const problem = problemWith(name, folder);
    return problem === undefined ? [] : [about(entry, problem)];
  });
}

/** What keeps the command of an entry from being started, where it is a single program: a longer line may know what to do without. */
export function launchProblem({ handler }: CommandEntry, folder: string): Problem['code'] | undefined {
  if (handler.type !== 'command') return undefined;
  const { command, args } = handler;
  const isPlain = /^[\w@%+=.,:/ -]+$/.test(command);
  const names = args !== undefined ? [command] : isPlain ? namesIn(command) : [];
  return names.length === 1 ? problemWith(names[0] as string, folder)?.code : undefined;
}

interface Problem {
  readonly code: 'no_such_command' | 'not_executable';
  readonly message: string;
}

function about(
  { place: { file, line, column, path } }: CommandEntry,
  { code, message }: { readonly code: string; readonly message: string },
): CheckFinding {
  return finding({ level: 'warning', code, file, line, column, entry: path, message });
}

/** What a shell does by itself. */
const BUILT_IN = new Set(
  `. : [ [[ alias bg bind break builtin caller case cd command compgen complete continue coproc declare dirs disown do done echo
  elif else enable esac eval exec exit export false fc fg fi for function getopts hash help history if in jobs kill let local
  logout mapfile popd printf pushd pwd read readarray readonly return select set shift shopt source suspend test then time times
  trap true type typeset ulimit umask unalias unset until wait while { } ! (( ))`.split(/\s+/),
);

/** The programs that a line runs for certain, by name. Those that it asks for first are not: it knows what to do without. */
function namesIn(command: string): string[] {
  const line = readShellLine(command.replace(/\{\{[^}]*\}\}/g, 'x'));
  const asked = new Set(
    [...command.matchAll(/\b(?:command -v|which|type|hash)\s+([\w.-]+)/g)].map(([, name]) => name),
  );
  const own = new Set([...command.matchAll(/\b([\w-]+)\s*\(\)/g)].map(([, name]) => name));
  return (line?.commands ?? []).flatMap(({ words, prefix }) => {
    const name = words[prefix];
    const isPlain = name !== undefined && /^[\w@%+.,:/-]+$/.test(name);
    return isPlain && !BUILT_IN.has(name) && !asked.has(name) && !own.has(name) ? [name] : [];
  });
}

function problemWith(name: string, folder: string): Problem | undefined {
  const isPath = name.includes('/');
  const places = isPath
    ? [resolve(folder, name)]
    : (process.env.PATH ?? '').split(delimiter).map((dir) => join(dir, name));
  const there = places.filter(isFile);
  if (there.some(isExecutable)) return undefined;
  if (there.length === 0) {
    const where = isPath ? 'There is no such file' : 'It is in no folder of PATH';
    return {
      code: 'no_such_command',
      message: `The command ${name} does not exist. ${where}: install it, or correct its name.`,
    };
  }
  return {
    code: 'not_executable',
    message: `${name} cannot be executed: run chmod +x ${name}, or start it by its interpreter.`,
  };
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function missingScripts(entry: CommandEntry, { files }: LoadedSettings): CheckFinding[] {
  const { handler, condition = '', place } = entry;
  const command =
    handler.type === 'command' ? [handler.command, ...(handler.args ?? []), condition].join(' ') : condition;
  const scripts = files.find(({ file }) => file === place.file)?.trust?.scripts ?? [];
  return scripts
    .filter(
      (path) =>
        !existsSync(path) &&
        command.includes(basename(path)) &&
        !namesIn(command).some((name) => path.endsWith(name)),
    )
    .map((path) =>
      about(entry, {
        code: 'no_such_script',
        message: `The script ${path} does not exist: write it, or correct its path.`,
      }),
    );
}
