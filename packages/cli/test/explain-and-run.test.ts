import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { jsonFile, write } from './guarded-project.ts';
import { runCli } from './run-cli.ts';

const run = (command: string, more: object = {}): object => ({ type: 'command', command, ...more });

/** Settings files, by name: one entry for each event. */
const settings: Readonly<Record<string, object>> = {
  claude: {
    PreToolUse: [{ matcher: 'Bash', hooks: [run('exit 0')] }],
    PermissionRequest: [{ hooks: [run('exit 0')] }],
    PostToolUse: [{ hooks: [run('exit 0')] }],
    Stop: [{ hooks: [run('exit 0')] }],
    PreCompact: [{ hooks: [run('exit 0')] }],
  },
  unawaited: { PreToolUse: [{ matcher: 'Bash', hooks: [run('exit 0', { async: true })] }] },
  absent: { PreToolUse: [{ matcher: 'Bash', hooks: [run('no-such-program-anywhere')] }] },
  wrong: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'comand', command: 'exit 2' }] }] },
  lax: { PreToolUse: [{ matcher: '^Bash$', command: 'echo {{toolName}}', continueOnError: true }] },
  serial: {
    PreToolUse: [
      { matcher: '^Bash$', command: 'no-such-program-anywhere', continueOnError: false, priority: 1 },
      { matcher: '^Bash$', command: 'exit 0', continueOnError: false },
    ],
  },
  first: {
    failureBehavior: 'deny',
    PermissionRequest: ['exit 0; # may allow', 'no-such-program-anywhere'].map((command, i) => ({
      name: `guard-${i}`,
      matcher: { tools: 'Bash' },
      hooks: [run(command)],
    })),
  },
  http: {
    PreToolUse: [
      {
        matcher: 'Bash',
        hooks: [{ type: 'http', url: 'https://example.invalid/guard', onFailure: 'block' }],
      },
    ],
  },
  header: {
    PreToolUse: [
      {
        matcher: 'Bash',
        hooks: [
          {
            type: 'http',
            url: 'http://localhost:9/',
            headers: { authorization: '$TOKEN' },
            allowedEnvVars: ['TOKEN'],
            onFailure: 'block',
          },
        ],
      },
    ],
  },
  tool: {
    PreToolUse: [
      { matcher: 'Bash', hooks: [{ type: 'mcp_tool', server: 'gone', tool: 'judge', onFailure: 'block' }] },
    ],
  },
  unfilled: {
    PreToolUse: [{ matcher: '^Read$', command: 'test -n {{input.command}}', continueOnError: false }],
  },
  large: { PreToolUse: [{ matcher: 'Write', command: 'test -n "$INPUT"', continueOnFailure: false }] },
  conditional: {
    PreToolUse: [
      { matcher: 'Bash', condition: 'false', command: 'no-such-program-anywhere', continueOnFailure: false },
    ],
  },
  strict: {
    UserPromptSubmit: [{ command: 'no-such-program-anywhere --prompt', continueOnError: false, priority: 1 }],
    Stop: [{ command: 'no-such-program-anywhere', continueOnError: false, priority: 1 }],
  },
};

const rules = `rules:
  - { id: not_yet, event: Stop, action: deny, reason: Run the tests first. }
  - { id: reading, action: allow, matcher: '^Read$' }
  - { id: no_long_ones, action: deny, matcher: '^Write$', inputMatchers: { content: 'secret' } }
`;

/** A matcher that nobody can test where the path is relative; the hook itself denies nothing. */
const guard = (more: string): string => `import { defineHook } from '@spec/hooks';
export default defineHook({ hook: 'before_tool_call', id: 'guard', match: { paths: ['/safe/**'] }, ${more} execute: async () => null });
`;
const schema = `import { defineHook } from '@spec/hooks';
const validate = (value) => { console.error('the schema was called'); return { issues: [{ message: 'no', path: ['x'] }] }; };
export default defineHook({ hook: 'before_tool_call', id: 'guard', schema: { '~standard': { version: 1, vendor: 'own', validate } }, onError: 'continue', execute: async () => null });
`;

const inputs = {
  bash: { tool_name: 'Bash', tool_input: { command: 'ls' } },
  read: { tool_name: 'Read', tool_input: { file_path: 'a.txt' } },
  loop: { tool_name: 'Read', tool_input: { file_path: 'loop.txt' } },
  long: { tool_name: 'Write', tool_input: { content: 'x'.repeat(1_100_000) } },
  result: { tool_name: 'Bash', tool_input: {}, tool_response: 'x' },
  prompt: { prompt: 'my key' },
  stop: { reason: 'completed' },
};

