import { type AnyHook, defineHook } from '@spec/hooks';
import { describe, expect, onTestFinished, test } from 'vitest';
import { call, ruledTurn, turnUnder } from '../test/ruled-turn.ts';
import { createRules } from './create-rules.ts';
import { hooksOfEvents, ruleEvents } from './events.ts';
import type { RuleInput } from './rule.ts';

const script = (code: string, more: Partial<RuleInput> = {}): RuleInput => ({
  action: 'script',
  script: code,
  ...more,
});
const settle = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('what a script may do at each event', () => {
  test('PreToolUse: rewrite the input; other policies are asked about the new one', async () => {
    const seen: string[] = [];
    const watch = defineHook({
      hook: 'before_tool_call',
      id: 'watch',
      execute: async (_state, toolCall) => {
        seen.push(toolCall.function.arguments);
        return null;
      },
    });
    const turn = await ruledTurn([script("return { input: { ...toolInput, flag: '--safe' } };")], {
      calls: [call('bash', { command: 'ls' })],
      before: [watch],
    });
    expect(turn.ran).toEqual([{ name: 'bash', input: { command: 'ls', flag: '--safe' } }]);
    expect(seen).toEqual(['{"command":"ls"}', '{"command":"ls","flag":"--safe"}']);
    expect(turn.runs.map(({ outcome }) => outcome)).toContain('changed');
  });

  test('UserPromptSubmit: deny, rewrite, tell the model', async () => {
    const event = 'UserPromptSubmit';
    const denied = await ruledTurn([{ event, action: 'deny', inputMatchers: { prompt: 'secret' } }], {
      prompt: 'my secret',
    });
    expect(denied.lines).toEqual([]);
    const rewritten = await ruledTurn([
      script("return { input: prompt.toUpperCase(), context: 'Be kind.' };", { event }),
    ]);
    expect(rewritten.lines.slice(0, 2)).toEqual(['user: GO', 'user: Be kind.']);
  });

  test('Stop: keep the turn going, until it has done so often enough', async () => {
    const turn = await ruledTurn([{ event: 'Stop', action: 'deny', reason: 'Not yet.' }]);
    expect(turn.lines.filter((line) => line === 'user: Not yet.')).toHaveLength(8);
  });

  test('AgentStart and PostToolUse: tell the model', async () => {
    const turn = await ruledTurn(
      [
        script("return { context: 'Started.' };", { event: 'AgentStart' }),
        script("return { context: toolName + ': ' + toolResult.content };", { event: 'PostToolUse' }),
      ],
      { calls: [call('bash')] },
    );
    expect(turn.lines).toEqual([
      ...['user: Go', 'user: Started.', 'assistant: null', 'tool: bash ran', 'user: bash: bash ran'],
      'assistant: Done.',
    ]);
  });

  test.each([
    ['PreToolUse', "return { decision: 'block' };", 'returns nothing, or { decision'],
    ['PreToolUse', "return { decison: 'deny' };", 'returns nothing, or { decision'],
    ['PreToolUse', "return { input: 'text' };", 'input must be an object'],
    ['PreToolUse', 'return true;', 'returns nothing, or { decision'],
    ['UserPromptSubmit', 'return { input: {} };', 'input must be a string'],
    ['Stop', "return { decision: 'ask' };", 'at Stop nobody is asked'],
    ['Stop', "return { input: 'x' };", 'at Stop there is no input to rewrite'],
    ['PostToolUse', "return { decision: 'deny' };", 'at PostToolUse nothing is left to decide'],
    ['AgentEnd', "return { decision: 'deny' };", 'at AgentEnd nothing is left to decide'],
  ] as const)('%s: %s is an invalid result', async (event, code, why) => {
    const turn = await ruledTurn([script(code, { event })], { calls: [call('bash')] });
    await turn.thread.close();
    expect(turn.runs.concat(await turn.thread.runs({ id: 'rule_1' }))[0]).toMatchObject({
      outcome: 'invalid_result',
      why: expect.stringContaining(why),
    });
    expect(turn.results).toEqual(['bash ran']);
  });

  test('a misspelt decision denies where a failure must not let it happen', async () => {
    const turn = await ruledTurn([script("return { decision: 'denied' };", { continueOnError: false })], {
      calls: [call('bash')],
    });
    expect(turn.ran).toEqual([]);
  });
});

