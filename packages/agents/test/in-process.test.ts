import { type AnyHook, defineHook } from '@spec/hooks';
import { describe, expect, test } from 'vitest';
import { createClaudeAgentHooks } from '../src/in-process/claude-agent-sdk.ts';
import { createClaudeMod } from '../src/in-process/claude-mod.ts';
import type { InProcessHost } from '../src/in-process/host.ts';
import { createOpenCodePlugin, runInOpenCode } from '../src/in-process/opencode.ts';
import { createPiExtension, type PiContext, type PiExtension, runInPi } from '../src/in-process/pi.ts';
import { createAgentHost, createRefusingHost, createTellingHost, findAgent } from '../src/index.ts';

interface Call {
  readonly tool?: string;
  readonly input?: Record<string, unknown>;
  /** What the tool answers if it runs. */
  readonly result?: string;
}

/** One session of an agent, as far as its plugin is concerned. */
interface Session {
  /** What becomes of a prompt: the text that the model gets, or nothing if it is refused. */
  prompt(text?: string): Promise<string | undefined>;
  /** Why a call is denied, or the input with which it runs and what the model gets. */
  call(call?: Call): Promise<{ readonly denied: string } | { readonly input: object; readonly told: string }>;
  system(text: string): Promise<string>;
}

const openCode = async (given: readonly AnyHook[] | InProcessHost): Promise<Session> => {
  const hooks =
    'ask' in given
      ? runInOpenCode(given, '/app')
      : await createOpenCodePlugin({ hooks: given, allowPartial: given.map(({ id }) => id) })({
          directory: '/app',
        });
  const session = { sessionID: 's1' };
  return {
    async prompt(text = 'hello') {
      const parts = [{ id: 'prt_1', messageID: 'm', ...session, type: 'text', text }];
      const refused = await hooks['chat.message'](session, { parts }).catch(() => true);
      return refused === true ? undefined : parts.map((part) => part.text).join('\n');
    },
    async call({ tool = 'bash', input = { command: 'ls' }, result = 'key 123' } = {}) {
      const asked = { tool, callID: 'c1', ...session };
      const denied = await hooks['tool.execute.before'](asked, { args: input }).catch(
        (error: Error) => error,
      );
      if (denied instanceof Error) return { denied: denied.message };
      const output = { title: result, output: result, metadata: { output: result, exit: 0 } };
      await hooks['tool.execute.after']({ ...asked, args: input }, output);
      return { input, told: JSON.stringify(output) };
    },
    async system(text) {
      const system = text.split('\n\n');
      await hooks['experimental.chat.system.transform'](session, { system });
      return system.join('\n\n');
    },
  };
};

/** pi takes `undefined` for what an extension has not changed. */
function mergeInPi(first: object, answer: object | undefined): object {
  const changed = Object.entries(answer ?? {}).filter(([, value]) => value !== undefined);
  return { ...first, ...Object.fromEntries(changed) };
}

type Handler = (event: object, context: PiContext) => Promise<Record<string, unknown> | undefined>;

interface PiSession extends Session {
  tell(event: string, payload: object): Promise<Record<string, unknown> | undefined>;
}

/** @param person whether the person allows what they are asked; without one, nobody is there */
function startPi(extension: PiExtension, person?: boolean): PiSession {
  const handlers = new Map<string, Handler>();
  extension({ on: (event, handler) => handlers.set(event, handler as unknown as Handler) });
  const context: PiContext = {
    ...{ cwd: '/app', hasUI: person !== undefined },
    ui: { confirm: async () => person === true, notify: () => {} },
    sessionManager: { getSessionId: () => 's1' },
  };
  const tell: PiSession['tell'] = async (event, payload) => handlers.get(event)?.(payload, context);
  return {
    tell,
    async prompt(text = 'hello') {
      const answer = await tell('input', { text });
      if (answer?.action === 'handled') return undefined;
      const { message } = (await tell('before_agent_start', { systemPrompt: '' })) ?? {};
      const added = message === undefined ? [] : [(message as { content: string }).content];
      return [answer?.text ?? text, ...added].join('\n');
    },
    async call({ tool = 'bash', input = { command: 'ls' }, result = 'key 123' } = {}) {
      const event = { toolName: tool, toolCallId: 'c1', input };
      const { block, reason } = (await tell('tool_call', event)) ?? {};
      if (block === true) return { denied: String(reason) };
      const first = { content: [{ type: 'text', text: result }], details: { result }, isError: false };
      return {
        input,
        told: JSON.stringify(mergeInPi(first, await tell('tool_result', { ...event, ...first }))),
      };
    },
    async system(text) {
      const { systemPrompt = text } = (await tell('before_agent_start', { systemPrompt: text })) ?? {};
      return String(systemPrompt);
    },
  };
}

