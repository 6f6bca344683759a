import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { MockMemory } from '@mastra/core/memory';
import { RequestContext } from '@mastra/core/request-context';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { redact } from '@spec/builtins';
import { type AnyHook, defineHook, type RunRecord } from '@spec/hooks';
import { memoryStore, type Store } from '@spec/runtime';
import { describe, expect, expectTypeOf, test, vi } from 'vitest';
import { z } from 'zod';
import { type AskPayload, createHooks, type MastraHook, type MastraOptions } from '../src/index.ts';
import { type Answer, scriptedModel } from './scripted-model.ts';

const pay = (input: object = { amount: 5 }, id = 'call_1'): Answer => ({
  calls: [{ id, name: 'pay', input }],
});

const partial = (hooks: readonly AnyHook[]): MastraOptions => ({
  hooks,
  allowPartial: hooks.map(({ id }) => id),
});

type Execute = Parameters<typeof createTool>[0]['execute'];

function payTool(
  execute: (input: { amount: number }) => unknown = ({ amount }) => ({ paid: amount }),
  own?: Execute,
) {
  const run = vi.fn(execute);
  const inputSchema = z.object({ amount: z.number() });
  const tool = createTool({
    ...{ id: 'pay', description: 'Pays.', inputSchema },
    execute: own ?? (async (input) => run(input as { amount: number })),
  });
  return { run, tool };
}

function makeAgent(options: MastraOptions, script: readonly Answer[], payment = payTool()) {
  const hooks = createHooks(options);
  const { model, sent } = scriptedModel(...script);
  const agent = new Agent({
    ...{ id: 'clerk', name: 'clerk', instructions: 'You pay.', model, memory: new MockMemory() },
    tools: hooks.wrapTools({ pay: payment.tool }),
    inputProcessors: [hooks.processor],
  });
  const mastra = new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false });
  return { run: payment.run, agent: mastra.getAgent('agent'), sent };
}

const asking = defineHook({
  hook: 'before_tool_call',
  id: 'asking',
  execute: async () => ({ decision: 'ask', reason: 'Money.' }),
});

