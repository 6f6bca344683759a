import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { defineHook, RunError } from '../index.ts';
import { fakeState } from './fake-state.ts';
import { assistantMessage, toolCall, toolError, toolMessage, toolResult, userMessage } from './fixtures.ts';
import { runHook } from './run-hook.ts';
import { virtualClock } from './virtual-clock.ts';

const last2 = defineHook({
  hook: 'filter_messages',
  id: 'last_2',
  execute: async (_state, messages) => messages.slice(-2),
});

const three = () => [userMessage('one'), userMessage('two'), userMessage('three')];

describe('what runHook gives', () => {
  test('a transform: the next subject, and the record', async () => {
    const messages = three();
    const { result, run, error, thrown } = await runHook(last2, messages);
    expect(result.map(({ content }) => content)).toEqual(['two', 'three']);
    expect(run).toMatchObject({
      hook: 'filter_messages',
      id: 'last_2',
      outcome: 'changed',
      changed: true,
      source: 'test',
      sizeBefore: 3,
      sizeAfter: 2,
      ms: 0,
    });
    expect([error, thrown]).toEqual([undefined, undefined]);
  });

  test('messages of the model: fixtures are taken for them', async () => {
    const memory = defineHook({
      hook: 'prefilter_llm_history',
      id: 'memory',
      execute: async (_state, messages) => messages.slice(-1),
    });
    const call = toolCall('get_weather', { city: 'Oslo' });
    const history = [
      userMessage('one'),
      assistantMessage(null, { toolCalls: [call] }),
      toolMessage(call, '12 degrees'),
    ];
    const { result, run } = await runHook(memory, history);
    expect([result.map(({ role }) => role), run.outcome]).toEqual([['tool'], 'changed']);
  });

  test('an observer: nothing, and what it did to the state', async () => {
    const count = defineHook({
      hook: 'after_create_message',
      id: 'count',
      execute: async (state) => state.setValue('count', Number((await state.getValue('count')) ?? 0) + 1),
    });
    const state = fakeState({ values: { count: 4 } });
    const trial = runHook.with({ state })(count, userMessage('x'));
    expect(trial.state).toBe(state);
    const { result } = await trial;
    expect(result).toBeUndefined();
    expect(state.values).toEqual({ count: 5 });
  });

  test('a decision: the verdict; texts: the texts; a replacement: the value', async () => {
    const deny = defineHook({
      hook: 'before_tool_call',
      id: 'deny_all',
      execute: async (_state, call) => ({ decision: 'deny', reason: `no ${call.function.name}` }),
    });
    const { result: verdict, run } = await runHook(deny, toolCall('rm'));
    expect(verdict).toMatchObject({ decision: 'deny', by: 'deny_all', reason: 'no rm' });
    expect(run.outcome).toBe('denied');

    const remind = defineHook({
      hook: 'after_session_started',
      id: 'remind',
      execute: async () => 'Be brief.',
    });
    const session = { sessionId: 's', source: 'created', agentId: 'a', parentId: null } as const;
    expect((await runHook(remind, session)).result).toEqual(['Be brief.']);

    const upper = defineHook({
      hook: 'after_system_message',
      id: 'upper',
      execute: (_state, text) => text.toUpperCase(),
    });
    expect((await runHook(upper, 'be brief')).result).toBe('BE BRIEF');
  });

  test('the hook sees copies, and the caller keeps what it gave', async () => {
    const vandal = defineHook({
      hook: 'filter_messages',
      id: 'vandal',
      execute: async (_state, messages) => {
        for (const message of messages) message.content = 'gone';
        throw new Error('and out');
      },
    });
    const messages = three();
    await runHook(vandal, messages);
    expect(messages.map(({ content }) => content)).toEqual(['one', 'two', 'three']);
  });

  test('a matcher that does not want the call: skipped, and why', async () => {
    const onlyGet = defineHook({
      hook: 'after_tool_call_success',
      id: 'only_get',
      match: 'get_*',
      execute: async () => toolResult('seen'),
    });
    expect((await runHook(onlyGet, toolCall('get_x'), toolResult('x'))).result).toEqual(toolResult('seen'));
    const { result, run } = await runHook(onlyGet, toolCall('set_x'), toolResult('x'));
    expect(result).toEqual(toolResult('x'));
    expect(run).toMatchObject({ outcome: 'skipped', why: expect.stringContaining('get_*') });
  });

  test('a matcher on paths, with an environment', async () => {
    const guard = defineHook({
      hook: 'before_tool_call',
      id: 'guard',
      match: { paths: '/secrets/**' },
      execute: async (_state, _call) => ({ decision: 'deny' }),
    });
    const environment = {
      cwd: '/work',
      resolvePath: (path: string) => path.replace('/work/link', '/secrets'),
    };
    const call = toolCall('Read', { path: 'link/key' });
    expect((await runHook.with({ environment })(guard, call)).run.outcome).toBe('denied');
    expect((await runHook.with({ environment: { cwd: '/work' } })(guard, call)).run.outcome).toBe('skipped');
  });
});

