import { type AnyHook, defineHook, parseArguments } from '@spec/hooks';
import { describe, expect, test } from 'vitest';
import { type Agent, agents, createAgentHost, findAgent, type Output, refuseEvent } from '../src/index.ts';

/** The events at which each agent asks about the same thing. */
const names = {
  tool: {
    'claude-code': 'PreToolUse',
    codex: 'PreToolUse',
    gemini: 'BeforeTool',
    qwen: 'PreToolUse',
    cursor: 'preToolUse',
    copilot: 'PreToolUse',
  },
  result: {
    'claude-code': 'PostToolUse',
    codex: 'PostToolUse',
    gemini: 'AfterTool',
    qwen: 'PostToolUse',
    cursor: 'postToolUse',
    copilot: 'PostToolUse',
  },
  prompt: {
    'claude-code': 'UserPromptSubmit',
    codex: 'UserPromptSubmit',
    gemini: 'BeforeAgent',
    qwen: 'UserPromptSubmit',
    cursor: 'beforeSubmitPrompt',
    copilot: 'UserPromptSubmit',
  },
  stop: {
    'claude-code': 'Stop',
    codex: 'Stop',
    gemini: 'AfterAgent',
    qwen: 'Stop',
    cursor: 'stop',
    copilot: 'Stop',
  },
  start: {
    'claude-code': 'SessionStart',
    codex: 'SessionStart',
    gemini: 'SessionStart',
    qwen: 'SessionStart',
    cursor: 'sessionStart',
    copilot: 'SessionStart',
  },
} as const;

type Asked = keyof typeof names;
type Name = keyof (typeof names)['tool'];

const shell: Record<Name, string> = {
  'claude-code': 'Bash',
  codex: 'Bash',
  gemini: 'run_shell_command',
  qwen: 'run_shell_command',
  cursor: 'Shell',
  copilot: 'Bash',
};

const guard = (answer: object | null, id = 'guard'): AnyHook =>
  defineHook({ hook: 'before_tool_call', id, match: 'Bash', execute: async () => answer });

interface Told {
  readonly payload?: object;
  readonly hooks?: readonly AnyHook[];
  readonly input?: string;
  readonly abortSignal?: AbortSignal;
}

async function tell(
  agent: Agent,
  asked: Asked,
  { payload = {}, hooks = [], ...given }: Told,
): Promise<Output> {
  const name = agent.name as Name;
  const host = createAgentHost({ agent, hooks, allowPartial: hooks.map(({ id }) => id) });
  const whole = {
    session_id: 's1',
    cwd: '/home/ada/project',
    tool_name: shell[name],
    tool_input: { command: 'rm -rf /' },
    tool_use_id: 'call_1',
    prompt: 'hello',
    ...payload,
  };
  return host.answer({ event: names[asked][name], input: JSON.stringify(whole), ...given });
}

const read = ({ stdout }: Output): unknown => (stdout === '' ? null : JSON.parse(stdout));
const each = describe.for(agents.map((agent) => [agent.name, agent] as const));

