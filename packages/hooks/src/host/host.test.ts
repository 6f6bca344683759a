import { describe, expect, test, vi } from 'vitest';
import { defineHook } from '../define/define.ts';
import { lifecycleTable } from '../lifecycle/table.ts';
import type { HookMessage, HookToolCall } from '../vocabulary/messages.ts';
import type { RunRecord } from '../vocabulary/record.ts';
import { type Honours, honourOnly } from './honours.ts';
import { createHost } from './host.ts';
import type { HostOptions } from './host-options.ts';

const all = honourOnly(Object.keys(lifecycleTable) as (keyof typeof lifecycleTable)[], 'never');

function host(options: Partial<HostOptions> = {}) {
  const runs: RunRecord[] = [];
  const made = createHost({ name: 'place', honours: all, onRun: (run) => runs.push(run), ...options });
  return Object.assign(made, { runs });
}

const call = (input: object = {}, name = 'pay'): HookToolCall => ({
  id: 'call_1',
  type: 'function',
  function: { name, arguments: JSON.stringify(input) },
});

const deciding = (id: string, decision: object | null, match?: string) =>
  defineHook({
    hook: 'before_tool_call',
    id,
    ...(match === undefined ? {} : { match }),
    execute: async () => decision,
  });

describe('a place that does not run a hook as documented', () => {
  const filter = defineHook({
    hook: 'filter_messages',
    id: 'last_two',
    execute: async (_, m) => m.slice(-2),
  });
  const guard = deciding('guard', null);
  const honours: Honours = {
    ...all,
    filter_messages: { no: 'it keeps its messages to itself.' },
    before_tool_call: { partly: 'it asks nobody.' },
  };

  test('refuses it with the reason of each, and says how to accept it', () => {
    expect(() => host({ honours, hooks: [filter, guard] })).toThrow(
      [
        'place does not run these hooks as documented:',
        '  last_two (filter_messages) never runs: it keeps its messages to itself.',
        '  guard (before_tool_call) runs in part: it asks nobody.',
        'Leave them out, or accept it hook by hook: allowPartial: ["last_two", "guard"].',
      ].join('\n'),
    );
    expect(() => host({ honours, policies: [guard] })).toThrow('place does not run this hook as documented');
  });

  test('runs what is accepted in part, and never what it cannot run', async () => {
    const accepting = host({ honours, hooks: [filter, guard], allowPartial: ['last_two', 'guard'] });
    expect(Object.keys(accepting.scope)).toEqual(['before_tool_call']);
    const turn = accepting.openTurn();
    const messages = [1, 2, 3].map(
      (n): HookMessage => ({ id: `${n}`, role: 'user', content: '', created_at: n }),
    );
    expect(await turn.run('filter_messages', messages)).toHaveLength(3);
    expect(turn.has('filter_messages')).toBe(false);
  });

  test('takes a name without a row for one that never runs', () => {
    const { before_tool_call: _, ...known } = all;
    expect(() => host({ honours: known, hooks: [guard] })).toThrow(
      'guard (before_tool_call) never runs: it is newer than what is known of this place.',
    );
    expect(Object.keys(host({ honours: known, hooks: [guard], allowPartial: ['guard'] }).scope)).toEqual([]);
  });

  test('refuses a name in allowPartial that is no hook', () => {
    expect(() => host({ hooks: [guard], allowPartial: ['gaurd'] })).toThrow(
      'place: allowPartial names the hook "gaurd", which is not among the hooks. There are: guard.',
    );
  });

  test('refuses options that it does not know', () => {
    const misspelt = { name: 'place', honours: all, hook: [] } as never;
    expect(() => createHost(misspelt)).toThrow('there is no option "hook". Did you mean "hooks"?');
    expect(() => host().openTurn({ threadid: 'a' } as never)).toThrow('Did you mean "threadId"?');
    expect(() => host().openTurn({ thread: 'chat-1' } as never)).toThrow('its name is "threadId".');
  });
});