describe('beside other policies', () => {
  const noting = (id: string, order: string[], priority = 0) =>
    defineHook({
      hook: 'before_tool_call',
      id,
      priority,
      execute: async (_state) => {
        order.push(id);
        return { decision: 'allow' };
      },
    });

  test('in the order of the policies; a deny of a rule beats every allow', async () => {
    const order: string[] = [];
    const { hooks, close } = await createRules([{ action: 'deny' }], { onLog: () => order.push('rules') });
    onTestFinished(close);
    const log = await createRules([{ action: 'log' }], { name: 'log', onLog: () => order.push('rules') });
    const policies = [
      noting('before', order),
      ...log.hooks,
      noting('behind', order),
      noting('first', order, 1),
      ...hooks,
    ];
    const { results } = await turnUnder(policies, { calls: [call('bash')] });
    expect(order).toEqual(['first', 'before', 'rules', 'behind']);
    expect(results[0]).toContain('denied by rules_pre_tool_use');
  });

  test('the record has each rule that matched, with its place, and the hook around them', async () => {
    const turn = await ruledTurn(
      [
        { id: 'first', action: 'log' },
        { id: 'second', action: 'log', matcher: 'files' },
        { id: 'third', action: 'deny', matcher: 'bash', priority: -1 },
      ],
      { calls: [call('bash')] },
    );
    expect(turn.runs).toMatchObject([
      { hook: 'before_tool_call', id: 'first', source: 'policy', outcome: 'ok' },
      { hook: 'before_tool_call', id: 'third', outcome: 'denied' },
    ]);
    expect((await turn.thread.runs({ id: 'rules_pre_tool_use' }))[0]).toMatchObject({ outcome: 'denied' });
  });
});

test('without onLog the thread tells it as an event', async () => {
  const { hooks, close } = await createRules([
    { id: 'audit', action: 'log' },
    script("log('a');", { id: 'says' }),
  ]);
  onTestFinished(close);
  const events: unknown[] = [];
  const listen = defineHook({
    hook: 'after_session_started',
    id: 'listen',
    execute: async (_state) => null,
  });
  const { thread } = await turnUnder([listen, ...hooks], {});
  void (async () => {
    for await (const event of thread.events())
      if (JSON.stringify(event).includes('rule_log')) events.push(event);
  })();
  await thread.state.invokeTool('bash', { command: 'ls' });
  await settle(5);
  expect(events).toMatchObject([
    { data: { rule: 'audit', occasion: { toolName: 'bash' } } },
    { data: { rule: 'says', line: 'a' } },
  ]);
});

test.each([
  [
    'throws',
    () => {
      throw new Error('secret');
    },
  ],
  [
    'rejects',
    async () => {
      throw new Error('secret');
    },
  ],
])('an onLog that %s decides nothing, and its record says so', async (_name, onLog) => {
  const { hooks } = await createRules([{ id: 'audit', action: 'log' }], { onLog });
  const turn = await turnUnder(hooks, { calls: [call('bash')] });
  expect(turn.results).toEqual(['bash ran']);
  expect(turn.runs).toContainEqual(
    expect.objectContaining({ id: 'audit', outcome: 'failed', why: 'onLog threw an error' }),
  );
});

