import { describe, expectTypeOf, test } from 'vitest';
import {
  type Clock,
  defineHook,
  type HookMessage,
  type HookToolCall,
  type HookToolResult,
  type RunError,
  type RunRecord,
  type ThreadState,
  type Verdict,
} from '../index.ts';
import {
  assistantMessage,
  type FakeState,
  fakeState,
  type HookTrial,
  modelRequest,
  runHook,
  toolCall,
  toolMessage,
  toolResult,
  userMessage,
  type VirtualClock,
  virtualClock,
} from './index.ts';

const last20 = defineHook({
  hook: 'filter_messages',
  id: 'last_20',
  execute: async (_state, messages) => messages.slice(-20),
});
const stamp = defineHook({
  hook: 'before_create_message',
  id: 'stamp',
  execute: async (_state, message) => ({ ...message, at: 1 }),
});
const guard = defineHook({
  hook: 'before_tool_call',
  id: 'guard',
  execute: async (_state, call) => ({ decision: 'deny', reason: call.id }),
});
const redact = defineHook({
  hook: 'before_store_tool_result',
  id: 'redact',
  execute: async (_state, _call, result) => result,
});

describe('runHook', () => {
  test("gives what the hook's chain gives", async () => {
    const trial = runHook(last20, [userMessage('x')]);
    expectTypeOf(trial).toEqualTypeOf<HookTrial<'filter_messages'>>();
    expectTypeOf((await trial).result).toEqualTypeOf<HookMessage[]>();
    expectTypeOf((await trial).run).toEqualTypeOf<RunRecord>();
    expectTypeOf((await trial).error).toEqualTypeOf<RunError | undefined>();
    expectTypeOf((await runHook(guard, toolCall('x'))).result).toEqualTypeOf<Verdict<HookToolCall>>();
    expectTypeOf((await runHook(stamp, { role: 'user' })).result).toEqualTypeOf<Record<string, unknown>>();
    const observe = defineHook({
      hook: 'after_thread_created',
      id: 'observe',
      execute: async (_state) => {},
    });
    expectTypeOf((await runHook(observe)).result).toEqualTypeOf<undefined>();
  });

  test("takes the hook's arguments and no others", () => {
    // @ts-expect-error the messages are missing
    void runHook(last20);
    // @ts-expect-error one message is no list of messages
    void runHook(last20, userMessage('x'));
    // @ts-expect-error the result is missing
    void runHook(redact, toolCall('x'));
    // @ts-expect-error the state is not given as an argument
    void runHook(last20, fakeState(), [userMessage('x')]);
    // @ts-expect-error not made by defineHook
    void runHook({ hook: 'filter_messages', id: 'x', execute: async () => [] }, []);
  });

  test('takes fixtures wherever a hook takes a message, a call or a result', () => {
    void runHook(stamp, userMessage('x'));
    void runHook(redact, toolCall('x'), toolResult('y'));
    const after = defineHook({
      hook: 'after_tool_call_success',
      id: 'after',
      execute: async (_s, _call, result) => result,
    });
    void runHook(after, toolCall('x'), toolResult('y'));
    expectTypeOf(toolResult('y')).toExtend<HookToolResult>();
  });

  test('takes fixtures as messages of the model', () => {
    const memory = defineHook({
      hook: 'prefilter_llm_history',
      id: 'memory',
      execute: async (_state, messages) => messages.slice(-20),
    });
    const call = toolCall('x');
    void runHook(memory, [userMessage('x'), assistantMessage('y'), toolMessage(call, 'z')]);
    void modelRequest({ messages: [userMessage('x')] });
  });

  test('takes hooks out of a list', async () => {
    const hooks = [stamp, guard];
    const [first, second] = hooks;
    if (first === undefined || second === undefined) return;
    const { result } = await runHook(first, userMessage('x'));
    expectTypeOf<typeof result>().toEqualTypeOf<Record<string, unknown> | Verdict<HookToolCall>>();
    void runHook(second, toolCall('x'));
    void runHook.with({ timeout: '1s' })(second, toolCall('x'));
    // @ts-expect-error no hook of the list takes a list of messages
    void runHook(first, [userMessage('x')]);
  });

  test('with options', () => {
    const run = runHook.with({ state: fakeState(), timeout: '1s', clock: virtualClock() });
    expectTypeOf(run(last20, []).state).toEqualTypeOf<FakeState>();
    // @ts-expect-error no such unit
    runHook.with({ timeout: '1w' });
    // @ts-expect-error a fake state is inspected afterwards, and no other can be
    runHook.with({ state: {} as ThreadState });
    // @ts-expect-error the arguments are checked here too
    void run(last20, 'x');
  });
});

test('a fake state is a thread state, a virtual clock a clock', () => {
  expectTypeOf<FakeState>().toExtend<ThreadState>();
  expectTypeOf<VirtualClock>().toExtend<Clock>();
  fakeState({ messages: [userMessage('x'), { role: 'user', content: 'y' }] });
  // @ts-expect-error no such role
  fakeState({ messages: [{ role: 'robot', content: 'y' }] });
});