describe('scope', () => {
  const first = deciding('first', null);
  const second = deciding('second', null);

  test('is all hooks where no prompt or agent names any, and what they name where one does', async () => {
    const everywhere = host({ hooks: [first, second] });
    await everywhere.openTurn().decideCall(call());
    expect(everywhere.runs.map(({ id, source }) => [id, source.split(' ')[0]])).toEqual([
      ['first', 'agent:place'],
      ['second', 'agent:place'],
    ]);
    const named = host({ hooks: [first], policies: [second], prompt: { name: 'p', hooks: [] } });
    await named.openTurn().decideCall(call());
    expect(named.runs.map(({ id }) => id)).toEqual(['second']);
  });

  test('is all hooks where an agent or a prompt is named that has no list', async () => {
    for (const owners of [{ agent: { name: 'clerk' } }, { prompt: { name: 'p' } }]) {
      const named = host({ hooks: [first, second], ...owners });
      await named.openTurn().decideCall(call());
      expect(named.runs.map(({ id }) => id)).toEqual(['first', 'second']);
    }
  });

  test.each([
    [{ agent: 'clerk' }, 'agent must be an object with a name; got a string.'],
    [{ prompt: null }, 'prompt must be an object with a name; got null.'],
    [{ hooks: null }, 'hooks must be a list'],
    [{ policies: new Set([first]) }, 'policies must be a list'],
    [{ hooks: [first], allowPartial: 'first' }, 'allowPartial must be a list of names'],
    [{ store: {} }, 'store must be a store'],
    [{ store: Promise.resolve({}) }, 'store must be a store, and is a promise: await it first.'],
    [{ onAsk: true }, 'place: onAsk must be a function'],
    [{ environment: null }, 'environment must be an object'],
  ])('an option of the wrong sort is refused: %j', (options, problem) => {
    expect(() => host(options as never)).toThrow(problem);
  });
});

