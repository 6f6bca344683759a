import {
  Agent,
  RunState,
  setTraceProcessors,
  setTracingDisabled,
  tool,
  toolNamespace,
  toolSearchTool,
} from '@openai/agents';
import {
  assistantMessage,
  functionCall,
  ScriptedModel,
  type ScriptedModelInput,
} from '@openai/agents/testing';
import { defineHook } from '@spec/hooks';
import { memoryStore } from '@spec/runtime';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { createHooks } from '../src/index.ts';

beforeAll(() => {
  setTraceProcessors([]);
  setTracingDisabled(true);
});

const say = (text: string): ScriptedModelInput => [assistantMessage(text)];
const asking = defineHook({
  hook: 'before_tool_call',
  id: 'asking',
  match: 'pay',
  execute: async () => ({ decision: 'ask', reason: 'Money.' }),
});

function payTool() {
  const run = vi.fn(async () => 'paid');
  const pay = tool({ name: 'pay', description: 'Pays.', parameters: z.object({}), execute: run });
  return { run, pay };
}

test('who listens to an agent hears it run with hooks', async () => {
  const hooks = createHooks({ hooks: [asking], onAsk: () => ({ allow: true }) });
  const model = new ScriptedModel([[functionCall('pay', {}, { callId: 'c1' })], say('Done.')]);
  const agent = new Agent({ name: 'clerk', model, tools: [payTool().pay] });
  const heard: string[] = [];
  for (const name of ['agent_start', 'agent_tool_start', 'agent_tool_end', 'agent_end'] as const)
    agent.on(name, () => heard.push(name));
  await hooks.run(agent, 'Pay.');
  expect(heard).toEqual(['agent_start', 'agent_tool_start', 'agent_tool_end', 'agent_end']);
});

test('an agent of a class of its own stays what it is', async () => {
  class Polite extends Agent {
    manners = 'Be polite.';
    override async getSystemPrompt(): Promise<string> {
      return this.manners;
    }
  }
  const hooks = createHooks({ hooks: [asking] });
  const model = new ScriptedModel([say('Please.')]);
  const agent = new Polite({ name: 'clerk', model });
  await hooks.run(agent, 'Hello.');
  expect(hooks.hooked(agent)).toBeInstanceOf(Polite);
  expect(model.calls[0]?.request.systemInstructions).toBe('Be polite.');
});

describe('what an agent has by the time that it runs passes the hooks', () => {
  const denying = defineHook({
    hook: 'before_tool_call',
    id: 'denying',
    execute: async () => ({ decision: 'deny', reason: 'Not today.' }),
  });
  const paying = (): ScriptedModel =>
    new ScriptedModel([[functionCall('pay', {}, { callId: 'c1' })], say('Done.')]);

  test('tools that its class finds, or that are added to it', async () => {
    const { run, pay } = payTool();
    class Finding extends Agent {
      override async getAllTools() {
        return [pay];
      }
    }
    const hooks = createHooks({ hooks: [denying] });
    await hooks.run(new Finding({ name: 'clerk', model: paying() }), 'Pay.');
    const hooked = hooks.hooked(new Agent({ name: 'clerk', model: paying() }));
    hooked.tools.push(pay);
    await hooks.run(hooked, 'Pay.');
    expect(run).not.toHaveBeenCalled();
  });

  test('agents that it hands off to', async () => {
    const { run, pay } = payTool();
    const cashier = new Agent({ name: 'cashier', model: paying(), tools: [pay] });
    const model = new ScriptedModel([[functionCall('transfer_to_cashier', {}, { callId: 'c0' })]]);
    const hooks = createHooks({ hooks: [denying] });
    const clerk = hooks.hooked(new Agent({ name: 'clerk', model }));
    clerk.handoffs.push(cashier);
    expect((await hooks.run(clerk, 'Pay.')).finalOutput).toBe('Done.');
    expect(run).not.toHaveBeenCalled();
  });

  test('and the runner of the hooks runs no agent by itself', async () => {
    const { run, pay } = payTool();
    const { runner } = createHooks({ hooks: [denying] });
    const agent = new Agent({ name: 'clerk', model: paying(), tools: [pay] });
    await expect(runner.run(agent, 'Pay.')).rejects.toThrow(/no hook would see/u);
    expect(run).not.toHaveBeenCalled();
  });
});

