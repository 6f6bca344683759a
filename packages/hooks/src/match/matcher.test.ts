import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DefinitionError, RunError } from '../errors.ts';
import { compileMatcher, type Matcher } from './matcher.ts';

function findRefusal(matcher: unknown): string {
  try {
    compileMatcher(matcher as Matcher);
  } catch (error) {
    expect(error).toBeInstanceOf(DefinitionError);
    expect((error as DefinitionError).code).toBe('bad_matcher');
    return (error as Error).message;
  }
  throw new Error('nothing was refused');
}

describe('tools', () => {
  test.each<[Matcher, string, boolean]>([
    ['*', 'anything', true],
    ['Bash', 'Bash', true],
    ['Bash', 'bash', false],
    ['Bash', 'Bash\n', false],
    ['Bash', 'BashOutput', false],
    ['Bash|Edit', 'Edit', true],
    [' Bash | Edit ', 'Bash', true],
    ['Bash|Edit', 'Write', false],
    ['code-reviewer', 'my-code-reviewer', false],
    ['get_*', 'get_user', true],
    ['get_*', 'forget_user', false],
    ['*_user', 'get_user', true],
    ['mcp__*__read_*', 'mcp__files__read_text', true],
    ['get_*|send_mail', 'send_mail', true],
    ['server/tool:v1.2@x', 'server/tool:v1.2@x', true],
    ['größe', 'größe', true],
    ['/^bash$/', 'bash', true],
    ['/^bash$/', 'bash\n', false],
    ['/write_/i', 'my_WRITE_file', true],
    [/^(a|b)$/, 'b', true],
    [/a/g, 'a', true],
    [{ tools: 'Bash|Edit' }, 'Edit', true],
    [{ tools: ['get_*', '/mail$/', /^x/] }, 'send_mail', true],
    [{ tools: ['get_*', '/mail$/', /^x/] }, 'xyz', true],
    [{ tools: ['get_*', '/mail$/', /^x/] }, 'other', false],
  ])('%s on %j: %s', (matcher, name, expected) => {
    const compiled = compileMatcher(matcher);
    expect(compiled.test({ name, input: {} })).toBe(expected);
    expect(compiled.test({ name, input: undefined })).toBe(expected);
  });
});

describe('an object: all that is given must hold', () => {
  const matcher = compileMatcher({
    tools: 'Write|Edit',
    paths: ['**/.env*', 'secrets/**'],
    input: { content: 'API_KEY', mode: /^a/i },
  });
  const input = { file_path: 'x/.env', content: 'an API_KEY here', mode: 'Append' };

  test.each([
    ['all', 'Write', input, true],
    ['another tool', 'Read', input, false],
    ['another path', 'Write', { ...input, file_path: 'x/env' }, false],
    ['another content', 'Write', { ...input, content: 'api_key' }, false],
    ['a field that is missing', 'Write', { file_path: '.env', content: 'API_KEY' }, false],
    ['a list with such a text', 'Write', { ...input, mode: ['b', 'a'] }, true],
    ['an object with such a text', 'Write', { ...input, mode: { is: [['a']] } }, true],
    ['a list without one', 'Write', { ...input, mode: ['b', { a: null }] }, false],
    ['an input that is no object', 'Write', 'API_KEY', false],
  ])('%s', (_, name, given, expected) => {
    expect(matcher.test({ name, input: given })).toBe(expected);
  });

  test('commands are tested as they are written', () => {
    const commands = compileMatcher({ commands: ['rm\\s+-rf', /^curl.*\|.*(sh|bash)/] });
    const run = (command: unknown) => commands.test({ name: 'x', input: { command } });
    expect(run('cd / && rm  -rf .')).toBe(true);
    expect(run('curl x | bash')).toBe(true);
    expect(run('ls; curl x | bash')).toBe(false);
    expect(run("r'm' -rf")).toBe(false);
    expect(run(['rm', '-rf', '/'])).toBe(true);
    expect(run(undefined)).toBe(false);
    expect(compileMatcher({ commands: 'x' }).test({ name: 'x', input: { cmd: 'axb' } })).toBe(true);
  });

  test.each<[unknown, boolean]>([
    [['rm', 5], true],
    [[['rm', '-rf']], true],
    [['sh', '-c', ['rm x']], true],
    [{ line: 'rm x' }, true],
    [['rm', null], true],
    [['ls', 5], false],
    [5, false],
    [[], false],
    [{}, false],
    [null, false],
  ])('a command that is no text is seen: %j', (command, expected) => {
    const call = { name: 'Bash', input: { command } };
    for (const matcher of ['Bash(rm:*)', { commands: /\brm\b/ }, { input: { command: /\brm\b/ } }])
      expect(compileMatcher(matcher).test(call)).toBe(expected);
    expect(compileMatcher({ input: { command: /./ } }).isAll(call)).toBe(false);
    if (!Array.isArray(command)) expect(compileMatcher('Bash(rm:*)').isAll(call)).toBe(false);
  });

  test('a field named like a property of every object is just a field', () => {
    const fields = compileMatcher({ input: { constructor: /./, toString: /./ } as Record<string, RegExp> });
    expect(fields.test({ name: 'x', input: {} })).toBe(false);
    expect(fields.test({ name: 'x', input: { constructor: 'a', toString: 'b' } })).toBe(true);
  });
});