each('%s', ([, agent]) => {
  const name = agent.name as Name;

  test('says nothing where no hook objects', async () => {
    for (const asked of Object.keys(names) as Asked[])
      expect(await tell(agent, asked, { hooks: [guard(null)] }), asked).toEqual({
        stdout: '',
        stderr: '',
        code: 0,
      });
  });

  test('is told of a deny with its reason, in JSON and with exit code 0', async () => {
    const output = await tell(agent, 'tool', { hooks: [guard({ decision: 'deny', reason: 'Not here.' })] });
    expect(output).toMatchObject({ code: 0, stderr: '' });
    const reason = 'This tool call was denied by guard. Not here.';
    const fields = { permissionDecision: 'deny', permissionDecisionReason: reason };
    const nested = { hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields } };
    const own: Partial<Record<Name, object>> = {
      gemini: { decision: 'deny', reason },
      cursor: { permission: 'deny', user_message: reason, agent_message: reason },
      copilot: { ...nested, ...fields },
    };
    expect(read(output)).toEqual(own[name] ?? nested);
  });

  test('asks a person where it can, and else denies and says so', async () => {
    const output = await tell(agent, 'tool', { hooks: [guard({ decision: 'ask', reason: 'Sure?' })] });
    const canAsk = ['claude-code', 'qwen', 'copilot'].includes(name);
    expect(output.stdout).toContain(canAsk ? '"ask"' : '"deny"');
    expect(output.stdout).toContain('Sure?');
    if (!canAsk) expect(output.stdout).toContain('cannot ask');
  });

  test('runs new arguments where it can, and never the old ones', async () => {
    const output = await tell(agent, 'tool', { hooks: [guard({ input: { command: 'ls' } })] });
    if (name === 'qwen' || name === 'cursor') {
      expect(output.stdout).toContain('"deny"');
      return;
    }
    if (name === 'copilot') expect(read(output)).toMatchObject({ modifiedArgs: { command: 'ls' } });
    const field = name === 'gemini' ? 'tool_input' : 'updatedInput';
    expect(read(output)).toMatchObject({ hookSpecificOutput: { [field]: { command: 'ls' } } });
    if (name !== 'gemini') expect(output.stdout).toContain('"allow"');
  });

  test('gets a result that a hook gives in place of the tool as a deny', async () => {
    const result = { status: 'success', result: 'from a cache' } as const;
    const output = await tell(agent, 'tool', { hooks: [guard({ result })] });
    expect(output.stdout).toContain('"deny"');
    expect(output.stdout).toContain('from a cache');
  });

  test.for(['{ not json', '', '[]', 'null', '{}', '{"tool_name":7}'])(
    'is denied a call that cannot be read: %s',
    async (input) => {
      const output = await tell(agent, 'tool', { hooks: [guard(null)], input });
      expect(output.code).toBe(0);
      expect(output.stdout).toContain('"deny"');
      expect(output.stdout).toContain('spec-hooks uninstall');
    },
  );

  test('is not told anything of payloads that no hook judges', async () => {
    for (const input of ['{ not json', '{}'])
      expect(await tell(agent, 'tool', { input })).toMatchObject({ stdout: '', stderr: '', code: 0 });
  });

  test('is denied the call where the guard throws, hangs or is cut off', async () => {
    const throws = defineHook({
      hook: 'before_tool_call',
      id: 'throws',
      execute: async () => {
        throw new Error('secret of the hook');
      },
    });
    const hangs = defineHook({
      hook: 'before_tool_call',
      id: 'hangs',
      timeout: 20,
      execute: () => new Promise<null>(() => {}),
    });
    const slow = defineHook({
      hook: 'before_tool_call',
      id: 'slow',
      execute: () => new Promise<null>(() => {}),
    });
    for (const told of [
      { hooks: [throws] },
      { hooks: [hangs] },
      { hooks: [slow], abortSignal: AbortSignal.timeout(20) },
    ]) {
      const output = await tell(agent, 'tool', told);
      expect(output.stdout).toContain('"deny"');
      expect(output.stdout).not.toContain('secret');
    }
  });

  test('takes a prompt that a hook denies or changes for denied', async () => {
    const answers = [{ decision: 'deny', reason: 'No.' }, { input: 'hi' }] as const;
    for (const answer of answers) {
      const hook = defineHook({ hook: 'before_user_message', id: 'p', execute: async () => answer });
      const output = await tell(agent, 'prompt', { hooks: [hook] });
      const denied = { decision: name === 'gemini' ? 'deny' : 'block' };
      expect(read(output)).toMatchObject(name === 'cursor' ? { continue: false } : denied);
    }
  });

  test('gets context with the prompt and at the start of a session', async () => {
    const says: AnyHook[] = [
      defineHook({ hook: 'before_user_message', id: 'p', execute: async () => ({ context: 'It is May.' }) }),
      defineHook({
        hook: 'after_session_started',
        id: 's',
        execute: async ({ threadId }) => `This is ${threadId}.`,
      }),
    ];
    if (name === 'cursor') {
      const started = read(await tell(agent, 'start', { hooks: says }));
      expect(started).toEqual({ additional_context: 'This is s1.' });
      return;
    }
    expect(read(await tell(agent, 'prompt', { hooks: says }))).toMatchObject({
      hookSpecificOutput: { additionalContext: 'It is May.' },
    });
    expect(read(await tell(agent, 'start', { hooks: says }))).toMatchObject({
      hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'This is s1.' },
    });
  });

  test('keeps a turn going eight times and no more', async () => {
    const more = defineHook({
      hook: 'before_stop',
      id: 'more',
      execute: async () => ({ keepGoing: 'The tests are red.' }),
    });
    const host = createAgentHost({ agent, hooks: [more], allowPartial: ['more'] });
    const memory = { keptGoing: 0 };
    const said: string[] = [];
    for (let round = 0; round < 10; round++) {
      // Gemini CLI tells of what it goes on with as of a prompt.
      await host.answer({ event: names.prompt[name], input: '{"session_id":"s1","prompt":"go on"}', memory });
      const input = JSON.stringify({ session_id: 's1', stop_hook_active: round > 0 });
      const { stdout } = await host.answer({ event: names.stop[name], input, memory });
      said.push(stdout);
      if (stdout === '') break;
    }
    expect(said).toHaveLength(9);
    expect(said[0]).toContain('The tests are red.');
    const next = '{"session_id":"s1","stop_hook_active":false}';
    expect((await host.answer({ event: names.stop[name], input: next, memory })).stdout).not.toBe('');
  });

  test('passes results through hooks, where it takes another result', async () => {
    const hides = defineHook({
      hook: 'before_store_tool_result',
      id: 'hides',
      execute: async (_, __, result) => ({ ...result, result: 'hidden' }),
    });
    const payload = {
      tool_response: name === 'gemini' || name === 'qwen' ? { llmContent: 'key 123' } : 'key 123',
      tool_output: '{"output":"key 123","exitCode":0}',
    };
    const output = await tell(agent, 'result', { hooks: [hides], payload });
    if (name === 'qwen' || name === 'cursor') expect(output.stdout).toBe('');
    else expect(output.stdout).toContain('hidden');
    expect(output.stdout).not.toContain('key 123');
  });

  test('guards the events that a hook decides at, and those alone', () => {
    const hosts = (hooks: AnyHook[]) => createAgentHost({ agent, hooks }).guardedEvents;
    expect(hosts([])).toEqual([]);
    const calls = Object.keys(agent.events).filter((event) => agent.events[event]?.moment === 'tool_call');
    expect(calls).toContain(names.tool[name]);
    expect(hosts([guard(null)])).toEqual(calls);
  });

  test('has a deny for each guarded event when hooks cannot be asked, and nothing for others', () => {
    expect(refuseEvent(agent, names.tool[name], 'Node is gone.').stdout).toContain('Node is gone.');
    expect(refuseEvent(agent, names.stop[name], 'Node is gone.').stdout).toBe('');
    expect(refuseEvent(agent, 'constructor', 'Node is gone.').stdout).toBe('');
  });

  test('refuses hooks that would never run there', () => {
    const filter = defineHook({ hook: 'filter_messages', id: 'last', execute: async (_, all) => all });
    expect(() => createAgentHost({ agent, hooks: [filter] })).toThrow(
      `last (filter_messages) never runs: the agent keeps its messages to itself.`,
    );
  });

  test('ignores events that it does not have', async () => {
    const host = createAgentHost({ agent, hooks: [guard({ decision: 'deny', reason: 'x' })] });
    for (const event of ['Nothing', 'constructor', '__proto__'])
      expect(await host.answer({ event, input: '{}' })).toEqual({ stdout: '', stderr: '', code: 0 });
  });
});