describe('a tool call', () => {
  test('runs with what it was given, and gives what it gave, where hooks leave it alone', async () => {
    const runs: RunRecord[] = [];
    const look = defineHook({ hook: 'before_tool_call', id: 'look', execute: async () => null });
    const { agent, run, sent } = makeAgent({ hooks: [look], onRun: (run) => runs.push(run) }, [
      pay(),
      { text: 'Paid.' },
    ]);
    const result = await agent.generate('pay');
    expect([result.text, run.mock.calls]).toEqual(['Paid.', [[{ amount: 5 }]]]);
    expect(JSON.stringify(sent[1])).toContain('{"paid":5}');
    expect(runs.map(({ id, outcome, about }) => [id, outcome, about])).toEqual([
      ['look', 'ok', { call: 'call_1' }],
    ]);
  });

  test.each(['generate', 'stream'] as const)(
    'that is denied never runs, and the model is told why (%s)',
    async (way) => {
      const guard = defineHook({
        hook: 'before_tool_call',
        id: 'guard',
        match: 'pay',
        execute: async (_state, { input }) =>
          Number(input.amount) > 3 ? { decision: 'deny', reason: 'Too much.' } : null,
      });
      const { agent, run, sent } = makeAgent({ hooks: [guard] }, [pay(), { text: 'Sorry.' }]);
      const text =
        way === 'stream' ? await (await agent.stream('pay')).text : (await agent.generate('pay')).text;
      expect([text, run.mock.calls]).toEqual(['Sorry.', []]);
      expect(JSON.stringify(sent[1])).toContain('This tool call was denied by guard. Too much.');
    },
  );

  test('is rewritten; its result is replaced before the model has it', async () => {
    const halve = defineHook({
      hook: 'before_tool_call',
      id: 'halve',
      execute: async (_state, { input }) => ({ input: { amount: Number(input.amount) / 2 } }),
    });
    const hide = defineHook({
      hook: 'before_store_tool_result',
      id: 'hide',
      execute: async (_state, _call, row) => ({ ...row, result: '{"paid":"some"}' }),
    });
    const { agent, run, sent } = makeAgent({ hooks: [halve, hide] }, [pay(), { text: 'Paid.' }]);
    await agent.generate('pay');
    expect(run.mock.calls).toEqual([[{ amount: 2.5 }]]);
    expect(JSON.stringify(sent[1])).toContain('{"paid":"some"}');
  });

  test('whose guard fails does not run, and nobody reads why', async () => {
    const broken = defineHook({
      hook: 'before_tool_call',
      id: 'broken',
      execute: async () => {
        throw new Error('secret');
      },
    });
    const { agent, run, sent } = makeAgent({ hooks: [broken] }, [pay(), { text: 'Sorry.' }]);
    await agent.generate('pay');
    expect(run).not.toHaveBeenCalled();
    expect(JSON.stringify(sent[1])).not.toContain('secret');
  });

  test.each([
    ['throws', null],
    ['is rewritten to arguments that do not fit', { input: { amount: 'x' } }],
  ])('that %s is told to after_tool_call_failure, whose text the model gets', async (_, decision) => {
    const spoil = defineHook({ hook: 'before_tool_call', id: 'spoil', execute: async () => decision });
    const explain = defineHook({
      hook: 'after_tool_call_failure',
      id: 'explain',
      execute: async (_state, _call, result) => ({ ...result, error: `${result.error} Try later.` }),
    });
    const fail = payTool(() => {
      throw new Error('No funds.');
    });
    const { agent, sent } = makeAgent(partial([spoil, explain]), [pay(), { text: 'Sorry.' }], fail);
    await agent.generate('pay');
    expect(JSON.stringify(sent[1])).toContain(decision === null ? 'No funds. Try later.' : 'Try later.');
  });

  test('whose arguments the model got wrong is answered by Mastra: hooks are told, and the tool does not run', async () => {
    const told: unknown[] = [];
    const tell = defineHook({
      hook: 'after_tool_call_failure',
      id: 'tell',
      execute: async (_state, { id }) => {
        told.push(id);
        return null;
      },
    });
    const { agent, run, sent } = makeAgent(partial([tell]), [pay({ amount: 'x' }), { text: 'Sorry.' }]);
    await agent.generate('pay');
    expect([told, run.mock.calls]).toEqual([['call_1'], []]);
    expect(JSON.stringify(sent[1])).toContain('input validation failed');
  });

  test('whose tool suspends the run is no result, and goes on when it is resumed', async () => {
    const told: unknown[] = [];
    const tell = defineHook({
      hook: 'after_tool_call_success',
      id: 'tell',
      execute: async (_state, _call, { result }) => {
        told.push(result);
        return null;
      },
    });
    const own = payTool(undefined, async (_input, { agent }) => {
      if (agent?.resumeData !== undefined) return agent.resumeData;
      await agent?.suspend({ how: 'much' });
      return undefined;
    });
    const { agent } = makeAgent({ hooks: [tell] }, [pay(), { text: 'Paid.' }], own);
    const { runId = '', finishReason } = await agent.generate('pay');
    expect([finishReason, told]).toEqual(['suspended', []]);
    const { text } = await agent.resumeGenerate({ much: 7 }, { runId });
    expect([text, told]).toEqual(['Paid.', ['{"much":7}']]);
  });
});

/** What the person is shown. */
const readAsked = (result: { suspendPayload?: unknown }) =>
  (result.suspendPayload as { suspendPayload: AskPayload }).suspendPayload;
const approve = (result: { suspendPayload?: unknown }) => ({
  ...{ approved: true, approvalId: readAsked(result).approvalId },
});