describe('a tool call', () => {
  test('runs, and its result passes the hooks that see it', async () => {
    const shout = defineHook({
      hook: 'after_tool_call_success',
      id: 'shout',
      execute: async (_, __, result) => ({ ...result, result: result.result?.toUpperCase() ?? '' }),
    });
    const turn = host({ hooks: [shout] }).openTurn();
    const tool = vi.fn(() => 'paid');
    const outcome = await turn.runCall(call({ amount: 5 }), tool);
    expect(tool.mock.calls).toEqual([[{ amount: 5 }, call({ amount: 5 })]]);
    expect(outcome).toEqual({
      outcome: 'run',
      call: call({ amount: 5 }),
      result: { status: 'success', result: 'PAID' },
    });
  });

  test('gives what the tool returned as it is where no hook has changed it', async () => {
    const value = { paid: 5 };
    const outcome = await host()
      .openTurn()
      .runCall(call(), () => value);
    expect(outcome.returned?.value).toBe(value);
    expect(outcome.result).toEqual({ status: 'success', result: '{"paid":5}' });
  });

  test('is denied: the tool never runs, and the denial passes before_store_tool_result', async () => {
    const seen = vi.fn();
    const store = defineHook({
      hook: 'before_store_tool_result',
      id: 'see',
      execute: async (_, __, row) => {
        seen(row);
        return row;
      },
    });
    const guard = deciding('guard', { decision: 'deny', reason: 'Too much.', context: 'ask first' });
    const turn = host({ hooks: [guard, store] }).openTurn();
    const tool = vi.fn();
    const { outcome, result } = await turn.runCall(call(), tool);
    const error = 'This tool call was denied by guard. Too much.';
    expect([outcome, result]).toEqual(['denied', { status: 'error', error }]);
    expect(seen).toHaveBeenCalledWith({ status: 'error', error });
    expect(tool).not.toHaveBeenCalled();
    expect([turn.takeContexts(), turn.takeContexts()]).toEqual([['ask first'], []]);
  });

  test('is answered by a hook, or rewritten and checked again', async () => {
    const answer = deciding('answer', { result: { status: 'success', result: 'cached' } });
    const tool = vi.fn(() => 'x');
    expect(
      (
        await host({ hooks: [answer] })
          .openTurn()
          .runCall(call(), tool)
      ).result.result,
    ).toBe('cached');
    expect(tool).not.toHaveBeenCalled();
    const rewrite = deciding('rewrite', { input: { amount: 'much' } });
    const validate = async () => ({ misfit: 'amount must be a number' });
    const turn = host({ hooks: [rewrite] }).openTurn();
    const { result } = await turn.runCall(call({ amount: 1 }), tool, { validate });
    expect([result, tool.mock.calls]).toEqual([{ status: 'error', error: 'amount must be a number' }, []]);
  });

  test('a tool that throws, a guard that fails: an error result, and no tool', async () => {
    const thrown = await host()
      .openTurn()
      .runCall(call(), () => {
        throw new Error('no funds');
      });
    expect(thrown.result).toMatchObject({ status: 'error', error: 'no funds' });
    const broken = defineHook({
      hook: 'before_tool_call',
      id: 'broken',
      execute: async () => {
        throw new Error('secret');
      },
    });
    const tool = vi.fn();
    const { result, outcome } = await host({ hooks: [broken] })
      .openTurn()
      .runCall(call(), tool);
    expect([outcome, tool.mock.calls.length]).toEqual(['denied', 0]);
    expect(result.error).toContain('denied by broken');
    expect(result.error).not.toContain('secret');
  });

  const asking = deciding('asking', { decision: 'ask', reason: 'Money.', userMessage: 'Pay?' });

  test('is asked about: nobody to ask is a deny, a person decides, and what they say goes to the model', async () => {
    const tool = vi.fn(() => 'paid');
    const nobody = await host({ hooks: [asking] })
      .openTurn()
      .runCall(call(), tool);
    expect(nobody.result.error).toBe(
      'This tool call was denied. It needs permission, and there is nobody to ask (onAsk is not set): Money.',
    );
    const onAsk = vi.fn(async () => ({ allow: false, reason: 'not today' }));
    const refused = await host({ hooks: [asking], onAsk })
      .openTurn({ threadId: 't' })
      .runCall(call({ a: 1 }), tool);
    expect(refused.result.error).toBe('This tool call was denied. Permission was refused: not today');
    expect(onAsk).toHaveBeenCalledWith(
      expect.objectContaining({
        ...{ about: 'tool_call', threadId: 't', toolCallId: 'call_1', tool: 'pay', input: { a: 1 } },
        ...{ reason: 'Money.', userMessage: 'Pay?' },
      }),
    );
    expect(tool).not.toHaveBeenCalled();
    const allowed = await host({ hooks: [asking], onAsk: () => true })
      .openTurn()
      .runCall(call(), tool);
    expect(allowed.result).toEqual({ status: 'success', result: 'paid' });
  });

  test('a place that asks in its own way: what was allowed runs, and only that', async () => {
    const turn = host({ hooks: [asking] }).openTurn();
    const asked = await turn.decideCall(call({ a: 1 }), { askLater: true });
    expect(asked).toMatchObject({ outcome: 'ask', reason: 'Money.', userMessage: 'Pay?' });
    const tool = () => 'paid';
    const allowed = await turn.runCall(call({ a: 1 }), tool, { allowed: '{"a":1}' });
    expect(allowed.outcome).toBe('run');
    expect((await turn.runCall(call({ a: 2 }), tool, { allowed: '{"a":1}' })).outcome).toBe('denied');
  });

  test('a tool that wants permission is asked about where no hook has decided', async () => {
    const turn = host({ onAsk: () => false }).openTurn();
    expect((await turn.runCall(call(), () => '', { needsPermission: true })).outcome).toBe('denied');
    const sure = host({ hooks: [deciding('sure', { decision: 'allow' })], onAsk: () => false }).openTurn();
    expect((await sure.runCall(call(), () => '', { needsPermission: true })).outcome).toBe('run');
  });

  test('a tool that wants permission in other words than true is asked about', async () => {
    const turn = host().openTurn();
    const decide = (needsPermission: unknown) =>
      turn.decideCall(call(), { needsPermission: needsPermission as boolean, askLater: true });
    for (const wish of [1, 'yes', {}]) expect((await decide(wish)).outcome).toBe('ask');
    for (const none of [false, undefined, null, 0, '']) expect((await decide(none)).outcome).toBe('run');
  });

  test('a rewrite for permission is decided on anew', async () => {
    const guard = defineHook({
      hook: 'before_tool_call',
      id: 'guard',
      execute: async (_, { input }) => (input.amount === 9 ? { decision: 'deny' } : { decision: 'ask' }),
    });
    const raise = defineHook({
      hook: 'before_permission_request',
      id: 'raise',
      execute: async () => ({ decision: 'allow', input: { amount: 9 } }),
    });
    const tool = vi.fn();
    const turn = host({ hooks: [guard, raise] }).openTurn();
    expect((await turn.runCall(call({ amount: 1 }), tool)).outcome).toBe('denied');
    expect(tool).not.toHaveBeenCalled();
  });

  test('values that a hook puts back are for the tool and the person, not for the call that is kept', async () => {
    const secret = defineHook({
      hook: 'before_tool_call',
      id: 'secret',
      execute: async () => ({ decision: 'ask' }),
      restore: async (_, toolCall) => ({
        ...toolCall,
        function: { ...toolCall.function, arguments: toolCall.function.arguments.replace('[KEY]', 'sk-1') },
      }),
      conceal: async (_, __, decision) => decision,
    });
    const seen: unknown[] = [];
    const onAsk: NonNullable<HostOptions['onAsk']> = (ask) =>
      seen.push(ask.about === 'tool_call' && ask.input) > 0;
    const turn = host({ hooks: [secret], onAsk }).openTurn();
    const { call: kept } = await turn.runCall(call({ key: '[KEY]' }), (input) => void seen.push(input));
    expect(seen).toEqual([{ key: 'sk-1' }, { key: 'sk-1' }]);
    expect(kept.function.arguments).toBe('{"key":"[KEY]"}');
  });
});