describe('names of tools', () => {
  test.for([
    ['gemini', { tool_name: 'write_file' }, 'Write'],
    [
      'gemini',
      { tool_name: 'mcp_a_b_c', mcp_context: { server_name: 'a_b', tool_name: 'c' } },
      'mcp__a_b__c',
    ],
    ['gemini', { tool_name: 'toString' }, 'toString'],
    ['qwen', { tool_name: 'edit' }, 'Edit'],
    ['codex', { tool_name: 'update_plan' }, 'update_plan'],
  ] as const)('%s %j is %s', async ([agent, payload, called]) => {
    const seen: string[] = [];
    const hook = defineHook({
      hook: 'before_tool_call',
      id: 'sees',
      execute: async (_, { function: { name } }) => {
        seen.push(name);
        return null;
      },
    });
    await tell(findAgent(agent), 'tool', { payload, hooks: [hook] });
    expect(seen).toEqual([called]);
  });
});

describe('a patch in Codex', () => {
  const patch = [
    '*** Begin Patch',
    '*** Add File: new.txt',
    '+one',
    '+two',
    '*** Update File: src/old.ts',
    '*** Move to: /etc/passwd',
    '@@',
    ' same',
    '-was',
    '+is',
    '*** Delete File: gone.txt',
    '*** End Patch',
  ].join('\n');
  const codex = findAgent('codex');

  const seen = (command: string, tool = 'apply_patch'): Promise<unknown[]> => seenOf({ command }, tool);

  async function seenOf(input: unknown, tool: string): Promise<unknown[]> {
    const calls: unknown[] = [];
    const hook = defineHook({
      hook: 'before_tool_call',
      id: 'sees',
      execute: async (_, call) => {
        calls.push([call.function.name, parseArguments(call)]);
        return null;
      },
    });
    await tell(codex, 'tool', { hooks: [hook], payload: { tool_name: tool, tool_input: input } });
    return calls;
  }

  test('is judged as what it does to each file', async () => {
    expect(await seen(patch)).toEqual([
      ['apply_patch', { command: patch }],
      ['Write', { file_path: '/home/ada/project/new.txt', content: 'one\ntwo' }],
      [
        'Edit',
        { file_path: '/home/ada/project/src/old.ts', old_string: 'same\nwas', new_string: 'same\nis' },
      ],
      ['Write', { file_path: '/etc/passwd', content: 'same\nis' }],
      ['Write', { file_path: '/home/ada/project/gone.txt', content: '' }],
    ]);
  });

  test('is found in a shell command too', async () => {
    const command = `apply_patch <<'EOF'\n${patch}\nEOF`;
    expect(await seen(command, 'Bash')).toHaveLength(5);
  });

  const heredoc = "apply_patch <<'EOF'\n*** Add File: a\n+b\nEOF";
  const added = '*** Begin Patch\n*** Add File: a\n+b\n*** End Patch';
  test.each([
    ['a program with its arguments', 'Bash', { command: ['apply_patch', added] }],
    ['a shell and its line', 'Bash', { command: ['bash', '-lc', heredoc] }],
    ['a field of another name', 'exec_command', { cmd: heredoc }],
    ['a field of another name, as a list', 'exec_command', { cmd: ['sh', '-c', heredoc] }],
    ['a field beside an empty one', 'Bash', { command: '', cmd: heredoc }],
    ['the input of a tool', 'apply_patch', { input: added }],
    ['an input that is a text', 'apply_patch', added],
  ])('is found in %s', async (_, tool, input) => {
    const write = ['Write', { file_path: '/home/ada/project/a', content: 'b' }];
    expect(await seenOf(input, tool)).toContainEqual(write);
  });

  test.each([
    ['with line ends of Windows', (text: string) => text.replaceAll('\n', '\r\n')],
    ...['\u2028', '\u2029', '\u0085', '\u00a0', '\t'].map(
      (blank) =>
        [
          `with U+${blank.charCodeAt(0).toString(16)} around its lines`,
          (text: string) => text.replaceAll(/^\*\*\*.*$/gm, (line) => `${blank}${line}${blank}`),
        ] as const,
    ),
  ] as const)('%s is judged as one without', async (_, change) => {
    const [, ...plain] = await seen(patch);
    const [, ...others] = await seen(change(patch));
    expect(others).toEqual(plain);
  });

  test('that moves a file to several places is judged at each of them', async () => {
    const moves = ['b', 'c', '.env'].map((name) => `*** Move to: ${name}`).join('\n');
    const written = await seen(`*** Update File: a\n${moves}\n@@\n+is`);
    expect(written.slice(2)).toEqual([
      ['Write', { file_path: '/home/ada/project/b', content: 'is' }],
      ['Write', { file_path: '/home/ada/project/c', content: '' }],
      ['Write', { file_path: '/home/ada/project/.env', content: 'is' }],
    ]);
  });

  test.each(['cd src', 'cd "src"', "cd 'src'"])('is taken from the folder that %s enters', async (enters) => {
    const command = `${enters} && apply_patch <<'EOF'\n*** Add File: a\n+b\nEOF`;
    expect(await seen(command, 'Bash')).toContainEqual([
      'Write',
      { file_path: '/home/ada/project/src/a', content: 'b' },
    ]);
  });

  test('of more files than can be judged in time is denied, and one of twice the length is read in twice the time', async () => {
    const allows = guard({ decision: 'allow' });
    const lines = ['*** Add File: a\n'.repeat(40_000), `*** Add File: ${' '.repeat(200_000)}x`];
    const [many = '', blank = ''] = lines;
    const tellOf = (command: string) =>
      tell(codex, 'tool', {
        hooks: [allows],
        payload: { tool_name: 'apply_patch', tool_input: { command } },
      });
    expect((await tellOf(many)).stdout).toContain('changes more than 500 places');
    expect((await tellOf(blank)).stdout).toBe('');
  });

  test('is denied where one of its files is, and where a hook would change one', async () => {
    const answers: readonly [object, string][] = [
      [{ decision: 'deny', reason: 'Not that file.' }, 'Not that file.'],
      [{ input: { file_path: '/tmp/other', content: '' } }, 'only a new call can do'],
    ];
    for (const [answer, reason] of answers) {
      const hook = defineHook({
        hook: 'before_tool_call',
        id: 'no_passwd',
        match: 'Write',
        execute: async (_, { input }) => (input?.file_path === '/etc/passwd' ? answer : null),
      });
      const payload = { tool_name: 'apply_patch', tool_input: { command: patch } };
      const { stdout } = await tell(codex, 'tool', { hooks: [hook], payload });
      expect(stdout).toContain('"deny"');
      expect(stdout).toContain(reason);
    }
  });
});