const pi = async (given: readonly AnyHook[] | InProcessHost): Promise<PiSession> =>
  startPi(
    'ask' in given
      ? (api) => runInPi(given, api)
      : createPiExtension({ hooks: given, allowPartial: given.map(({ id }) => id) }),
  );

const guard = (answer: object | null, match = 'Bash'): AnyHook =>
  defineHook({ hook: 'before_tool_call', id: 'guard', match, execute: async () => answer });

describe.for([
  ['OpenCode', openCode],
  ['pi', pi],
] as const)('%s', ([, start]) => {
  test('runs what no hook objects to, as it was', async () => {
    for (const hooks of [[], [guard(null)]]) {
      const session = await start(hooks);
      expect(await session.call()).toMatchObject({
        input: { command: 'ls' },
        told: expect.stringContaining('key 123'),
      });
      expect(await session.prompt()).toBe('hello');
    }
  });

  test('is told why a call is denied, and what a hook answers in place of a tool', async () => {
    const denied = { denied: 'This tool call was denied by guard. Not here.' };
    expect(await (await start([guard({ decision: 'deny', reason: 'Not here.' })])).call()).toEqual(denied);
    const answers = [
      [{ decision: 'ask', reason: 'Sure?' }, 'Sure?'],
      [{ result: { status: 'success', result: 'from a cache' } }, 'from a cache'],
    ] as const;
    for (const [answer, why] of answers)
      expect(await (await start([guard(answer)])).call()).toMatchObject({
        denied: expect.stringContaining(why),
      });
  });

  test('runs the call with new arguments: in the object that it gave, under its own names', async () => {
    const input = { command: 'rm -rf /', description: 'try it' };
    const called = await (await start([guard({ input: { command: 'ls' } })])).call({ input });
    expect(called).toMatchObject({ input: { command: 'ls' } });
    expect(input).toEqual({ command: 'ls' });
    const own = start === openCode ? 'filePath' : 'path';
    const written = { [own]: '/etc/passwd', content: 'x' };
    const moves = guard({ input: { file_path: '/tmp/x', content: 'x' } }, 'Write');
    await (await start([moves])).call({ tool: 'write', input: written });
    expect(written).toEqual({ [own]: '/tmp/x', content: 'x' });
  });

  test('shows the path that its tool reads, whatever stands beside it', async () => {
    const own = start === openCode ? 'filePath' : 'path';
    const keeps = defineHook({
      hook: 'before_tool_call',
      id: 'keeps',
      match: { tools: 'Read', paths: ['**/.env'] },
      execute: async () => ({ decision: 'deny' }),
    });
    const session = await start([keeps]);
    for (const input of [{ [own]: '/app/.env' }, { file_path: '/app/ok', [own]: '/app/.env' }])
      expect(await session.call({ tool: 'read', input })).toHaveProperty('denied');
    expect(await session.call({ tool: 'read', input: { [own]: '/app/ok' } })).not.toHaveProperty('denied');
  });

  test('is denied what a guard that throws or never answers was to judge, and says nothing of its data', async () => {
    const bodies = [
      async () => {
        throw new Error('secret');
      },
      () => new Promise<null>(() => {}),
      async () => 'nonsense' as never,
    ];
    for (const execute of bodies) {
      const hooks = [
        defineHook({ hook: 'before_tool_call', id: 'guard', timeout: 20, execute }),
        defineHook({ hook: 'before_user_message', id: 'reads', timeout: 20, execute }),
      ];
      const session = await start(hooks);
      const called = await session.call();
      expect(called).toHaveProperty('denied');
      expect(JSON.stringify(called)).not.toContain('secret');
      expect(await session.prompt()).toBeUndefined();
    }
  });

  test('gets the prompt and the system message as hooks leave them, with their contexts', async () => {
    const session = await start([
      defineHook({
        hook: 'before_user_message',
        id: 'prompts',
        execute: async () => ({ input: 'HELLO', context: 'It is May.' }),
      }),
      defineHook({ hook: 'after_system_message', id: 'system', execute: async (_, text) => `${text}!` }),
    ]);
    expect(await session.prompt()).toBe('HELLO\nIt is May.');
    expect(await session.system('Be short.\n\nBe kind.')).toBe('Be short.\n\nBe kind.!');
  });

  test('gets a result as hooks leave it, and nothing of the first one', async () => {
    const hides = (execute: () => Promise<never>): AnyHook =>
      defineHook({ hook: 'before_store_tool_result', id: 'hides', execute });
    const bodies: (() => Promise<never>)[] = [
      async () => ({ status: 'success', result: 'hidden' }) as never,
      async () => Promise.reject(new Error('broken')),
    ];
    for (const [at, execute] of bodies.entries()) {
      const hooks = [hides(execute)];
      const session = await start(hooks);
      const { told } = (await session.call()) as { told: string };
      expect(told).toMatch(at === 0 ? /hidden/ : /withheld/);
      expect(told).not.toContain('key 123');
    }
  });

  test('gets what hooks say before a call with its result, and keeps values for a session', async () => {
    const counts = defineHook({
      hook: 'before_tool_call',
      id: 'counts',
      execute: async (state) => {
        const calls = Number((await state.getValue('calls')) ?? 0) + 1;
        await state.setValue('calls', calls);
        return { context: `call ${calls}` };
      },
    });
    const session = await start([counts]);
    await session.call();
    expect(await session.call()).toMatchObject({ told: expect.stringContaining('call 2') });
  });

  test('is denied what was guarded when hooks cannot be asked, and told once that nobody trusts them', async () => {
    const broken = await start(createRefusingHost('They are gone.'));
    expect(await broken.call()).toMatchObject({ denied: expect.stringContaining('They are gone.') });
    expect(await broken.prompt()).toBeUndefined();
    const calls = await start(createRefusingHost('They are gone.', ['tool_call']));
    expect([await calls.prompt(), await calls.call()]).toEqual(['hello', { denied: expect.any(String) }]);
    const untrusted = await start(createTellingHost('Nobody trusts them.'));
    expect(await untrusted.prompt()).toBe('hello\nNobody trusts them.');
    expect(await untrusted.prompt()).toBe('hello');
    expect(await untrusted.call()).not.toHaveProperty('denied');
  });
});

