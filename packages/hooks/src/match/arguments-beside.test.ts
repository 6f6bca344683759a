import { describe, expect, test } from 'vitest';
import { compileMatcher } from './matcher.ts';

const git = compileMatcher('Bash(git:*)');
const rm = compileMatcher('Bash(rm:*)');
const push = compileMatcher('Bash(git push:*)');
const call = (input: object) => ({ name: 'Bash', input });

describe('arguments and variables that stand beside a command', () => {
  test.each<[string, object]>([
    ['a list', { command: 'git', args: ['push', 'origin'] }],
    ['a list behind a line', { command: 'sudo git', args: ['push'] }],
    ['a list behind a list', { command: ['git'], args: ['push'] }],
    ['a text', { command: 'git', args: 'push origin' }],
    ['a line', { command: 'git', args: 'status; git push' }],
    ['arguments', { command: 'git', arguments: ['push'] }],
    ['argv', { cmd: 'git', argv: ['push'] }],
    ['a shell', { command: 'sh', args: ['-c', 'git push'] }],
  ])('are seen by a guard: %s', (_, input) => {
    expect(push.test(call(input))).toBe(true);
  });

  test.each<[string, object]>([
    ['a pager', { command: 'git log', env: { GIT_PAGER: 'rm x' } }],
    ['an environment', { command: 'git log', environment: { PAGER: 'rm x' } }],
    ['a list', { command: 'git log', env: ['PAGER=rm x'] }],
    ['pairs', { command: 'git log', env: [{ name: 'PAGER', value: 'rm x' }] }],
    ['a library', { command: 'git log', env: { LD_PRELOAD: './x.so' } }],
    ['one word that holds a line', { command: ['ls; rm x'] }],
  ])('that start another program are seen by a guard: %s', (_, input) => {
    expect(rm.test(call(input))).toBe(true);
  });

  test.each<[string, object]>([
    ['one word that holds a line', { command: ['git status; rm x'] }],
    ['one word that holds options', { command: ['git log -c core.pager=rm'] }],
    ['options beside', { command: 'git', args: ['-c', 'core.pager=rm', 'log'] }],
    ['a line beside', { command: 'git', args: 'log; rm x' }],
    ['a program in the environment', { command: 'git status', env: { GIT_PAGER: 'rm' } }],
    ['any variable', { command: 'git status', env: { A: 'b' } }],
  ])('take an allow away: %s', (_, input) => {
    expect(git.isAll(call(input))).toBe(false);
  });

  test.each<[string, object]>([
    ['a list', { command: ['git', 'commit', '-m', "It's done"] }],
    ['a list beside', { command: 'git', args: ['status', '-s'] }],
    ['nothing beside', { command: 'git status', args: [], env: {} }],
    ['nothing at all', { command: 'git status', args: null, env: undefined }],
  ])('leave an allow: %s', (_, input) => {
    expect(git.isAll(call(input))).toBe(true);
  });

  test.each<[string, object]>([
    ['another command', { cmd: 'git status', command: 'git push' }],
    ['arguments', { cmd: 'git status', args: ['push'] }],
    ['a line', { cmd: 'git status', args: 'push' }],
    ['variables', { cmd: 'git status', env: { A: 'b' } }],
  ])('take an allow away from who tests one field: %s', (_, input) => {
    const one = compileMatcher({ tools: 'Bash', input: { cmd: '^git status' } });
    expect(one.isAll(call({ cmd: 'git status' }))).toBe(true);
    expect(one.test(call(input))).toBe(true);
    expect(one.isAll(call(input))).toBe(false);
  });

  test.each<[string, object]>([
    ['a message', { command: ['git', 'commit', '-m', 'first; rm x'] }],
    ['a message beside', { command: 'git', args: ['commit', '-m', 'first; rm x'] }],
    ['a variable', { command: 'git log', env: { NODE_ENV: 'rm x' } }],
    ['arguments without a command', { args: ['rm', 'x'] }],
  ])('alarm no guard that they do not concern: %s', (_, input) => {
    expect(rm.test(call(input))).toBe(false);
  });
});
