import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectFolder } from '../../test/project-folder.ts';
import { readHooks } from '../../test/settings-file.ts';
import { claude } from '../dialects/claude/index.ts';
import { namedFiles } from './script-files.ts';

const makeHooks = (command: string) => ({
  PreToolUse: [{ hooks: [{ type: 'command', command, shell: 'bash' }] }],
});

/** What the fingerprint of a command does not cover, in a project with some scripts. */
function listUnseen(command: string): string[] {
  const { path } = projectFolder({ 'g.sh': `${'a'.repeat(40)}!\n`, 'x.sh': 'a=1\n' });
  const settingsPath = join(path, '.claude/settings.json');
  const { entries } = readHooks(claude, makeHooks(command), settingsPath);
  const { unseen } = namedFiles(entries, { projectDir: path, settingsPath, dialect: 'claude' });
  return unseen.map(({ why }) => why);
}

test.each([
  ["test -v 'a[$(sh ./g.sh)]'", 'has an index that can run something'],
  ["[ -v 'a[`sh ./g.sh`]' ]", 'has an index that can run something'],
  ['cat <<E\r\nE\r\nsh ./g.sh\nE', 'has carriage returns'],
  ['sh ./x.sh\r', 'has carriage returns'],
  ["x=g; let 'x=5'; sh ./$x.sh", 'calculates, which can set variables'],
  ["sh $'x.sh'", 'only the shell can tell'],
  ['sh $"x.sh"', 'only the shell can tell'],
  ["x=$'x'; . ./$x.sh", 'only the shell can tell'],
  ["cat <<$'E'\n$E\nsh ./x.sh\nE", 'cannot be read for certain'],
  ['sh ~+', 'only the shell can tell'],
])('what only the shell can tell of %j is said', (command, why) => {
  expect(listUnseen(command).join()).toContain(why);
});

test('a word that is no name of a variable is no expression either, and holds nothing up', () => {
  expect(listUnseen("mapfile '(a+)+b'; mapfile 'cat{('; . ./g.sh")).toEqual([]);
});

/** Microseconds of CPU, many times what is needed: what takes the square of the length takes hours. */
const ENOUGH = 20_000_000;

test.each(['[[ ', 'echo ${a[', 'cat <<E\n', '\n', ';', ')', "['a'"])(
  'a script of a quarter of a megabyte of %j is read in time',
  (piece) => {
    const { path } = projectFolder({ 'long.sh': piece.repeat(250_000 / piece.length) });
    const settingsPath = join(path, '.claude/settings.json');
    const { entries } = readHooks(claude, makeHooks('sh long.sh; node long.sh'), settingsPath);
    const before = process.cpuUsage();
    namedFiles(entries, { projectDir: path, settingsPath, dialect: 'claude' });
    expect(process.cpuUsage(before).user).toBeLessThan(ENOUGH);
  },
);

test('scripts that all source each other, and folders within folders, are read in time', () => {
  const numbers = Array.from({ length: 60 }, (_, number) => number);
  const names = numbers.slice(0, 30).map((number) => `${number}.sh`);
  const text = names.map((name) => `. ./${name}\n`).join('');
  const { path } = projectFolder(Object.fromEntries(names.map((name) => [name, text])));
  const settingsPath = join(path, '.claude/settings.json');
  const folders = numbers.map((number) => `cd d${number};`).join(' ');
  const { entries } = readHooks(claude, makeHooks(`sh ./0.sh; (${folders} sh g.sh)`), settingsPath);
  const before = process.cpuUsage();
  const { scripts, unseen } = namedFiles(entries, { projectDir: path, settingsPath, dialect: 'claude' });
  expect(process.cpuUsage(before).user).toBeLessThan(ENOUGH);
  expect(scripts).toContain(join(path, '29.sh'));
  expect(unseen.map(({ why }) => why).join()).toContain('enters more folders than can be looked at');
});