describe('a call that a hook asks about', () => {
  test('suspends the run, and runs once it is approved', async () => {
    const { agent, run } = makeAgent({ hooks: [asking] }, [pay(), { text: 'Paid.' }]);
    const asked = await agent.generate('pay');
    const { runId = '', finishReason } = asked;
    expect([finishReason, run.mock.calls]).toEqual(['suspended', []]);
    expect(readAsked(asked)).toMatchObject({
      ...{ ask: 'approval', toolCallId: 'call_1', tool: 'pay', input: { amount: 5 }, reason: 'Money.' },
    });
    const { text } = await agent.resumeGenerate(approve(asked), { runId });
    expect([text, run.mock.calls]).toEqual(['Paid.', [[{ amount: 5 }]]]);
  });

  test.each([
    ['refused', { approved: false, reason: 'Not today.' }, 'Not today.'],
    ['answered by something else', { yes: 1 }, 'Permission was refused: Money.'],
    ['approved without its name', { approved: true }, 'The approval does not name the call'],
  ])('does not run where it is %s', async (_, answer, why) => {
    const { agent, run, sent } = makeAgent({ hooks: [asking] }, [pay(), { text: 'No.' }]);
    const { runId = '' } = await agent.generate('pay');
    await agent.resumeGenerate(answer, { runId });
    expect(run).not.toHaveBeenCalled();
    expect(JSON.stringify(sent[1])).toContain(why);
  });

  test('does not run where a hook denies it by the time it is approved', async () => {
    let isClosed = false;
    const close = defineHook({
      hook: 'before_tool_call',
      id: 'close',
      execute: async () => (isClosed ? { decision: 'deny', reason: 'Closed.' } : null),
    });
    const { agent, run } = makeAgent({ hooks: [asking, close] }, [pay(), { text: 'No.' }]);
    const asked = await agent.generate('pay');
    isClosed = true;
    await agent.resumeGenerate(approve(asked), { runId: asked.runId ?? '' });
    expect(run).not.toHaveBeenCalled();
  });

  test('runs with what the person was shown: the other calls of its step, and other arguments, are asked about', async () => {
    let rate = 1;
    const convert = defineHook({
      hook: 'before_tool_call',
      id: 'convert',
      execute: async (_state, { input }) => ({ input: { amount: Number(input.amount) * rate } }),
    });
    const calls = [500, 5].flatMap((amount) => pay({ amount }, `call_${amount}`).calls ?? []);
    const { agent, run } = makeAgent({ hooks: [convert, asking] }, [{ calls }, { text: 'Paid.' }]);
    const first = await agent.generate('pay');
    const runId = first.runId ?? '';
    const shown = readAsked(first).input;
    const second = await agent.resumeGenerate(approve(first), { runId });
    expect([second.finishReason, run.mock.calls]).toEqual(['suspended', [[shown]]]);
    rate = 2;
    const third = await agent.resumeGenerate(approve(second), { runId });
    expect([third.finishReason, run.mock.calls]).toEqual(['suspended', [[shown]]]);
    expect(readAsked(third).input).not.toEqual(readAsked(second).input);
    await agent.resumeGenerate(approve(third), { runId });
    expect(run.mock.calls).toEqual([[shown], [readAsked(third).input]]);
  });

  test('is not answered by the model, which may put an answer among the arguments', async () => {
    const { agent, run } = makeAgent({ hooks: [asking] }, [
      pay({ amount: 5, resumeData: { approved: true } }),
      { text: 'Paid.' },
    ]);
    const { finishReason } = await agent.generate('pay');
    expect([finishReason, run.mock.calls]).toEqual(['suspended', []]);
  });

  test('is put to onAsk where there is one', async () => {
    const onAsk = vi.fn(() => false);
    const { agent, run } = makeAgent({ hooks: [asking], onAsk }, [pay(), { text: 'Sorry.' }]);
    const { finishReason } = await agent.generate('pay');
    expect([onAsk.mock.calls.length, run.mock.calls, finishReason]).toEqual([1, [], 'stop']);
  });
});

