import { defineHook, type ThreadState } from '@spec/hooks';
import { describe, expect } from 'vitest';
import { type AnyTool, defineAgent, definePrompt, defineTool } from '../src/index.ts';
import { afterCrash, hangAt } from './after-crash.ts';
import { gate, onBothStores } from './kit.ts';

/** A call as a provider makes it that gives every call the same id. */
const call = (name: string) => ({ toolCalls: [{ id: 'same', name, input: { task: 'x' } }] });

function payTool(pay: (key: string | undefined) => unknown = () => {}): AnyTool {
  return defineTool({
    name: 'pay',
    onInterrupted: 'retry',
    execute: async (_, { state }) => {
      await pay(state.execution.callKey);
      return 'paid';
    },
  });
}

describe('the key of a call', () => {
  onBothStores('is one for each call, where the provider’s ids repeat', async (kit) => {
    const keys: unknown[] = [];
    const tools = [payTool((key) => keys.push(key))];
    const script = [call('pay'), call('pay'), 'one', call('pay'), 'two'];
    const { runtime } = kit.start({ tools, script });
    const thread = await runtime.createThread({ agent: 'agent', id: 't' });
    await thread.send('Go', { id: 'first' });
    await thread.send('Go', { id: 'second' });
    expect(keys).toEqual(['t~first.1.result.0', 't~first.2.result.0', 't~second.1.result.0']);
  });

  onBothStores('is the same after a crash', async (kit) => {
    const { open, opened } = gate();
    const keys: unknown[] = [];
    const dies = payTool((key) => {
      keys.push(key);
      return hangAt(open)();
    });
    const next = { tools: [payTool((key) => keys.push(key))], script: ['Done.'] };
    const thread = await afterCrash(kit, { tools: [dies], script: [call('pay')], reached: opened }, next);
    await thread.resume();
    expect(keys).toHaveLength(2);
    expect(keys[0]).toBe(keys[1]);
  });

  onBothStores('is there for the hooks of the call, and for no other', async (kit) => {
    const keys: Record<string, unknown> = {};
    const note = (hook: string, gives: (subject: unknown) => unknown) =>
      defineHook({
        hook: hook as 'after_system_message',
        id: hook,
        execute: async (state: ThreadState, ...args: unknown[]) => {
          keys[hook] = state.execution.callKey;
          return gives(args.at(-1)) as never;
        },
      });
    const keep = (subject: unknown) => subject;
    const policies = [
      note('before_user_message', () => null),
      note('filter_messages', keep),
      note('before_tool_call', () => null),
      note('after_tool_call_success', () => null),
      note('before_store_tool_result', keep),
      note('after_tool_batch', () => null),
    ];
    const { runtime } = kit.start({ tools: [payTool()], policies, script: [call('pay'), 'Done.'] });
    const thread = await runtime.createThread({ agent: 'agent', id: 't' });
    await thread.send('Go', { id: 'turn' });
    const key = 't~turn.1.result.0';
    expect(keys).toEqual({
      before_user_message: undefined,
      filter_messages: undefined,
      before_tool_call: key,
      after_tool_call_success: key,
      before_store_tool_result: key,
      after_tool_batch: undefined,
    });
    expect(thread.state.execution.callKey).toBeUndefined();
  });

  onBothStores(
    'is another one for calls that tools and hooks make, and for those of a subagent',
    async (kit) => {
      const keys: unknown[] = [];
      const twice = defineTool({
        name: 'twice',
        execute: async (_, { state }) => {
          await state.invokeTool('pay', {});
          await state.invokeTool('pay', {});
          await state.queueTool('pay', {});
          return 'done';
        },
      });
      const tools = [payTool((key) => keys.push(key)), twice, defineTool({ name: 'sub', agent: 'sub' })];
      const { runtime } = kit.start({
        tools,
        agents: [defineAgent({ name: 'sub', prompt: 'sub' })],
        prompts: [definePrompt({ name: 'sub', tools: ['pay'] })],
        script: [call('twice'), call('sub'), call('pay'), 'Paid.', 'Done.'],
      });
      const thread = await runtime.createThread({ agent: 'agent', id: 't' });
      await thread.send('Go', { id: 'turn' });
      expect(keys).toEqual([
        't~turn.1.result.0.the-tool.pay-1',
        't~turn.1.result.0.the-tool.pay-2',
        't~turn.2.queued.0.result.0',
        't~turn.2.result.0~task.1.result.0',
      ]);
    },
  );

  onBothStores('is absent where no turn is running', async (kit) => {
    const keys: unknown[] = [];
    const { thread } = await kit.thread({ tools: [payTool((key) => keys.push(key))] });
    await thread.state.invokeTool('pay', {});
    expect(keys).toEqual([undefined]);
  });
});