const filter = defineHook({ hook: 'filter_messages', id: 'last', execute: async (_, all) => all });

test('OpenCode, which would skip a plugin that throws, is denied everything when a hook would never run there', async () => {
  const hooks = await createOpenCodePlugin({ hooks: [filter] })({ directory: '/app' });
  const asked = { tool: 'bash', sessionID: 's1', callID: 'c1' };
  await expect(hooks['tool.execute.before'](asked, { args: {} })).rejects.toThrow(
    'last (filter_messages) never runs: its messages have a form of their own',
  );
});

test('OpenCode tells hooks of each session once, and of subagents with their parent', async () => {
  const seen: unknown[] = [];
  const notes = defineHook({
    hook: 'after_session_started',
    id: 'notes',
    execute: async (_, { sessionId, source, parentId }) => {
      seen.push([sessionId, source, parentId]);
      return `session ${sessionId}`;
    },
  });
  const hooks = await createOpenCodePlugin({ hooks: [notes] })({ directory: '/app' });
  const say = async (sessionID: string): Promise<string[]> => {
    const parts = [{ id: 'prt_1', messageID: 'm', sessionID, type: 'text', text: 'hi' }];
    await hooks['chat.message']({ sessionID }, { parts });
    return parts.map(({ text }) => text);
  };
  for (const info of [{ id: 's1' }, { id: 's2', parentID: 's1' }])
    await hooks.event({ event: { type: 'session.created', properties: { info } } as { type: string } });
  expect([await say('s1'), await say('s1'), await say('s2'), await say('s3')]).toEqual([
    ['hi', 'session s1'],
    ['hi'],
    ['hi', 'session s2'],
    ['hi', 'session s3'],
  ]);
  expect(seen).toEqual([
    ['s1', 'created', null],
    ['s2', 'created', 's1'],
    ['s3', 'opened', null],
  ]);
});

