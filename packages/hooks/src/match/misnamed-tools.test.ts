import { expect, test } from 'vitest';
import { compileMatcher, type Matcher } from './matcher.ts';
import { findMisnamedTools } from './misnamed-tools.ts';

const tools = ['Bash', 'run_command', 'Read', 'mcp__files__read'];

test.each<[Matcher, readonly string[]]>([
  ['bash', ['bash is Bash']],
  ['RunCommand', ['RunCommand is run_command']],
  ['run-command(git push:*)|Read', ['run-command is run_command']],
  ['READ|BASH', ['READ is Read', 'BASH is Bash']],
  [{ tools: ['bash', 'Read'], paths: 'src/**' }, ['bash is Bash']],
  [/^bash$/, ['bash is Bash']],
  ['/^(bash|read)$/', ['bash is Bash', 'read is Read']],
  ['/^bash$/i', []],
  ['/ba.h/', []],
  ['Bash', []],
  ['*', []],
  ['read_*', []],
  ['shell', []],
  [{ paths: 'bash' }, []],
])('%s', (matcher, found) => {
  const { source } = compileMatcher(matcher);
  expect(findMisnamedTools(source, tools).map(({ written, meant }) => `${written} is ${meant}`)).toEqual(
    found,
  );
});