test('a call in an agent that is a tool is approved in another process', async () => {
  const { run, pay } = payTool();
  const hooks = createHooks({ hooks: [asking], store: memoryStore() });
  const inner = new Agent({
    name: 'cashier',
    model: new ScriptedModel([[functionCall('pay', {}, { callId: 'c1' })], say('Paid.')]),
    tools: [pay],
  });
  const outer = new Agent({
    name: 'clerk',
    model: new ScriptedModel([[functionCall('cashier', { input: 'Pay.' }, { callId: 'c2' })], say('Done.')]),
    tools: [hooks.hooked(inner).asTool({ toolName: 'cashier', toolDescription: 'Pays.' })],
  });
  const turn = hooks.inTurn({ threadId: 'chat-1' });
  const asked = await turn.run(outer, 'Pay.');
  const state = await RunState.fromString(hooks.hooked(outer), asked.state.toString());
  for (const interruption of state.getInterruptions()) state.approve(interruption);
  const { finalOutput } = await turn.run(outer, state);
  expect(run).toHaveBeenCalledOnce();
  expect(finalOutput).toBe('Done.');
});

describe('an approval is for the tool that was asked about', () => {
  const call = (namespace?: string) =>
    functionCall('pay', {}, { callId: 'c1', ...(namespace === undefined ? {} : { namespace }) });

  test('also in a namespace', async () => {
    const { run, pay } = payTool();
    const hooks = createHooks({ hooks: [asking] });
    const model = new ScriptedModel([[call('bank')], say('Done.')]);
    const tools = toolNamespace({ name: 'bank', description: 'A bank.', tools: [pay] });
    const { state, interruptions } = await hooks.run(new Agent({ name: 'clerk', model, tools }), 'Pay.');
    for (const interruption of interruptions) state.approve(interruption);
    await hooks.run(new Agent({ name: 'clerk', model, tools }), state);
    expect(run).toHaveBeenCalledOnce();
  });

  test('also where the model has found it by searching', async () => {
    const run = vi.fn(async () => 'paid');
    const pay = tool({
      name: 'pay',
      description: 'Pays.',
      deferLoading: true,
      parameters: z.object({}),
      execute: run,
    });
    const hooks = createHooks({ hooks: [asking], allowUnwrapped: ['tool_search'] });
    const search = { call_id: 's1', execution: 'server', status: 'completed' } as const;
    const found = [{ type: 'function', name: 'pay', defer_loading: true }];
    const model = new ScriptedModel([
      [
        { type: 'tool_search_call', ...search, arguments: {} },
        { type: 'tool_search_output', ...search, tools: found },
        call(),
      ],
      say('Done.'),
    ]);
    const agent = new Agent({ name: 'clerk', model, tools: [pay, toolSearchTool()] });
    const { state, interruptions } = await hooks.run(agent, 'Pay.');
    for (const interruption of interruptions) state.approve(interruption);
    await hooks.run(agent, state);
    expect(run).toHaveBeenCalledOnce();
  });
});

test('a tool that an application finds while the agent runs passes the hooks', async () => {
  const { run, pay } = payTool();
  const denying = defineHook({
    hook: 'before_tool_call',
    id: 'denying',
    execute: async () => ({ decision: 'deny', reason: 'Not today.' }),
  });
  const hooks = createHooks({ hooks: [denying], allowUnwrapped: ['tool_search'] });
  const search = {
    type: 'tool_search_call',
    call_id: 's1',
    execution: 'client',
    status: 'completed',
  } as const;
  const model = new ScriptedModel([
    [{ ...search, arguments: {} }],
    [functionCall('pay', {}, { callId: 'c1' })],
    say('Done.'),
  ]);
  const parameters = { type: 'object', properties: {}, required: [], additionalProperties: false } as const;
  const tools = [
    toolSearchTool({
      execution: 'client',
      parameters,
      execute: async () => [{ ...pay, deferLoading: true }],
    }),
  ];
  await hooks.run(new Agent({ name: 'clerk', model, tools }), 'Pay.');
  expect(run).not.toHaveBeenCalled();
  expect(JSON.stringify(model.calls[2]?.request.input)).toContain('Not today.');
});