describe('what goes wrong', () => {
  const broken = defineHook({
    hook: 'filter_messages',
    id: 'broken',
    execute: async () => {
      throw new TypeError('sk_live_1234');
    },
  });

  test('a hook that throws and blocks: the error of the chain, what was thrown, and a result that throws', async () => {
    const outcome = await runHook(broken, three());
    expect(outcome.error).toBeInstanceOf(RunError);
    expect(outcome.error).toMatchObject({ code: 'hook_failed', id: 'broken' });
    expect(outcome.error?.message).not.toContain('sk_live');
    expect(outcome.thrown).toEqual(new TypeError('sk_live_1234'));
    expect(outcome.run).toMatchObject({
      outcome: 'failed',
      code: 'hook_failed',
      why: expect.stringContaining('TypeError at'),
    });
    expect(() => outcome.result).toThrow(outcome.error);
    expect(Object.keys(outcome)).not.toContain('result');
  });

  test('a hook that throws and goes on: the value so far', async () => {
    const lenient = defineHook({ ...broken, id: 'lenient', onError: 'continue' });
    const messages = three();
    const { result, error, run, thrown } = await runHook(lenient, messages);
    expect(result).toEqual(messages);
    expect([error, run.outcome]).toEqual([undefined, 'failed']);
    expect(thrown).toBeInstanceOf(TypeError);
  });

  test('a subject that does not pass the schema, and an answer that is none', async () => {
    const schema = z.object({ lang: z.string() }).loose();
    const picky = defineHook({
      hook: 'before_create_message',
      id: 'picky',
      schema,
      execute: async (_state, m) => m,
    });
    expect((await runHook(picky, userMessage('x'))).run).toMatchObject({ outcome: 'invalid_input' });
    expect((await runHook(picky, userMessage('x', { lang: 'en' }))).run).toMatchObject({ outcome: 'ok' });
    const nonsense = defineHook({
      hook: 'before_create_message',
      id: 'nonsense',
      execute: async () => ({ role: 'robot' }),
    });
    expect((await runHook(nonsense, userMessage('x'))).error).toMatchObject({ code: 'invalid_result' });
  });

  test('what is no hook', () => {
    expect(() =>
      runHook({ hook: 'filter_messages', id: 'x', execute: async () => [] } as never, [] as never),
    ).toThrow('runHook takes a hook that defineHook made.');
  });

  test('a run without the arguments of the hook', () => {
    const run = runHook as unknown as (hook: unknown, ...args: unknown[]) => unknown;
    expect(() => run(last2)).toThrow(
      'runHook: arguments are missing: "last_2" needs 1 behind the hook, those of filter_messages without the state; got 0.',
    );
    const watch = defineHook({
      hook: 'after_tool_call_success',
      id: 'watch',
      execute: async (_state) => null,
    });
    expect(() => run(watch, toolCall('pay'))).toThrow('"watch" needs 2 behind the hook');
  });

  test('a mistake of the test itself is not taken for one of the hook', async () => {
    await expect(runHook(last2, 'no list' as never)).rejects.not.toThrow(/notes/);
  });
});