interface SetUp {
  readonly what: string;
  /** Of `settings`, or `rules`. */
  readonly config?: readonly string[];
  readonly hooks?: string;
  readonly event: string;
  readonly input: keyof typeof inputs;
  readonly trust?: true;
  readonly decision: 'allow' | 'deny' | 'ask' | null;
}

const setUps: readonly SetUp[] = [
  {
    what: 'an untrusted guard of a tool',
    config: ['claude'],
    event: 'PreToolUse',
    input: 'bash',
    decision: 'deny',
  },
  {
    what: 'an untrusted guard of a permission',
    config: ['claude'],
    event: 'PermissionRequest',
    input: 'bash',
    decision: 'deny',
  },
  {
    what: 'an untrusted guard of a prompt',
    config: ['strict'],
    event: 'UserPromptSubmit',
    input: 'prompt',
    decision: 'deny',
  },
  {
    what: 'untrusted, and after the tool',
    config: ['claude'],
    event: 'PostToolUse',
    input: 'result',
    decision: null,
  },
  {
    what: 'untrusted, at the end of a turn',
    config: ['claude', 'strict'],
    event: 'Stop',
    input: 'stop',
    decision: null,
  },
  {
    what: 'untrusted, before a compaction',
    config: ['claude'],
    event: 'PreCompact',
    input: 'stop',
    decision: null,
  },
  {
    what: 'untrusted, and nobody waits for it',
    config: ['unawaited'],
    event: 'PreToolUse',
    input: 'bash',
    decision: null,
  },
  {
    what: 'untrusted, and nothing of it could deny',
    config: ['lax'],
    event: 'PreToolUse',
    input: 'bash',
    decision: null,
  },
  {
    what: 'a command that is not there, where that lets pass',
    config: ['absent'],
    trust: true,
    event: 'PreToolUse',
    input: 'bash',
    decision: null,
  },
  {
    what: 'a command that is not there, where that denies',
    config: ['strict'],
    trust: true,
    event: 'UserPromptSubmit',
    input: 'prompt',
    decision: 'deny',
  },
  {
    what: 'a command that is not there, at the end of a turn',
    config: ['strict'],
    trust: true,
    event: 'Stop',
    input: 'stop',
    decision: 'deny',
  },
  ...(
    [
      ['a host that may not be asked', 'http', 'bash', 'deny'],
      ['a header with a variable that is not handed on', 'header', 'bash', 'deny'],
      ['a tool that is not there', 'tool', 'bash', 'deny'],
      ['a template that cannot be filled in', 'unfilled', 'read', 'deny'],
      ['an input that is too large for the variable that it is read from', 'large', 'long', 'deny'],
      ['a command that is not there, behind a condition that does not hold', 'conditional', 'bash', null],
    ] as const
  ).map(
    ([what, config, input, decision]): SetUp => ({
      what,
      config: [config],
      trust: true,
      event: 'PreToolUse',
      input,
      decision,
    }),
  ),
  {
    what: 'an entry that is wrong',
    config: ['wrong'],
    trust: true,
    event: 'PreToolUse',
    input: 'bash',
    decision: null,
  },
  { what: 'a rule for the end of a turn', config: ['rules'], event: 'Stop', input: 'stop', decision: 'deny' },
  { what: 'a rule that allows', config: ['rules'], event: 'PreToolUse', input: 'read', decision: 'allow' },
  {
    what: 'a rule that allows, after an untrusted file that is not for it',
    config: ['claude', 'rules'],
    event: 'PreToolUse',
    input: 'read',
    decision: 'allow',
  },
  {
    what: 'a rule that cannot be tested',
    config: ['rules'],
    event: 'PreToolUse',
    input: 'long',
    decision: 'deny',
  },
  {
    what: 'a matcher that cannot be tested',
    hooks: 'blocks',
    event: 'PreToolUse',
    input: 'loop',
    decision: 'deny',
  },
  { what: 'the same, where that asks', hooks: 'asks', event: 'PreToolUse', input: 'loop', decision: 'ask' },
  {
    what: 'the same, beside an untrusted guard',
    config: ['claude'],
    hooks: 'asks',
    event: 'PreToolUse',
    input: 'bash',
    decision: 'deny',
  },
];

let cwd = '';
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'spec-hooks-explained-'));
  for (const [name, hooks] of Object.entries(settings)) jsonFile(cwd, { hooks }, `${name}.json`);
  for (const [name, input] of Object.entries(inputs)) jsonFile(cwd, input, `${name}.input.json`);
  symlinkSync('loop.txt', join(cwd, 'loop.txt'));
  write(cwd, 'rules.yaml', rules);
  write(cwd, 'blocks/guard.ts', guard(''));
  write(cwd, 'asks/guard.ts', guard("onError: 'ask',"));
  write(cwd, 'schema/guard.ts', schema);
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