describe('what the model is sent', () => {
  test('passes the hooks on the system message and the history, and keeps files as they are', async () => {
    const polite = defineHook({
      hook: 'after_system_message',
      id: 'polite',
      execute: async (_state, text) => `${text} Be polite.`,
    });
    const newest = defineHook({
      hook: 'filter_messages',
      id: 'newest',
      execute: async (_state, messages) => messages.slice(-2),
    });
    const shout = defineHook({
      hook: 'prefilter_llm_history',
      id: 'shout',
      execute: async (_state, messages) =>
        messages.map((message) =>
          message.role === 'user' ? { ...message, content: message.content?.toUpperCase() ?? null } : message,
        ),
    });
    const { agent, sent } = makeAgent({ hooks: [polite, newest, shout] }, [{ text: 'Hi.' }]);
    const image = { type: 'image' as const, image: 'data:image/png;base64,AAAA' };
    await agent.generate([
      { role: 'user', content: 'old' },
      { role: 'assistant', content: 'kept' },
      { role: 'user', content: [{ type: 'text', text: 'new' }, image] },
    ]);
    const [system, answer, user, ...none] = sent[0] ?? [];
    expect([system, none]).toEqual([{ role: 'system', content: 'You pay. Be polite.' }, []]);
    expect(JSON.stringify(answer)).toContain('kept');
    expect(user).toMatchObject({ content: [{ text: 'NEW' }, { type: 'file' }] });
  });

  test('a filter that cuts an exchange in two leaves no half of it', async () => {
    const last = defineHook({
      hook: 'filter_messages',
      id: 'last',
      execute: async (_state, messages) => messages.slice(-1),
    });
    const { agent, sent } = makeAgent({ hooks: [last] }, [pay(), { text: 'Paid.' }]);
    await agent.generate('pay');
    expect((sent[1] as { role: string }[]).map(({ role }) => role)).toEqual(['system']);
  });

  test('contexts of hooks reach the model with its next call, and stay where they were said', async () => {
    const remind = defineHook({
      hook: 'after_tool_batch',
      id: 'remind',
      execute: async (_state, results) => results.map(({ toolCall }) => `${toolCall.id} paid`),
    });
    const { agent, sent } = makeAgent({ hooks: [remind] }, [
      pay(),
      pay({ amount: 6 }, 'call_2'),
      { text: 'Paid.' },
    ]);
    await agent.generate('pay');
    const roles = sent.map((prompt) => (prompt as { role: string }[]).map(({ role }) => role).join(' '));
    expect(roles).toEqual([
      'system user',
      'system user assistant tool user',
      'system user assistant tool user assistant tool user',
    ]);
    expect(JSON.stringify(sent[2]?.[4])).toContain('call_1 paid');
  });

  test('a message of the user is rewritten before model and memory have it; a denied one reaches neither', async () => {
    const guard = defineHook({
      hook: 'before_user_message',
      id: 'guard',
      execute: async (_state, { content }) =>
        content === 'bad'
          ? { decision: 'deny', reason: 'Not here.', userMessage: 'Ask me something else.' }
          : { input: 'good' },
    });
    const { agent, sent } = makeAgent({ hooks: [guard] }, [{ text: 'Hi.' }]);
    const memory = { thread: 'chat-1', resource: 'ada' };
    await agent.generate('so-so', { memory });
    const denied = await agent.generate('bad', { memory });
    expect(denied.tripwire).toMatchObject({
      reason: 'Not here.',
      metadata: { userMessage: 'Ask me something else.' },
    });
    expect([sent.length, JSON.stringify(sent[0])]).toEqual([1, expect.stringContaining('good')]);
    const kept = await (await agent.getMemory())?.recall({ threadId: 'chat-1', resourceId: 'ada' });
    expect(JSON.stringify(kept)).toContain('good');
    expect(JSON.stringify(kept)).not.toMatch(/so-so|"bad"/);
  });

  test('is redacted, also what tools give', async () => {
    const give = payTool(() => ({ to: 'eve@example.com' }));
    const { agent, sent } = makeAgent(partial(redact()), [pay(), { text: 'Paid.' }], give);
    await agent.generate('I am ada@example.com');
    expect(JSON.stringify(sent)).toContain('[EMAIL_');
    expect(JSON.stringify(sent)).not.toMatch(/(ada|eve)@/);
  });
});