describe('time', () => {
  const hang = defineHook({
    hook: 'filter_messages',
    id: 'hang',
    execute: (_state, _messages) => new Promise(() => {}),
  });

  test('stands still: a slow machine times no hook out', async () => {
    const slow = defineHook({
      hook: 'filter_messages',
      id: 'slow',
      timeout: 20,
      execute: async (_state, messages) => {
        await new Promise((resolve) => setTimeout(resolve, 100));
        return messages;
      },
    });
    expect((await runHook(slow, three())).run).toMatchObject({ outcome: 'ok', ms: 0 });
  });

  test("is advanced to the timeout: the default, the hook's own, or one that is given", async () => {
    const trial = runHook(hang, three());
    const settled = vi.fn();
    void trial.then(settled);
    await trial.advance(4_999);
    expect(settled).not.toHaveBeenCalled();
    await trial.advance(1);
    expect(settled).toHaveBeenCalledOnce();
    expect((await trial).run).toMatchObject({ outcome: 'timed_out', ms: 5_000 });
    expect((await trial).error).toMatchObject({ code: 'hook_timed_out' });

    const own = runHook.with({ timeout: '1s' })(defineHook({ ...hang, id: 'own', timeout: '2s' }), three());
    await own.advance('3s');
    expect((await own).run.ms).toBe(2_000);
    const given = runHook.with({ timeout: '1s' })(hang, three());
    await given.advance('3s');
    expect((await given).run.ms).toBe(1_000);
  });

  test('is shared with what the hook calls', async () => {
    const clock = virtualClock();
    const calling = defineHook({
      hook: 'filter_messages',
      id: 'calling',
      execute: async (state, messages) => {
        await clock.sleep('3s', state.execution.abortSignal);
        return messages.slice(1);
      },
    });
    const trial = runHook.with({ clock })(calling, three());
    await trial.advance('3s');
    expect((await trial).run).toMatchObject({ outcome: 'changed', ms: 3_000 });
    expect(trial.clock).toBe(clock);
  });

  test('dates the messages that the hook stores', async () => {
    const clock = virtualClock();
    const late = defineHook({
      hook: 'after_thread_created',
      id: 'late',
      execute: async (state) => {
        await state.injectMessage({ role: 'system', content: 'a' });
        await clock.sleep('2s');
        await state.injectMessage({ role: 'system', content: 'b' });
      },
    });
    const trial = runHook.with({ clock })(late);
    await trial.advance('2s');
    await trial;
    const [a, b] = trial.state.stored;
    expect((b?.created_at ?? 0) - (a?.created_at ?? 0)).toBe(2_000_000);
  });

  test('a hook that goes on after its timeout has its signal fired and writes nothing', async () => {
    const clock = virtualClock();
    let reason: unknown;
    const stubborn = defineHook({
      hook: 'after_create_message',
      id: 'stubborn',
      execute: async (state) => {
        state.execution.abortSignal.addEventListener('abort', () => {
          ({ reason } = state.execution.abortSignal);
        });
        await clock.sleep('9s');
        state.emit('done');
      },
    });
    const trial = runHook.with({ clock })(stubborn, userMessage('x'));
    await trial.advance('5s');
    expect((await trial).run.outcome).toBe('timed_out');
    expect(reason).toMatchObject({ name: 'TimeoutError' });
    expect(trial.lateWrites).toEqual([]);
    await trial.advance('5s');
    expect(trial.lateWrites).toEqual([{ hook: 'after_create_message', id: 'stubborn', write: 'emit' }]);
    expect(trial.state.events).toEqual([]);
  });

  test('the thread is aborted', async () => {
    const trial = runHook(hang, three());
    trial.abort('user left');
    const { run, error } = await trial;
    expect(run.outcome).toBe('aborted');
    expect(error).toMatchObject({ code: 'aborted' });
    expect(trial.state.execution).toMatchObject({ stopped: true, abortSignal: { reason: 'user left' } });
    const after = await runHook.with({ state: trial.state })(last2, three());
    expect(after).toMatchObject({ error: { code: 'aborted' }, run: { outcome: 'skipped' } });
  });
});