describe('the thread that hooks see', () => {
  const messages = (): HookMessage[] => [{ id: 'm1', role: 'user', content: 'hi', created_at: 1 }];

  test('is what the place gives; the rest is refused by name', async () => {
    const stored = messages();
    const turn = host().openTurn({
      threadId: 't',
      userId: 'u',
      agentId: 'a',
      thread: { listMessages: () => stored },
    });
    const { state } = turn;
    expect([state.threadId, state.userId, state.agentId]).toEqual(['t', 'u', 'a']);
    expect(await state.getMessages()).toEqual(stored);
    expect(await state.getMessage('none')).toBeNull();
    await expect(state.queueMessage({ role: 'user', content: '' })).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringContaining('place has no state.queueMessage'),
    });
    expect(() => state.emit('x')).toThrow('place has no state.emit');
  });

  test('is written to through the chains, as part of the hook that writes', async () => {
    const stored = messages();
    const stamp = defineHook({
      hook: 'before_create_message',
      id: 'stamp',
      execute: async (_, message) => ({ ...message, content: `${message.content}!` }),
    });
    const endless = defineHook({
      hook: 'after_create_message',
      id: 'endless',
      execute: async (state) => void (await state.injectMessage({ role: 'user', content: 'again' })),
    });
    const insertMessage = (message: object) => {
      const row = { id: `m${stored.length + 1}`, created_at: 1, ...message } as HookMessage;
      stored.push(row);
      return row;
    };
    const { openTurn, runs } = host({ hooks: [stamp, endless] });
    const turn = openTurn({ thread: { insertMessage } });
    await turn.store({ role: 'user', content: 'one' }, insertMessage);
    expect(stored.map(({ content }) => content)).toEqual(['hi', 'one!', ...Array(3).fill('again!')]);
    expect(runs.filter(({ outcome }) => outcome === 'failed').length).toBeGreaterThan(0);
  });

  test('keeps values by thread, and those of a turn without one end with it', async () => {
    const { openTurn } = host();
    await openTurn({ threadId: 't' }).state.setValue('n', { a: 1 });
    const { state } = openTurn({ threadId: 't' });
    expect(await state.getValue('n')).toEqual({ a: 1 });
    expect(await state.setValuesIf({ key: 'n', value: { a: 2 } }, [{ key: 'n', value: 3 }])).toBe(false);
    expect(await state.setValuesIf({ key: 'n', value: { a: 1 } }, [{ key: 'n', value: 3 }])).toBe(true);
    expect(await openTurn().state.getValue('n')).toBeUndefined();
  });
});

