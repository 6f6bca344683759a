import { existsSync, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { type CommandEntry, conditionCommand } from '@spec/commands';
import { isExecutable } from '@spec/hooks/node';
import type { Project } from '../project/load-project.ts';
import { type CheckFinding, finding } from './finding.ts';
import { type NamedFile, namedBy, namedByWords } from './named-files.ts';
import { usesBashTest } from './shell-steps.ts';

/** Programs and scripts of settings files that are not there, or cannot be executed, and lines that their shell cannot run. */
export function programFindings({ settings, folder }: Project): CheckFinding[] {
  return (settings?.entries ?? []).flatMap((entry) => {
    const problems = listNamedFiles(entry, folder).flatMap((named) => findProblem(named, folder) ?? []);
    const messages = new Map(problems.map((problem) => [problem.message, problem]));
    return [...messages.values(), ...shellProblems(entry)].map((problem) => makeFinding(entry, problem));
  });
}

function listNamedFiles(entry: CommandEntry, folder: string): NamedFile[] {
  const { handler, position } = entry;
  const places = { folder, settingsPath: resolve(folder, position.file) };
  const ofConditions = conditionLines(entry).flatMap((line) => namedBy(line, places));
  if (handler.type !== 'command') return ofConditions;
  const { command, args } = handler;
  const own = args === undefined ? namedBy(command, places) : namedByWords([command, ...args], places);
  return [...own, ...ofConditions];
}

/** A condition that is a command runs in sh. */
function conditionLines(entry: CommandEntry): string[] {
  return [conditionCommand(entry) ?? []].flat();
}

/** What keeps the command of an entry from being started, where it is a single program: a longer line may know what to do without. */
export function launchProblem(
  { handler }: CommandEntry,
  folder: string,
): 'no_such_command' | 'not_executable' | undefined {
  if (handler.type !== 'command') return undefined;
  const { command, args } = handler;
  const places = { folder, settingsPath: '' };
  const isPlain = /^[\w@%+.,:/ -]+$/.test(command);
  const named =
    args !== undefined ? namedByWords([command], places) : isPlain ? namedBy(command, places) : [];
  const [program] = named.filter(({ as }) => as === 'command');
  return program === undefined ? undefined : commandProblem(program.name, folder)?.code;
}

interface Problem {
  readonly code: 'no_such_command' | 'no_such_script' | 'not_executable' | 'bash_only';
  readonly message: string;
}

function makeFinding(
  { position: { file, line, column, path } }: CommandEntry,
  problem: Problem,
): CheckFinding {
  return finding({ level: 'warning', ...problem, file, line, column, entry: path });
}

function findProblem({ name, as }: NamedFile, folder: string): Problem | undefined {
  if (as === 'command') return commandProblem(name, folder);
  if (isThere(name, folder)) return undefined;
  const message = `The script ${name} does not exist: write it, or correct its path.`;
  return { code: 'no_such_script', message };
}

interface CommandProblem extends Problem {
  readonly code: 'no_such_command' | 'not_executable';
}

function commandProblem(name: string, folder: string): CommandProblem | undefined {
  const files = listCandidates(name, folder).filter(isFile);
  if (files.some(isExecutable)) return undefined;
  if (files.length === 0) {
    const where = name.includes('/') ? 'There is no such file' : 'It is in no folder of PATH';
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

function listCandidates(name: string, folder: string): string[] {
  if (name.includes('/')) return [resolve(folder, name)];
  return (process.env.PATH ?? '').split(delimiter).map((dir) => join(dir, name));
}

/** Interpreters look in the folder, shells also in those of PATH; some add an extension. */
function isThere(name: string, folder: string): boolean {
  const places = [resolve(folder, name), ...listCandidates(name, folder)];
  return places.some((path) => ['', '.js', '.json', '.ts'].some((end) => existsSync(`${path}${end}`)));
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function shellProblems(entry: CommandEntry): Problem[] {
  const { handler } = entry;
  const isForSh = handler.type === 'command' && handler.args === undefined && handler.shell !== 'bash';
  const lines = [...(isForSh ? [handler.command] : []), ...conditionLines(entry)];
  if (!lines.some(usesBashTest)) return [];
  const message =
    '[[ … ]] is a test of bash, but sh runs this line: it reports "not found", and the test never succeeds. Write [ … ], or move the line into a script that starts with #!/bin/bash.';
  return [{ code: 'bash_only', message }];
}