describe('a call of the model', () => {
  const told: unknown[] = [];
  const tell = defineHook({
    hook: 'after_model_call',
    id: 'tell',
    execute: async (_state, { model, step, usage, cached, errorCode, finishReason }) =>
      void told.push([model, step, usage.inputTokens, usage.cachedTokens, cached, errorCode, finishReason]),
  });
  const decide = (decision: object) =>
    defineHook({ hook: 'before_model_call', id: 'decide', execute: async () => decision });
  const run = async (decision: object, answer: Answer = { text: 'Hi.' }) => {
    told.length = 0;
    const { agent, sent } = makeAgent({ hooks: [decide(decision), tell] }, [answer]);
    const result = await agent
      .generate('x', { modelSettings: { maxRetries: 0 } })
      .catch((error: Error) => error);
    return { result, sent };
  };

  test('is told of, with what it used', async () => {
    await run({});
    expect(told).toEqual([['script', 1, 10, 4, false, null, 'stop']]);
  });

  test('is denied, and so is a rewrite, which Mastra cannot make', async () => {
    for (const decision of [{ decision: 'deny' }, { input: { settings: { temperature: 0 } } }]) {
      const { result, sent } = await run(decision);
      expect(result).toMatchObject({ tripwire: { reason: expect.stringContaining('model call') } });
      expect([sent, told]).toEqual([[], [['script', 1, 0, 0, false, 'model_denied', null]]]);
    }
  });

  test('is answered by a hook', async () => {
    const { result, sent } = await run({ result: { content: 'cached' } });
    expect([result, sent]).toMatchObject([{ text: 'cached' }, []]);
    expect(told).toEqual([['script', 1, 0, 0, true, null, 'stop']]);
  });

  test('that a hook answers with calls runs them', async () => {
    const answer = defineHook({
      hook: 'before_model_call',
      id: 'answer',
      execute: async (_state, { step }) =>
        step > 1
          ? null
          : {
              result: {
                content: null,
                toolCalls: [
                  { id: 'c', type: 'function', function: { name: 'pay', arguments: '{"amount":5}' } },
                ],
              },
            },
    });
    const { agent, run, sent } = makeAgent({ hooks: [answer] }, [{ text: 'Paid.' }]);
    const { text } = await agent.generate('pay');
    expect([text, run.mock.calls, sent.length]).toEqual(['Paid.', [[{ amount: 5 }]], 1]);
  });

  test('that fails is told of', async () => {
    await run({}, { fails: new Error('busy') });
    expect(told).toEqual([['script', 1, 0, 0, false, 'model_failed', null]]);
  });

  test('is not made when a hook has stopped the turn', async () => {
    const stop = defineHook({
      hook: 'after_tool_call_success',
      id: 'stop',
      execute: async (state) => {
        state.execution.stop();
        return null;
      },
    });
    const { agent, sent } = makeAgent({ hooks: [stop] }, [pay(), { text: 'never' }]);
    const { text } = await agent.generate('pay');
    expect([sent.length, text]).toEqual([1, '']);
  });
});