describe('writes run the chains again', () => {
  test('a hook on messages that stores one sees it too', async () => {
    const stamp = defineHook({
      hook: 'before_create_message',
      id: 'stamp',
      execute: async (state, message) => {
        if (message.role === 'user') await state.injectMessage({ role: 'system', content: 'noted' });
        return { ...message, stamped: true };
      },
    });
    const trial = runHook(stamp, userMessage('x'));
    const { result, run } = await trial;
    expect(result).toMatchObject({ content: 'x', stamped: true });
    expect(trial.state.stored).toMatchObject([{ role: 'system', content: 'noted', stamped: true }]);
    expect(trial.runs).toHaveLength(2);
    expect(trial.runs[1]).toBe(run);
  });

  test('a hook that sets itself off without end is stopped and told', async () => {
    const endless = defineHook({
      hook: 'before_create_message',
      id: 'endless',
      execute: async (state, message) => {
        await state.injectMessage({ role: 'system', content: 'again' });
        return message;
      },
    });
    const trial = runHook(endless, userMessage('x'));
    const { error, thrown } = await trial;
    expect(error).toMatchObject({ code: 'hook_failed' });
    expect(thrown).toBeInstanceOf(RunError);
    expect(trial.runs.map(({ outcome }) => outcome)).toEqual(['failed', 'failed', 'failed', 'failed']);
    expect(trial.state.stored).toEqual([]);
  });

  test("the run is the hook's own, whenever one inside it ends", async () => {
    for (let turns = 0; turns < 12; turns++) {
      const hasty = defineHook({
        hook: 'before_create_message',
        id: 'hasty',
        changes: ['by'],
        execute: async (state, message) => {
          if (message.role === 'user') {
            void state.injectMessage({ role: 'system', content: 'y' }).catch(() => {});
            return message;
          }
          for (let turn = 0; turn < turns; turn++) await Promise.resolve();
          return { ...message, by: 'hasty' };
        },
      });
      const trial = runHook(hasty, userMessage('x'));
      expect((await trial).run.outcome).toBe('ok');
      await trial.advance(1);
      expect(trial.runs.map(({ outcome }) => outcome).sort()).toEqual(['changed', 'ok']);
    }
  });

  test('updates and queued messages pass too', async () => {
    const message = userMessage('x');
    const mask = (text: unknown) => String(text).replace('1234', '****');
    const update = defineHook({
      hook: 'before_update_message',
      id: 'mask_update',
      execute: async (state, id, updates) => {
        if (updates.nested !== true) await state.updateMessage(id, { content: 'PIN 1234', nested: true });
        return { ...updates, content: mask(updates.content) };
      },
    });
    const trial = runHook.with({ state: fakeState({ messages: [message] }) })(update, message.id, {
      content: 'y',
    });
    await trial;
    expect(trial.state.stored).toMatchObject([{ id: message.id, content: 'PIN ****' }]);

    const create = defineHook({
      hook: 'before_create_message',
      id: 'mask_create',
      execute: async (state, draft) => {
        if (draft.role === 'user') await state.queueMessage({ role: 'system', content: 'PIN 1234' });
        return { ...draft, content: mask(draft.content) };
      },
    });
    const queueing = runHook(create, userMessage('x'));
    await queueing;
    expect(queueing.state.queued).toMatchObject([{ role: 'system', content: 'PIN ****' }]);
  });

  test('a tool that a hook runs passes the tool hooks', async () => {
    const retry = defineHook({
      hook: 'after_tool_call_failure',
      id: 'retry',
      execute: async (state, call) => state.invokeTool(call.function.name, { retry: true }),
    });
    const works = fakeState({ tools: { flaky: toolResult('up') } });
    expect(
      (await runHook.with({ state: works })(retry, toolCall('flaky'), toolError('down'))).result,
    ).toEqual(toolResult('up'));
    expect(works.invokedTools).toEqual([{ name: 'flaky', input: { retry: true } }]);

    const fails = fakeState({ tools: { flaky: toolError('down') } });
    const trial = runHook.with({ state: fails })(retry, toolCall('flaky'), toolError('down'));
    await trial;
    expect(trial.runs).toHaveLength(4);
    expect(fails.invokedTools).toHaveLength(4);

    const deny = defineHook({
      hook: 'before_tool_call',
      id: 'deny_nested',
      execute: async (state, call) => {
        if (call.function.name === 'inner') return { decision: 'deny', reason: 'Not inside.' };
        const { error } = await state.invokeTool('inner', {});
        return { decision: 'ask', reason: error ?? '' };
      },
    });
    const asked = await runHook.with({ state: fakeState({ tools: { inner: 'ran' } }) })(
      deny,
      toolCall('outer'),
    );
    expect(asked.result.reason).toBe('This tool call was denied. Not inside.');
  });

  test('a write that a hook does not wait for is refused once the hook has ended', async () => {
    const clock = virtualClock();
    const hasty = defineHook({
      hook: 'before_create_message',
      id: 'hasty',
      execute: async (state, message) => {
        if (message.role === 'user') {
          void state.injectMessage({ role: 'system', content: 'late' }).catch(() => {});
          return message;
        }
        await clock.sleep('1s');
        return message;
      },
    });
    const trial = runHook.with({ clock })(hasty, userMessage('x'));
    await trial;
    await trial.advance('1s');
    expect(trial.lateWrites).toEqual([
      { hook: 'before_create_message', id: 'hasty', write: 'injectMessage' },
    ]);
    expect(trial.state.stored).toEqual([]);
  });

  test('a child thread is given as an argument, and written to as such', async () => {
    const greet = defineHook({
      hook: 'after_subagent_created',
      id: 'greet',
      execute: async (state, child) => {
        await child.injectMessage({ role: 'system', content: `from ${state.threadId}` });
      },
    });
    const child = fakeState();
    const trial = runHook(greet, child);
    await trial;
    expect(child.stored).toMatchObject([{ content: `from ${trial.state.threadId}` }]);
    expect(trial.state.stored).toEqual([]);
  });
});