async function told<Told>(
  command: string,
  { config = [], hooks, event, input, trust }: Omit<SetUp, 'what' | 'decision'>,
): Promise<Told> {
  const files = config.map((name) => (name === 'rules' ? 'rules.yaml' : `${name}.json`));
  const args = [
    command,
    ...['--event', event, '--input', `${input}.input.json`, '--json'],
    ...(files.length === 0 ? [] : ['--config', ...files]),
    ...(hooks === undefined ? [] : ['--hooks', hooks]),
    ...(trust ? ['--trust'] : []),
  ];
  const { stdout, stderr } = await runCli(args, { cwd, env: { HOME: join(cwd, 'home') } });
  if (stdout === '') throw new Error(`${args.join(' ')} printed nothing; standard error: ${stderr}`);
  return { ...JSON.parse(stdout), stderr };
}

interface Said {
  readonly decision: string | null;
  readonly reason: string | null;
  readonly stderr: string;
}

interface Explained {
  readonly hooks: readonly {
    id: string;
    runs: boolean | null;
    why: string;
    onError: string;
    decision: string | null;
  }[];
  readonly combination: Said & { readonly by: string | null };
  readonly notLoaded: readonly { readonly source: string; readonly message: string }[];
  readonly stderr: string;
}

describe('what explain says of an event, run decides', { timeout: 60_000 }, () => {
  test.each(setUps)('$what: $decision', async ({ decision, ...setUp }) => {
    const [{ combination }, ran] = await Promise.all([
      told<Explained>('explain', setUp),
      told<Said>('run', setUp),
    ]);
    expect([combination.decision, ran.decision]).toEqual([decision, decision]);
    expect(combination.reason).toBe(ran.reason);
  });
});

describe('what explain says of a hook', { timeout: 60_000 }, () => {
  test('of an untrusted guard: it denies, whatever the file says of its failures', async () => {
    const { hooks, combination } = await told<Explained>('explain', {
      config: ['claude'],
      event: 'PreToolUse',
      input: 'bash',
    });
    expect(hooks.find(({ id }) => id === 'claude_project_pre_tool_use_1')).toMatchObject({
      runs: false,
      why: 'its file is not trusted yet; what it guards is denied',
      onError: 'block',
      decision: 'deny',
    });
    expect(combination).toMatchObject({
      by: 'claude_project_pre_tool_use_1',
      reason:
        'A hook of claude.json guards this, and cannot run: it is not trusted. A person has to look at the file and trust it.',
    });
  });

  test('of an untrusted entry that guards nothing: it is passed over', async () => {
    const { hooks } = await told<Explained>('explain', {
      config: ['claude'],
      event: 'PostToolUse',
      input: 'result',
    });
    expect(hooks.find(({ id }) => id === 'claude_project_post_tool_use_1')).toMatchObject({
      runs: false,
      why: 'its file is not trusted yet; it guards nothing, and is passed over',
      onError: 'continue',
      decision: null,
    });
  });

  test('of an entry that is wrong: that it is not there, where, and why', async () => {
    const { hooks, notLoaded } = await told<Explained>('explain', {
      config: ['wrong'],
      event: 'PreToolUse',
      input: 'bash',
    });
    expect(hooks).toEqual([]);
    expect(notLoaded).toEqual([
      { source: 'wrong.json:1', message: expect.stringContaining('There is no type "comand" of hooks.') },
    ]);
  });

  test('of an entry behind one that denies: it is not asked; behind one that may decide first: nothing is certain', async () => {
    const about = { event: 'PreToolUse', input: 'bash', trust: true } as const;
    const serial = await told<Explained>('explain', { ...about, config: ['serial'] });
    expect(serial.hooks).toMatchObject([
      { runs: true, why: 'its matcher fits; the command was not found (127)', decision: 'deny' },
      { runs: false, why: `the entry "${serial.hooks[0]?.id}" denies before`, decision: null },
    ]);
    const first = await told<Explained>('explain', {
      ...about,
      event: 'PermissionRequest',
      config: ['first'],
    });
    expect(first.hooks.map(({ runs, decision }) => [runs, decision])).toEqual([
      [true, null],
      [true, 'deny'],
    ]);
    expect(first.combination).toMatchObject({ decision: null, by: null });
  });

  test('its schema is code, and is not called', async () => {
    const { hooks, stderr } = await told<Explained>('explain', {
      hooks: 'schema',
      event: 'PreToolUse',
      input: 'bash',
    });
    expect(hooks).toMatchObject([
      { id: 'guard', runs: null, why: expect.stringContaining('its schema, which is code') },
    ]);
    expect(stderr).toBe('');
    const ran = await told<Said>('run', { hooks: 'schema', event: 'PreToolUse', input: 'bash' });
    expect(ran.stderr).toContain('the schema was called');
  });
});