test('runs at the same time keep their turns apart', async () => {
  const seen: string[] = [];
  const look = defineHook({
    hook: 'before_tool_call',
    id: 'look',
    execute: async ({ threadId, userId }, { input }) => {
      seen.push(`${threadId} ${userId} ${input.amount}`);
      return null;
    },
  });
  const turn = (context: RequestContext | undefined) => ({ userId: String(context?.get('user')) });
  const runs = [1, 2, 3].map(async (amount) => {
    const { agent } = makeAgent({ hooks: [look], turn }, [pay({ amount }), { text: 'Paid.' }]);
    const requestContext = new RequestContext([['user', `u${amount}`]]);
    await agent.generate('pay', { memory: { thread: `t${amount}`, resource: 'r' }, requestContext });
  });
  await Promise.all(runs);
  expect(seen.toSorted()).toEqual(['t1 u1 1', 't2 u2 2', 't3 u3 3']);
});

describe('refused with the reason and the way out', () => {
  test('hooks that Mastra would never run, which do not compile either', () => {
    const again = defineHook({ hook: 'before_stop', id: 'again', execute: async () => null });
    // @ts-expect-error before_stop never runs here
    const give: MastraOptions = { hooks: [again] };
    expect(() => createHooks(give)).toThrow(
      'again (before_stop) never runs: Mastra ends its loop by itself.',
    );
    expect(createHooks({ hooks: [again], allowPartial: ['again'] }).scope).toEqual({});
    expectTypeOf(asking).toExtend<MastraHook>();
  });

  test('tools that no hook sees', async () => {
    const ask = async (options: MastraOptions) => {
      const hooks = createHooks(options);
      const { model } = scriptedModel({ text: 'Hi.' });
      const base = { id: 'a', name: 'a', instructions: 'x', model, inputProcessors: [hooks.processor] };
      const agent = new Agent({ ...base, tools: { pay: payTool().tool } });
      return new Mastra({ agents: { agent }, logger: false }).getAgent('agent').generate('hi');
    };
    await expect(ask({ hooks: [asking] })).rejects.toThrow('hooks.wrapTools({ pay })');
    await expect(ask({ hooks: [asking], allowUnwrapped: ['pay'] })).resolves.toMatchObject({ text: 'Hi.' });
    await expect(ask({})).resolves.toMatchObject({ text: 'Hi.' });
  });

  test('tools that are wrapped twice have the hooks once, and anew where their execute is another', () => {
    const { wrapTools } = createHooks({ hooks: [asking] });
    const { pay: wrapped } = wrapTools({ pay: payTool().tool });
    expect(wrapTools({ pay: wrapped }).pay).toBe(wrapped);
    const execute = async () => 'mine';
    expect(wrapTools({ pay: Object.assign(wrapped, { execute }) }).pay.execute).not.toBe(execute);
  });

  test('tools that no hook sees, where another agent has wrapped one of that name, or one of a call has it', async () => {
    const hooks = createHooks({ hooks: [asking] });
    const { run, tool } = payTool();
    const wrapped = hooks.wrapTools({ pay: tool });
    const give = (tools: { pay: typeof tool }): Agent => {
      const { model } = scriptedModel(pay(), { text: 'Paid.' });
      const base = { id: 'a', name: 'a', instructions: 'x', model, inputProcessors: [hooks.processor] };
      const agent = new Agent({ ...base, tools });
      return new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false }).getAgent('agent');
    };
    const refusal = 'hooks.wrapTools({ pay })';
    await expect(give({ pay: tool }).generate('pay')).rejects.toThrow(refusal);
    await expect(give(wrapped).generate('pay', { toolsets: { mine: { pay: tool } } })).rejects.toThrow(
      refusal,
    );
    await expect(give(wrapped).generate('pay')).resolves.toMatchObject({ finishReason: 'suspended' });
    expect(run).not.toHaveBeenCalled();
  });
});

/** Marks what it sees, and takes an address out. */
const mask = defineHook({
  hook: 'before_create_message',
  id: 'mask',
  execute: async (_state, message) => ({
    ...message,
    content: message.content?.replaceAll('ada', '***') ?? null,
    seen: true,
  }),
});