describe('a turn', () => {
  test('takes messages: denied with the reason, rewritten, asked about', async () => {
    const guard = defineHook({
      hook: 'before_user_message',
      id: 'guard',
      execute: async (_, { content }) => {
        if (content === 'bad') return { decision: 'deny', reason: 'No.' };
        return content === 'ask' ? { decision: 'ask' } : { input: 'better' };
      },
    });
    const turn = host({ hooks: [guard] }).openTurn();
    expect(await turn.receive({ role: 'user', content: 'bad' })).toMatchObject({
      isDenied: true,
      reason: 'No.',
    });
    expect(await turn.receive({ role: 'user', content: 'ask' })).toMatchObject({ isDenied: true });
    expect(await turn.receive({ role: 'user', content: 'x' })).toEqual({
      isDenied: false,
      message: { role: 'user', content: 'better' },
    });
  });

  test('is kept going eight times, and stopped by a hook', async () => {
    const stop = defineHook({
      hook: 'before_stop',
      id: 'more',
      execute: async (state, { keptGoing }) => {
        state.execution.stop();
        return { keepGoing: `round ${keptGoing}` };
      },
    });
    const turn = host({ hooks: [stop] }).openTurn();
    const reasons: (string | undefined)[] = [];
    for (let n = 0; n < 10; n++) reasons.push(await turn.keepGoing());
    expect(reasons.filter((reason) => reason !== undefined)).toHaveLength(8);
    expect([reasons[7], reasons[8], turn.isStopped]).toEqual(['round 7', undefined, true]);
  });

  test('collects contexts of a batch, and counts steps', async () => {
    const remind = defineHook({
      hook: 'after_tool_batch',
      id: 'remind',
      execute: async () => ['one', 'two'],
    });
    const turn = host({ hooks: [remind] }).openTurn();
    await turn.endBatch([{ toolCall: call(), result: { status: 'success' } }]);
    expect(turn.takeContexts()).toEqual(['one', 'two']);
    expect([turn.nextStep(), turn.nextStep(), turn.state.execution.stepCount]).toEqual([1, 2, 2]);
  });

  test('that is aborted runs no hook', async () => {
    const turn = host({ hooks: [deciding('guard', null)] }).openTurn({ abortSignal: AbortSignal.abort() });
    const tool = vi.fn();
    await expect(turn.runCall(call(), tool)).rejects.toMatchObject({ code: 'aborted' });
    expect(tool).not.toHaveBeenCalled();
  });

  const request = {
    ...{
      callId: 'c',
      model: 'm',
      step: 1,
      attempt: 1,
      estimatedTokens: 1,
      settings: {},
      toolChoice: null,
      tools: [],
    },
    usage: { inputTokens: 0, outputTokens: 0, reasoningTokens: 0, cachedTokens: 0 },
    messages: [],
  };

  test('asks hooks about model calls: denied, answered, rewritten', async () => {
    const model = (decision: object) =>
      defineHook({ hook: 'before_model_call', id: 'model', execute: async () => decision });
    const decide = (decision: object, options: Partial<HostOptions> = {}) =>
      host({ hooks: [model(decision)], ...options })
        .openTurn()
        .decideModelCall(request);
    await expect(decide({ decision: 'deny', reason: 'secret' })).rejects.toMatchObject({
      code: 'model_denied',
      message: 'The hook "model" denied the model call.',
    });
    await expect(decide({ decision: 'ask' })).rejects.toMatchObject({ code: 'model_denied' });
    expect((await decide({ decision: 'ask' }, { onAsk: () => true })).request.model).toBe('m');
    expect(await decide({ result: { content: 'hi' } })).toMatchObject({ answer: { content: 'hi' } });
    expect((await decide({ input: { model: 'small' } })).request.model).toBe('small');
  });
});

describe('the thread of a turn', () => {
  test.each(['', null])(
    'is one of its own where it has no name (%j): nothing that hooks keep is shared',
    async (none) => {
      const made = host();
      const open = () => made.openTurn({ threadId: none } as never).state;
      const [one, other] = [open(), open()];
      await one.setValue('who', 'ada');
      expect([one.threadId === other.threadId, await other.getValue('who')]).toEqual([false, undefined]);
    },
  );

  test.each([5, { id: 5 }])('is named by a text, and by nothing else (%j)', (threadId) => {
    expect(() => host().openTurn({ threadId } as never)).toThrow('The threadId of a turn must be a text.');
  });
});