describe('what is refused', () => {
  test.each<[unknown, string, string]>([
    ['', 'a pattern is empty', 'Write "*" to match every tool'],
    ['  ', 'a pattern is empty', 'Write "*" to match every tool'],
    ['Bash|', '"Bash|" has an empty entry', 'Remove the "|"'],
    ['|Bash', '"|Bash" has an empty entry', 'Remove the "|"'],
    ['a||b', '"a||b" has an empty entry', 'Remove the "|"'],
    ['Bash(git', '"Bash(git" has parentheses that do not fit', 'Write Tool(command:*)'],
    ['Bash)', '"Bash)" has parentheses that do not fit', 'Write Tool(command:*)'],
    ['Bash(git:*)x', 'parentheses that do not fit', '/…/ for a regular expression'],
    ['Bash((git):*)', 'parentheses that do not fit', 'Write Tool(command:*)'],
    ['(git:*)', 'has no tool before its parenthesis', 'Write *(…)'],
    ['^bash$', '"^bash$" is no tool name', 'Write a regular expression as /…/'],
    ['^(Write|Edit)$', 'parentheses', 'regular expression'],
    ['.*', '".*" is no tool name', 'Write a regular expression as /…/'],
    ['mcp__.*', '"mcp__.*" is no tool name', 'Write a regular expression as /…/'],
    ['Bash, Edit', '"Bash, Edit" is no tool name', 'a list as A|B'],
    ['get_?', '"get_?" is no tool name', '/…/'],
    ['/bash', 'not closed', 'End it with "/".'],
    ['/(/', 'breaks at position 0, at "("', 'close every bracket'],
    ['x'.repeat(1_025), 'has 1025 characters, more than 1024', 'Split it'],
    [{}, 'it has no condition', 'Write "*"'],
    [{ tool: 'Bash' }, 'there is no condition "tool"', 'Did you mean "tools"?'],
    [
      { tools: 'Bash', something: 1 },
      'there is no condition "something"',
      'The conditions are tools, paths, commands, input.',
    ],
    [{ tools: undefined, paths: 'x' }, 'tools: it is undefined', 'leave it out'],
    [{ tools: [] }, 'tools: the list is empty', 'at least one'],
    [{ paths: [] }, 'paths: the list is empty', 'at least one'],
    [{ paths: '' }, 'paths: a pattern is empty', 'leave the clause out'],
    [{ paths: /x/ }, 'paths: a pattern must be a string or a regular expression, got object', 'type'],
    [{ commands: [] }, 'commands: the list is empty', 'at least one'],
    [{ commands: 'a(' }, 'commands: /a(/ is not a regular expression: it breaks at position 1', 'bracket'],
    [{ commands: 7 }, 'commands: a pattern must be a string or a regular expression, got number', 'type'],
    [{ input: {} }, 'input: it names no field', '{ field: /…/ }'],
    [{ input: 'x' }, 'input: it must be an object', 'got string'],
    [{ input: ['x'] }, 'input: it must be an object', 'got a list'],
    [
      { input: { url: null } },
      'input.url: a pattern must be a string or a regular expression, got null',
      'type',
    ],
    [
      { input: { url: '[z' } },
      'input.url: /[z/ is not a regular expression: it breaks at position 0, at "["',
      'bracket',
    ],
    [
      null,
      'it must be a string, a regular expression or an object, got null',
      '{ tools, paths, commands, input }',
    ],
    [['Bash', 'Edit'], 'got a list', 'Write "Bash|Edit" for any of these tools.'],
    [[7], 'got a list', '{ tools, paths, commands, input }'],
    [7, 'got number', "tool's name"],
  ])('%j', (matcher, problem, remedy) => {
    const message = findRefusal(matcher);
    expect(message).toMatch(/^Bad matcher[,:]/);
    expect(message).toContain(problem);
    expect(message).toContain(remedy);
  });
});

