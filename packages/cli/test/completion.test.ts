import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dialectNames, eventNames } from '@spec/commands';
import { lifecycleTable } from '@spec/hooks';
import { describe, expect, test } from 'vitest';
import { createProgram } from '../src/program.ts';
import { outcomeNames } from '../src/value-names.ts';
import { projectFolder } from './project-folder.ts';

const isThere = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0;

const hooks = Object.keys(lifecycleTable);
const commands = createProgram().commands.flatMap((command) => [command.name(), ...command.aliases()]);

/** Lines as they are typed, the last word being completed, with all words that are suggested; none where files are. */
const typed: readonly (readonly [words: readonly string[], suggested: readonly string[]])[] = [
  [['ch'], ['check']],
  [['log', 'f'], ['follow']],
  [['doctor', '--st'], ['--strict']],
  [
    ['run', '--event', ''],
    [...eventNames, ...hooks],
  ],
  [['explain', '--event', 'PreCompa'], ['PreCompact']],
  [
    ['explain', '--json', '--event', 'before_s'],
    ['before_store_tool_result', 'before_stop'],
  ],
  [['list', '--hook', ''], hooks],
  [['stats', '--hook', 'filter'], ['filter_messages']],
  [['log', 'follow', '--outcome', ''], outcomeNames],
  [
    ['stats', '--outcome', 'invalid_'],
    ['invalid_input', 'invalid_result'],
  ],
  [['new', ''], hooks],
  [
    ['new', '--test', ''],
    ['vitest', 'node'],
  ],
  [
    ['convert', 'x', '--to', 's'],
    ['settings', 'service'],
  ],
  [['convert', 'x', '--from', ''], dialectNames],
  [
    ['completion', ''],
    ['bash', 'zsh', 'fish'],
  ],
  [['new', 'before_stop', ''], []],
  [['replay', ''], []],
  [['check', '--config', ''], []],
  [['log', '--thread', ''], []],
];

/** Has a shell complete each of the lines; what it suggests stands on a line of its own. */
type Shell = (script: string, lines: readonly (readonly string[])[]) => string;

const quoted = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(' ');

const shells: Readonly<Record<'bash' | 'zsh' | 'fish', Shell>> = {
  bash: (script, lines) => `source ${script}
try() { COMP_WORDS=(spec-hooks "$@"); COMP_CWORD=$#; _spec_hooks; echo "\${COMPREPLY[*]}"; }
${lines.map((words) => `try ${quoted(words)}`).join('\n')}`,
  // What shows suggestions is replaced by what prints them, those that begin with what was typed.
  zsh: (script, lines) => `
compdef() { }
compset() { }
_files() { }
told() { print -rn -- "\${(M)@:#$PREFIX*} " }
compadd() { shift; told "$@" }
_describe() { told "\${(@)\${(P@)2}%%:*}" }
source ${script}
try() { local -a words=(spec-hooks "$@"); local CURRENT=$#words PREFIX="$words[-1]"; _spec_hooks; print }
${lines.map((words) => `try ${quoted(words)}`).join('\n')}`,
  fish: (script, lines) => `source ${script}
${lines.map((words) => `echo (complete -C 'spec-hooks ${words.join(' ')}' | string split -f1 \\t)`).join('\n')}`,
};

describe('spec-hooks completion', { timeout: 60_000 }, () => {
  test.each(Object.keys(shells) as (keyof typeof shells)[])(
    '%s suggests commands, options and every name that a value can be',
    async (shell) => {
      const project = projectFolder();
      const { code, stdout } = await project.cli(['completion', shell]);
      expect(code).toBe(0);
      if (!isThere(shell))
        return console.log(`${shell} is not installed: it was not asked to complete anything`);
      project.write('script', stdout);
      project.write(
        'try',
        shells[shell](
          join(project.path, 'script'),
          typed.map(([words]) => words),
        ),
      );
      const plain = { bash: ['--norc'], zsh: ['-f'], fish: ['--no-config'] }[shell];
      const told = execFileSync(shell, [...plain, join(project.path, 'try')], {
        encoding: 'utf8',
        cwd: join(project.path),
      });
      const suggested = told.split('\n').map((line) => line.split(' ').filter(Boolean).toSorted());
      const files = ['script', 'try'];
      const expected = typed.map(([words, names]) => [words.join(' '), names.toSorted()]);
      const isFiles = (words: readonly string[]): boolean => files.every((file) => words.includes(file));
      expect(
        typed.map(([words], i) => [words.join(' '), isFiles(suggested[i] ?? []) ? [] : suggested[i]]),
      ).toEqual(expected);
    },
  );

  test('bash completes what stands behind an equals sign, and all commands', async () => {
    const project = projectFolder();
    const { stdout } = await project.cli(['completion', 'bash']);
    const script = join(project.path, 'script');
    writeFileSync(script, stdout);
    const lines = shells.bash(script, [['run', '--event', '=', 'PreCompa'], ['']]);
    const told = execFileSync('bash', ['--norc', '-c', lines], { encoding: 'utf8' }).split('\n');
    expect(told.slice(0, 2)).toEqual(['PreCompact', commands.join(' ')]);
  });

  test('says how it is used, and which shells there are', async () => {
    const project = projectFolder();
    expect((await project.cli(['completion', '--help'])).stdout).toMatchSnapshot();
    expect(await project.cli(['completion', 'tcsh'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Allowed choices are bash, zsh, fish'),
    });
  });
});