test('OpenCode judges a patch by each file that it touches', async () => {
  const session = await openCode([guard({ decision: 'deny' }, 'Write')]);
  const patchText = '*** Begin Patch\n*** Add File: .env\n+KEY=1\n*** End Patch';
  expect(await session.call({ tool: 'apply_patch', input: { patchText } })).toHaveProperty('denied');
});

describe('OpenCode', () => {
  const open = (hooks: readonly AnyHook[]) =>
    createOpenCodePlugin({ hooks, allowPartial: hooks.map(({ id }) => id) })({ directory: '/app' });

  test('has tools for resources of MCP servers, whose arguments it has read before it asks', async () => {
    const asked = { tool: 'read_mcp_resource', sessionID: 's1', callID: 'c1' };
    const args = { server: 'files', uri: 'file:///etc/passwd' };
    for (const [answer, reason] of [
      [{ decision: 'deny', reason: 'Not this one.' }, 'Not this one.'],
      [{ input: { ...args, uri: 'file:///public' } }, 'this agent would run it with the old ones'],
    ] as const) {
      const plugin = await open([guard(answer, 'ReadMcpResourceTool')]);
      await expect(plugin['tool.execute.before'](asked, { args: { ...args } })).rejects.toThrow(reason);
    }
  });

  test('shows what a program of its model gets in the place of texts', async () => {
    const plugin = await open([maskResults]);
    const asked = { tool: 'srv_look', sessionID: 's1', callID: 'c1', args: {} };
    const output = {
      content: [{ type: 'text', text: 'done' }],
      metadata: {},
      structuredContent: { card: 4111111111111111 },
    };
    await plugin['tool.execute.after'](asked, output);
    expect(JSON.stringify(output)).not.toContain('4111111111111111');
    const said = {
      content: [{ type: 'text', text: '{"card":4111111111111111}' }],
      metadata: {},
      structuredContent: { card: 4111111111111111 },
    };
    await plugin['tool.execute.after'](asked, said);
    expect(said.content).toEqual([{ type: 'text', text: '{"card":#}' }]);
  });

  test('goes on where a command that ran as a subtask has failed', async () => {
    const plugin = await open([maskResults, guard({ context: 'From a hook.' }, 'Agent')]);
    const asked = { tool: 'task', sessionID: 's1', callID: 'c1' };
    await plugin['tool.execute.before'](asked, { args: {} });
    await expect(plugin['tool.execute.after']({ ...asked, args: {} })).resolves.toBeUndefined();
  });

  test('shows what a command asks a subagent as a prompt', async () => {
    const seen: unknown[] = [];
    const prompts = defineHook({
      hook: 'before_user_message',
      id: 'prompts',
      execute: async (_state, { content }) => {
        seen.push(content);
        if (content === 'secret') return { decision: 'deny', reason: 'Not this.' };
        return { input: `${content}!`, context: 'From a hook.' };
      },
    });
    const plugin = await open([prompts]);
    const say = async (prompt: string) => {
      const parts = [{ id: 'prt_1', messageID: 'm', sessionID: 's1', type: 'subtask', prompt }];
      await plugin['chat.message']({ sessionID: 's1' }, { parts });
      return parts;
    };
    expect(await say('review')).toMatchObject([{ prompt: 'review!' }, { text: 'From a hook.' }]);
    await expect(say('secret')).rejects.toThrow('Not this.');
    expect(seen).toEqual(['review', 'secret']);
  });
});