test('the strictest judgement of what is inside of a call counts', async () => {
  const allowsShell = guard({ decision: 'allow' });
  const command = "apply_patch <<'EOF'\n*** Add File: a\n+b\nEOF";
  const payload = { tool_name: 'Bash', tool_input: { command } };
  const { stdout } = await tell(findAgent('codex'), 'tool', { hooks: [allowsShell], payload });
  expect(stdout).toBe('');
});

describe('Cursor', () => {
  const cursor = findAgent('cursor');
  const keeps = defineHook({
    hook: 'before_tool_call',
    id: 'keeps',
    match: { tools: 'Read', paths: ['**/.env'] },
    execute: async () => ({ decision: 'deny', reason: 'Not that file.' }),
  });

  test('tells of files that are read by an event of their own', async () => {
    const host = createAgentHost({ agent: cursor, policies: [keeps] });
    const ask = async (file_path: string): Promise<unknown> => {
      const payload = { hook_event_name: 'beforeReadFile', session_id: 's1', file_path, content: 'KEY=1' };
      return read(await host.answer({ event: 'beforeReadFile', input: JSON.stringify(payload) }));
    };
    expect([await ask('/app/.env'), await ask('/app/ok')]).toMatchObject([{ permission: 'deny' }, null]);
  });

  test('runs the entries of Claude Code too, which are silent where it has its own', async () => {
    const denies = guard({ decision: 'deny', reason: 'No.' });
    const input = (more: object): string =>
      JSON.stringify({ session_id: 's1', tool_name: 'Bash', tool_input: { command: 'ls' }, ...more });
    const answer = async (isInstalled: boolean, more: object): Promise<boolean> => {
      const host = createAgentHost({
        ...{ agent: findAgent('claude-code'), policies: [denies] },
        isInstalled: (name) => isInstalled && name === 'cursor',
      });
      return (await host.answer({ event: 'PreToolUse', input: input(more) })).stdout !== '';
    };
    const inCursor = { cursor_version: '2026.09.18' };
    expect(await answer(true, inCursor)).toBe(false);
    expect([await answer(false, inCursor), await answer(true, {})]).toEqual([true, true]);
  });
});

test('an agent with a wrong name is told the nearest', () => {
  expect(() => findAgent('codexx')).toThrow('There is no agent "codexx". Did you mean "codex"?');
});

test('an input of the shell that is no object is judged as its command', async () => {
  const guard = defineHook({
    hook: 'before_tool_call',
    id: 'guard',
    match: 'Bash(rm:*)',
    execute: async () => ({ decision: 'deny', reason: 'No.' }),
  });
  for (const agent of agents) {
    const name = agent.name as Name;
    const host = createAgentHost({ agent, hooks: [guard] });
    for (const input of ['rm x', ['rm', 'x']]) {
      const payload = { session_id: 's', tool_name: shell[name], tool_use_id: 'a', tool_input: input };
      const output = await host.answer({ event: names.tool[name], input: JSON.stringify(payload) });
      expect(output.stdout + output.stderr, name).toContain('denied by guard');
    }
  }
});