const listStored = async (store: Store, threadId: string): Promise<string[]> =>
  (await store.listMessages(threadId)).map(({ role, content, seen }) => `${role}: ${content} ${seen}`);

describe('an answer', () => {
  test('streams behind the window of redact: no raw value leaves or is kept, and text leaves before the end', async () => {
    const { agent } = makeAgent(partial(redact()), [
      { text: 'Write to ada@example.com, please. '.repeat(20) },
    ]);
    const pieces: string[] = [];
    const { textStream } = await agent.stream('hi', { memory: { thread: 't', resource: 'r' } });
    for await (const piece of textStream) pieces.push(piece);
    expect(pieces.length).toBeGreaterThan(2);
    expect(pieces.join('')).toContain('[EMAIL_1]');
    expect(pieces.join('')).not.toContain('ada@');
    const memory = await agent.getMemory();
    expect(JSON.stringify(await memory?.recall({ threadId: 't', resourceId: 'r' }))).not.toContain('ada@');
  });

  test.each(['generate', 'stream'] as const)(
    'whose calls a hook strips runs none of them, and ends the turn (%s)',
    async (way) => {
      const strip = defineHook({
        hook: 'before_create_message',
        id: 'strip',
        execute: async (_state, { tool_calls: _calls, ...message }) => ({
          ...message,
          ...(message.role === 'assistant' ? { content: 'I must not pay.' } : {}),
        }),
      });
      const { agent, run, sent } = makeAgent(partial([strip]), [pay(), { text: 'never' }]);
      const text =
        way === 'stream' ? await (await agent.stream('pay')).text : (await agent.generate('pay')).text;
      expect([text, run.mock.calls, sent.length]).toEqual(['I must not pay.', [], 1]);
    },
  );
});

test('with a store, a thread has every message as its chain made it, and the runs of its hooks', async () => {
  const store = memoryStore();
  const { agent } = makeAgent(
    { hooks: [mask], store },
    [pay(), { text: 'Paid, ada.' }],
    payTool(() => 'ada has it'),
  );
  await agent.generate('I am ada.', { memory: { thread: 't', resource: 'r' } });
  expect(await listStored(store, 't')).toEqual([
    'user: I am ***. true',
    'assistant: null true',
    'tool: *** has it true',
    'assistant: Paid, ***. true',
  ]);
  expect((await store.listRuns({ threadId: 't' })).map(({ id }) => id)).toEqual([
    'mask',
    'mask',
    'mask',
    'mask',
  ]);
  const memory = await agent.getMemory();
  expect(JSON.stringify(await memory?.recall({ threadId: 't', resourceId: 'r' }))).not.toMatch(/\bada\b/);
});

test('a tool gets the values behind the placeholders of redact, and the model does not', async () => {
  const sentTo: string[] = [];
  const mail = createTool({
    ...{ id: 'mail', description: 'Mails.', inputSchema: z.object({ to: z.string() }) },
    execute: async (input) => {
      const { to } = input as { to: string };
      sentTo.push(to);
      return `sent to ${to}`;
    },
  });
  const hooks = createHooks(partial(redact({ restore: 'tools' })));
  const { model, sent } = scriptedModel(
    { calls: [{ id: 'c', name: 'mail', input: { to: '[EMAIL_1]' } }] },
    { text: 'Sent.' },
  );
  const agent = new Agent({
    ...{ id: 'clerk', name: 'clerk', instructions: 'You mail.', model },
    tools: hooks.wrapTools({ mail }),
    inputProcessors: [hooks.processor],
  });
  await agent.generate('Mail ada@example.com');
  expect(sentTo).toEqual(['ada@example.com']);
  expect(JSON.stringify(sent)).toContain('sent to [EMAIL_1]');
  expect(JSON.stringify(sent)).not.toContain('ada@example.com');
});