describe('pi', () => {
  test('refuses to start with a hook that would never run', () => {
    expect(() => createPiExtension({ hooks: [filter] })).toThrow('last (filter_messages) never runs');
  });

  test.for([
    [undefined, 'cannot ask one here'],
    [false, 'A person has refused this call. Sure?'],
    [true, undefined],
  ] as const)('asks a person: %s', async ([person, denied]) => {
    const asks = guard({ decision: 'ask', reason: 'Sure?', input: { command: 'ls -l' } });
    const called = await startPi(createPiExtension({ hooks: [asks] }), person).call();
    if (denied === undefined) expect(called).toMatchObject({ input: { command: 'ls -l' } });
    else expect(called).toMatchObject({ denied: expect.stringContaining(denied) });
  });

  test('keeps a turn going eight times and no more, and only one that was completed', async () => {
    const more = defineHook({
      hook: 'before_stop',
      id: 'more',
      execute: async () => ({ keepGoing: 'The tests are red.' }),
    });
    const session = await pi([more]);
    const settle = (outcome = 'completed'): Promise<unknown> =>
      session.tell('agent_before_settle', { outcome, entries: [] });
    expect(await settle('aborted')).toBeUndefined();
    for (let round = 0; round < 8; round++)
      expect(await settle()).toMatchObject({ continue: true, entries: [{ content: 'The tests are red.' }] });
    expect(await settle()).toBeUndefined();
    await session.prompt();
    expect(await settle()).toMatchObject({ continue: true });
  });

  test('shows what a program of its model gets in the place of texts', async () => {
    const session = await pi([maskResults]);
    const event = { toolName: 'bash', toolCallId: 'c2', input: {}, isError: false };
    const result = {
      content: [{ type: 'text', text: 'cut' }],
      structuredContent: { output: 'card 4111111111111111' },
    };
    expect(await session.tell('tool_result', { ...event, ...result })).toBeUndefined();
    const nested = await session.tell('tool_result', { ...event, ...result, parentToolCallId: 'c1' });
    expect(nested).toMatchObject({ content: [{ type: 'text', text: 'cut\n{"output":"card #"}' }] });
    const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    const unread = { ...event, ...result, structuredContent: deep, parentToolCallId: 'c1' };
    expect(await session.tell('tool_result', unread)).toMatchObject({
      content: [{ text: expect.stringContaining('This result was withheld.') }],
      isError: true,
    });
  });

  test('judges each edit of a call, and shows results with their images, batches and compactions', async () => {
    const seen: unknown[] = [];
    const session = await pi([
      defineHook({
        hook: 'before_tool_call',
        id: 'edits',
        execute: async (_, { input }) => (input.old_string === 'secret' ? { decision: 'deny' } : null),
      }),
      defineHook({
        hook: 'before_store_tool_result',
        id: 'results',
        execute: async (_, __, { attachments, ...result }) => ({
          ...result,
          result: `${attachments?.length}`,
        }),
      }),
      defineHook({
        hook: 'after_tool_batch',
        id: 'batch',
        execute: async (_, results) => {
          seen.push(results.map(({ toolCall, result }) => [toolCall.function, result.result]));
          return 'after the batch';
        },
      }),
      defineHook({
        hook: 'before_compaction',
        id: 'compaction',
        execute: async (_, info) => {
          seen.push(info);
          return { decision: 'deny' };
        },
      }),
    ]);
    const edits = ['fine', 'secret'].map((oldText) => ({ oldText, newText: '' }));
    expect(await session.call({ tool: 'edit', input: { path: 'a', edits } })).toHaveProperty('denied');
    const content = [
      { type: 'text', text: 'a' },
      { type: 'image', data: 'AA==', mimeType: 'image/png' },
    ];
    const event = { toolName: 'bash', toolCallId: 'c1', input: { command: 'ls' }, content, isError: false };
    expect(await session.tell('tool_result', event)).toEqual({
      ...{ content: [{ type: 'text', text: '1' }], details: {}, isError: false },
    });
    const message = { content: [{ type: 'toolCall', id: 'c1', name: 'bash', arguments: { command: 'ls' } }] };
    const { input: _, ...result } = event;
    const end = { outcome: 'completed', entries: ['kept'], message, toolResults: [result] };
    expect(await session.tell('turn_end', end)).toMatchObject({
      entries: ['kept', { content: 'after the batch' }],
    });
    const preparation = { messagesToSummarize: [1, 2] };
    expect(await session.tell('session_before_compact', { reason: 'threshold', preparation })).toEqual({
      cancel: true,
    });
    expect(seen).toEqual([
      [[{ name: 'Bash', arguments: '{"command":"ls"}' }, 'a']],
      { trigger: 'auto', messageCount: 2 },
    ]);
  });
});