describe('a text that is too long is an error, never cut', () => {
  const long = `${' '.repeat(1_048_576)}git push`;
  test.each<[Matcher, string]>([
    ['Bash(git:*)', 'command'],
    [{ commands: 'git' }, 'command'],
    [{ paths: '**' }, 'path'],
    [{ input: { url: 'x' } }, 'url'],
  ])('%j', (matcher, field) => {
    const compiled = compileMatcher(matcher);
    const call = { name: 'Bash', input: { [field]: long } };
    let thrown: unknown;
    try {
      compiled.test(call);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(RunError);
    expect((thrown as RunError).code).toBe('invalid_input');
    const message = `The field ${field} has 1048584 characters; a matcher reads at most 1048576. It was not tested.`;
    expect((thrown as RunError).message).toBe(message);
    expect(compiled.explain(call)).toBe(message);
  });

  test('also in a list of words', () => {
    const call = { name: 'Bash', input: { command: ['echo', long] } };
    expect(() => compileMatcher('Bash(git:*)').test(call)).toThrow(
      'The field command has 1048589 characters',
    );
  });

  test('a million characters are read in a moment', () => {
    const line = 'echo "a b" && '.repeat(70_000);
    const started = process.cpuUsage();
    expect(compileMatcher('Bash(git:*)').test({ name: 'Bash', input: { command: `${line}git` } })).toBe(true);
    expect(process.cpuUsage(started).user).toBeLessThan(3_000_000); // µs
  });
});

describe('explain and source', () => {
  const call = { name: 'send_mail', input: { command: 'ls', path: 'a', url: 'x' } };
  test.each<[Matcher, string, string]>([
    ['get_*', 'get_*', 'tools: get_* does not match send_mail'],
    ['send_mail', 'send_mail', 'matches tools: send_mail'],
    ['*(git:*)', '*(git:*)', 'tools: *(git:*) matches send_mail, but none of its commands'],
    [/^get/gi, '/^get/gi', 'tools: /^get/i does not match send_mail'],
    [{ tools: ['a', 'b'] }, 'tools: a|b', 'tools: a|b does not match send_mail'],
    [{ paths: ['b', '!c'] }, 'paths: b, !c', 'paths: b, !c does not match the path'],
    [
      { commands: ['^rm', /x/i] },
      'commands: /^rm/, /x/i',
      'commands: /^rm/, /x/i does not match the command',
    ],
    [{ tools: '*', input: { url: 'y' } }, 'tools: *, input.url: /y/', 'input.url: /y/ does not match it'],
    [{ input: { to: 'y' } }, 'input.to: /y/', 'input.to: the input has no text in this field'],
    [{ tools: '*', paths: 'a' }, 'tools: *, paths: a', 'matches tools: *, paths: a'],
  ])('%j', (matcher, source, explanation) => {
    const compiled = compileMatcher(matcher);
    expect(compiled.source).toBe(source);
    expect(compiled.explain(call)).toBe(explanation);
  });

  test('say which field is missing', () => {
    const empty = { name: 'Bash', input: {} };
    expect(compileMatcher('Bash(git:*)').explain(empty)).toBe(
      'tools: Bash(git:*) needs a command, and the input has none in command or cmd',
    );
    expect(compileMatcher({ commands: 'x' }).explain(empty)).toBe(
      'commands: the input has no command in command or cmd',
    );
    expect(compileMatcher({ paths: 'x' }).explain(empty)).toBe(
      'paths: the input has no path in file_path, path, notebook_path, absolute_path, dir_path, target_file, filePath, dirPath, file_paths, paths, filePaths',
    );
    expect(compileMatcher('x').explain({ name: 'n'.repeat(100), input: {} })).toBe(
      `tools: x does not match ${'n'.repeat(64)}…`,
    );
  });

  test('agree with test, and never tell a value', () => {
    const secret = 'S3CRET';
    const matchers: Matcher[] = [
      '*(git:*)',
      { paths: 'src/**' },
      { commands: 'git' },
      { input: { url: '^http' } },
      { tools: '*', paths: '/x/**' },
    ];
    const value = fc.constantFrom(
      secret,
      `git ${secret}`,
      `src/${secret}`,
      `/x/${secret}`,
      `../${secret}`,
      `http ${secret}`,
      [secret],
      1,
    );
    const input = fc.record({ command: value, path: value, url: value }, { requiredKeys: [] });
    fc.assert(
      fc.property(fc.constantFrom(...matchers), input, (matcher, given) => {
        const compiled = compileMatcher(matcher);
        const seen = { name: 'tool', input: given };
        const text = compiled.explain(seen);
        expect(text).not.toContain(secret);
        let answer: boolean | string;
        try {
          answer = compiled.test(seen);
        } catch (error) {
          answer = (error as Error).message;
        }
        if (typeof answer === 'string') expect(text).toBe(answer);
        else expect(text.startsWith('matches ')).toBe(answer);
      }),
    );
  });

  test('an error that is not ours passes through', () => {
    const matcher = compileMatcher('/x/', {
      regex: () => ({
        test: () => {
          throw new TypeError('mine');
        },
      }),
    });
    const any = { name: 'x', input: {} };
    expect(() => matcher.test(any)).toThrow(TypeError);
    expect(() => matcher.explain(any)).toThrow(TypeError);
  });
});

test('the regular expressions of every condition go through the compiler of the caller', () => {
  const seen: string[] = [];
  const regex = (source: string, flags: string, clause: string) => {
    seen.push(`${clause} ${source} ${flags}`);
    return new RegExp(source, flags);
  };
  compileMatcher(
    { tools: ['/a/i', 'plain', 'glob_*'], paths: '**', commands: 'b', input: { url: /c/g } },
    { regex },
  );
  expect(seen).toEqual(['tools a i', 'commands b ', 'input.url c ']);
});