describe('scripts that call tools', () => {
  test('pass the same gates as the model', async () => {
    const rules: RuleInput[] = [
      { id: 'no_fetch', action: 'deny', matcher: '^fetch$', reason: 'No net.' },
      script("log((await callTool('fetch', {})).content);", { matcher: '^bash$' }),
    ];
    const turn = await ruledTurn(rules, { calls: [call('bash')] });
    expect(turn.logs[0]?.line).toContain('No net.');
    expect(turn.ran).toEqual([{ name: 'bash', input: {} }]);
  });

  test('and scripts of other rules run about those calls, in workers of their own', async () => {
    const rules = [
      script("log('outer', (await callTool('files', { a: 1 })).content);", { matcher: '^bash$' }),
      script("log('inner', JSON.stringify(toolInput)); return { input: { a: 2 } };", { matcher: '^files$' }),
    ];
    const turn = await ruledTurn(rules, {
      calls: [call('bash')],
      execute: (name, input) => `${name} ${JSON.stringify(input)}`,
    });
    expect(turn.logs.map(({ line }) => line)).toEqual(['inner {"a":1}', 'outer files {"a":2}']);
  });

  test('a script that runs into itself ends at four levels', async () => {
    const code = "try { await callTool('bash', {}); } catch (error) { log(String(error)); }";
    const turn = await ruledTurn([script(code)], { calls: [call('bash')] });
    expect(turn.logs.map(({ line }) => line).join()).toMatch(/more than 4 deep/);
    expect(turn.ran.length).toBeLessThan(8);
  });

  test('… and at 100 calls in all', async () => {
    const code =
      "for (let i = 0; i < 30; i++) try { await callTool('bash', {}); } catch (error) { log(String(error)); break; }";
    const turn = await ruledTurn([script(code)], { calls: [call('bash')], deadline: '20s' });
    expect(turn.ran.length).toBeLessThanOrEqual(101);
    expect(turn.logs.map(({ line }) => line).join()).toContain('may call at most 100 tools together');
  }, 30_000);

  test('the clock of the hook stands still meanwhile', async () => {
    const { hooks, close } = await createRules(
      [script("await callTool('files', {}); log('went on');", { matcher: '^bash$' })],
      {
        deadline: 200,
        onLog: ({ line = '' }) => lines.push(line),
      },
    );
    onTestFinished(close);
    const lines: string[] = [];
    const impatient = (hook: AnyHook): AnyHook => defineHook({ ...hook, timeout: 300 } as never) as AnyHook;
    const policies = hooks.map((hook) => (hook.hook === 'before_tool_call' ? impatient(hook) : hook));
    const turn = await turnUnder(policies, {
      calls: [call('bash')],
      execute: (name) => (name === 'files' ? settle(700) : 'ran'),
    });
    expect(turn.results).toEqual(['ran']);
    expect(lines).toEqual(['went on']);
  });

  test('a stop ends the script at once', async () => {
    const rule = script("if (prompt === 'loop') for (;;);", { event: 'UserPromptSubmit' });
    const { thread } = await ruledTurn([rule], { deadline: '30s' });
    const startedAt = performance.now();
    const running = thread.send('loop').catch(() => undefined);
    await settle(100);
    await thread.stop();
    await running;
    expect(performance.now() - startedAt).toBeLessThan(20_000); // It may take 30 s.
    expect((await thread.runs({ id: 'rules_user_prompt_submit' })).map(({ outcome }) => outcome)).toEqual([
      'ok',
      'aborted',
    ]);
  });
});

test.each([
  [true, ['bash ran']],
  [false, [expect.stringContaining('the script ran longer than its 50 ms')]],
])('an endless script follows its failure policy (continueOnError: %s)', async (continueOnError, results) => {
  const turn = await ruledTurn([script('for (;;);', { continueOnError })], {
    calls: [call('bash')],
    deadline: 50,
  });
  expect(turn.results).toEqual(results);
  expect(turn.runs[0]).toMatchObject({ outcome: 'timed_out', why: 'the script ran longer than its 50 ms' });
});

test.each([
  ["return { decision: 'deny', reason: 'no rm: ' + toolInput.command };", 1.1e6, 'no rm: xxx'],
  ['return null;', 5e6, 'what the script would be given is too long for it'],
])('padding switches no script off, also where failures go on: %s', async (code, length, reason) => {
  const calls = [call('bash', { command: 'x'.repeat(length) })];
  const turn = await ruledTurn([script(code)], { calls, deadline: 20_000 });
  expect(turn.results).toEqual([expect.stringContaining(reason)]);
});

test.each(ruleEvents)('rules of %s run in the hooks that the table names', async (event) => {
  const { hooks } = await createRules([{ id: 'one', action: 'log', event }]);
  expect(hooks.map(({ hook }) => hook)).toEqual(hooksOfEvents[event]);
});