describe('the Claude Agent SDK', () => {
  const ask = async (hooks: readonly AnyHook[], name: string, payload: object = {}): Promise<unknown> => {
    const made = createClaudeAgentHooks({ hooks, allowPartial: hooks.map(({ id }) => id) });
    const [callback] = made[name]?.[0]?.hooks ?? [];
    const input = { hook_event_name: name, session_id: 's1', cwd: '/app', ...payload };
    return callback?.(input, 'c1', { signal: new AbortController().signal });
  };
  const call = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'c1' };

  test('is given the events that hooks are for, and blocks where a guard gives no answer', () => {
    const stops = defineHook({ hook: 'before_stop', id: 'stops', execute: async () => null });
    const made = createClaudeAgentHooks({ hooks: [guard(null), stops] });
    expect(Object.keys(made).sort()).toEqual(['PreToolUse', 'Stop', 'SubagentStop']);
    expect(made.PreToolUse).toMatchObject([{ onFailure: 'block', timeout: 30 }]);
    expect(made.Stop?.[0]).not.toHaveProperty('onFailure');
  });

  test.each(['the SDK', 'a mod'])(
    'keeps each turn going eight times, whether hooks are on prompts or not: %s',
    async (place) => {
      const more = defineHook({
        hook: 'before_stop',
        id: 'more',
        execute: async () => ({ keepGoing: 'Red.' }),
      });
      const mod = createClaudeMod({ hooks: [more] });
      const callback = createClaudeAgentHooks({ hooks: [more] }).Stop?.[0]?.hooks[0];
      const { signal } = new AbortController();
      const stop = async (fields: object): Promise<boolean> => {
        const payload = { hook_event_name: 'Stop', session_id: 's1', ...fields };
        if (place === 'a mod') return (await mod.passStop(payload, async () => ({}))).block !== undefined;
        return (await callback?.(payload, undefined, { signal }))?.decision === 'block';
      };
      for (let turn = 1; turn <= 3; turn++) {
        expect(await stop({ stop_hook_active: false })).toBe(true);
        for (let round = 2; round <= 8; round++) {
          expect(await stop({ stop_hook_active: true })).toBe(true);
        }
        expect(await stop({ stop_hook_active: true })).toBe(false);
      }
      for (let round = 1; round <= 8; round++)
        expect(await stop({ stop_hook_active: false, agent_id: 'a1' })).toBe(true);
      expect(await stop({ stop_hook_active: false, agent_id: 'a1' })).toBe(false);
      expect(await stop({ stop_hook_active: true })).toBe(false);
    },
  );

  test('is answered in the words of Claude Code', async () => {
    expect(await ask([guard(null)], 'PreToolUse', call)).toEqual({});
    const throws = defineHook({
      hook: 'before_tool_call',
      id: 'throws',
      execute: async () => {
        throw new Error('secret');
      },
    });
    for (const hook of [guard({ decision: 'deny', reason: 'Not here.' }), throws]) {
      const answer = await ask([hook], 'PreToolUse', call);
      expect(answer).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
      expect(JSON.stringify(answer)).not.toContain('secret');
    }
    expect(await ask([guard(null)], 'PreToolUse')).toMatchObject({
      hookSpecificOutput: { permissionDecisionReason: expect.stringContaining('it does not say which tool') },
    });
    const keeps = defineHook({
      hook: 'before_compaction',
      id: 'keeps',
      execute: async () => ({ decision: 'deny', reason: 'Not now.' }),
    });
    expect(await ask([keeps], 'PreCompact')).toEqual({ decision: 'block', reason: 'Not now.' });
  });
});

test('a model that starts a subagent each time is kept going eight times, too', async () => {
  let asked = 0;
  const more = defineHook({
    hook: 'before_stop',
    id: 'more',
    execute: async () => (asked++ % 2 === 0 ? { keepGoing: 'Red.' } : null),
  });
  const host = createAgentHost({ agent: findAgent('claude-code'), hooks: [more] });
  const memory = { keptGoing: 0 };
  const stop = async (event: string, fields: object): Promise<boolean> => {
    const input = JSON.stringify({ session_id: 's1', ...fields });
    return (await host.answer({ event, input, memory })).stdout.includes('Red.');
  };
  for (let round = 0; round < 8; round++) {
    expect(await stop('Stop', { stop_hook_active: round > 0 })).toBe(true);
    expect(await stop('SubagentStop', { stop_hook_active: false, agent_id: 'a1' })).toBe(false);
  }
  expect(await stop('Stop', { stop_hook_active: true })).toBe(false);
});

/** Takes numbers out of results. */
const maskResults = defineHook({
  hook: 'before_store_tool_result',
  id: 'mask_results',
  execute: async (_state, _call, result) => ({
    ...result,
    ...(typeof result.result === 'string' ? { result: result.result.replaceAll(/\d+/g, '#') } : {}),
  }),
});

describe('a result of an MCP server', () => {
  const texts = {
    'as a text': { type: 'text', text: 'card 4111111111111111' },
    'as a resource': { type: 'resource', resource: { uri: 'file:///cards', text: 'card 4111111111111111' } },
  };

  /** What OpenCode gives its model of such a result. */
  const readContent = (content: readonly object[]): string[] =>
    content.flatMap((part) => {
      const { text, resource } = part as { text?: string; resource?: { text?: string } };
      return [text ?? resource?.text ?? ''];
    });

  test.each(Object.entries(texts))(
    'is seen in OpenCode %s, and goes on where its model gets it',
    async (_, part) => {
      const says = guard({ context: 'From a hook.' }, 'srv_look');
      const hooks = [maskResults, says];
      const plugin = await createOpenCodePlugin({ hooks, allowPartial: hooks.map(({ id }) => id) })({
        directory: '/app',
      });
      const asked = { tool: 'srv_look', sessionID: 's1', callID: 'c1' };
      await plugin['tool.execute.before'](asked, { args: {} });
      const output = { content: [part], metadata: {}, structuredContent: { card: 4111111111111111 } };
      await plugin['tool.execute.after']({ ...asked, args: {} }, output);
      expect(readContent(output.content)).toEqual(['card #\n{"card":#}', 'From a hook.']);
      expect(JSON.stringify(output)).not.toContain('4111111111111111');
    },
  );
});

test('OpenCode gives what hooks say of a call to its session alone, where two have one id', async () => {
  const says = defineHook({
    hook: 'before_tool_call',
    id: 'says',
    execute: async ({ threadId }) => (threadId === 's1' ? { context: 'Of the first.' } : null),
  });
  const plugin = await createOpenCodePlugin({ hooks: [says] })({ directory: '/app' });
  const outputs = new Map<string, { output: string; metadata: unknown }>();
  for (const sessionID of ['s1', 's2'])
    await plugin['tool.execute.before']({ tool: 'bash', sessionID, callID: 'call_0' }, { args: {} });
  for (const sessionID of ['s2', 's1']) {
    const output = { output: 'done', metadata: {} };
    await plugin['tool.execute.after']({ tool: 'bash', sessionID, callID: 'call_0', args: {} }, output);
    outputs.set(sessionID, output);
  }
  expect([outputs.get('s1')?.output, outputs.get('s2')?.output]).toEqual(['done\n\nOf the first.', 'done']);
});

test('a mod shows hooks the texts of a result in whatever blocks they stand', async () => {
  const mod = createClaudeMod({ hooks: [maskResults] });
  const place = { session: 's1', folder: '/app' };
  const next = async (event: object) => ({ ...event });
  const content = [
    { type: 'text', text: 'card 4111111111111111' },
    { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'card 5500000000000004' } },
    {
      type: 'search_result',
      source: 'here',
      title: 'cards',
      content: [{ type: 'text', text: 'card 378282246310005' }],
    },
  ];
  const call = { type: 'tool_use', id: 't1', name: 'look', input: {} };
  await mod.passRow({ message: { content: [call] } }, next, place);
  const result = { type: 'tool_result', tool_use_id: 't1', content };
  const passed = await mod.passRow({ message: { content: [result] } }, next, place);
  expect(JSON.stringify(passed)).toContain('card #\\ncard #\\ncard #');
  expect(JSON.stringify(passed)).not.toMatch(/4111111111111111|5500000000000004|378282246310005/);
});
