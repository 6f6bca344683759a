import { Agent, handoff, RunState, tool } from '@openai/agents';
import { defineHook } from '@spec/hooks';
import { z } from 'zod';
import { LoudModel } from './loud-model.ts';
import { answerWays, type Way } from './ways-of-answers.ts';
import { providerWays } from './ways-of-providers.ts';

const asks = defineHook({
  hook: 'before_tool_call',
  id: 'asks',
  execute: async () => ({ decision: 'ask', reason: 'Money leaves the house.' }),
});

export const ways: Readonly<Record<string, Way>> = {
  'a text, an answer and a later run': {
    async go(kit) {
      const agent = kit.agent([{ text: kit.say('answer') }, { text: 'later' }]);
      await kit.ask(agent, kit.say('user'));
      await kit.ask(agent, 'And?');
    },
  },
  'items with files': {
    async go(kit) {
      const file = `data:text/plain;base64,${btoa('nothing')}`;
      const content = [
        { type: 'input_text' as const, text: kit.say('user') },
        { type: 'input_file' as const, file, filename: 'a.txt' },
      ];
      await kit.ask(kit.agent([{ text: kit.say('answer') }]), [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content },
        { role: 'user', content: kit.say('user') },
      ]);
    },
  },
  'a call of a tool': {
    async go(kit) {
      const look = kit.tool('look', () => kit.say('result'));
      const steps = [{ text: kit.say('answer'), calls: [kit.call('look')] }, { text: kit.say('answer') }];
      await kit.ask(kit.agent(steps, { tools: [look] }), kit.say('user'));
    },
  },
  'a tool that fails': {
    async go(kit) {
      const fail = () => {
        throw new Error(kit.say('result'));
      };
      const loud = (_context: unknown, error: unknown) => `It failed: ${error}`;
      const tools = [
        kit.tool('one', fail),
        kit.tool('two', fail, { errorFunction: kit.ear.at('errorFunction', loud) }),
        kit.tool('three', fail, { errorFunction: null }),
      ];
      const steps = [{ calls: tools.map(({ name }) => kit.call(name)) }, { text: 'done' }];
      await kit.ask(kit.agent(steps, { tools }), kit.say('user'));
    },
  },
  'a tool that is made by hand': {
    async go(kit) {
      const fail = tool({
        name: 'fail',
        description: '',
        parameters: z.object({ text: z.string() }),
        errorFunction: (_context, error) => `It failed: ${error}`,
        execute: async () => {
          throw new Error(kit.say('result'));
        },
      });
      await kit.ask(kit.agent([{ calls: [kit.call('fail')] }], { tools: [fail] }), kit.say('user'));
    },
  },
  'a tool that is late': {
    async go(kit) {
      const never = () => new Promise(() => {});
      const tools = [kit.tool('wait', never, { timeoutMs: 5 })];
      await kit.ask(kit.agent([{ calls: [kit.call('wait')] }], { tools }), kit.say('user'));
    },
  },
  'calls that the SDK answers': {
    async go(kit) {
      const look = kit.tool('look', () => kit.say('result'));
      const calls = [kit.call('nothing'), { name: 'look', args: `{"text":"${kit.say('call')}` }];
      await kit.ask(kit.agent([{ calls }, { text: 'done' }], { tools: [look] }), kit.say('user'));
    },
  },
  'a call of a tool that is not there': {
    async go(kit) {
      await kit.ask(kit.agent([{ calls: [kit.call('nothing')] }]), kit.say('user'), {
        toolNotFoundBehavior: 'raise_error',
      });
    },
  },
  'a run that stops at a tool': {
    async go(kit) {
      const look = kit.tool('look', () => kit.say('result'));
      const agent = kit.agent([{ calls: [kit.call('look')] }], {
        tools: [look],
        toolUseBehavior: 'stop_on_first_tool',
      });
      await kit.ask(agent, kit.say('user'));
    },
  },
  'a run that is interrupted, stored and gone on with': {
    options: { hooks: [asks] },
    async go(kit) {
      const look = kit.tool('look', () => kit.say('result'));
      const steps = [{ calls: [kit.call('look')] }, { text: kit.say('answer') }];
      const agent = kit.agent(steps, { tools: [look], toolUseBehavior: 'run_llm_again' });
      const asked = await kit.ask(agent, kit.say('user'));
      if (asked === undefined) return;
      const state = await RunState.fromString<unknown, Agent>(
        kit.hooks.hooked(agent),
        asked.state.toString(),
      );
      kit.ear.hear('interruptions', state.getInterruptions());
      for (const one of state.getInterruptions()) state.approve(one);
      state.addInput(kit.say('user'));
      await kit.ask(agent, state);
    },
  },
  'a call that a person rejects': {
    options: { hooks: [asks] },
    async go(kit) {
      const look = kit.tool('look', () => kit.say('result'));
      const agent = kit.agent([{ calls: [kit.call('look')] }, { text: kit.say('answer') }], {
        tools: [look],
      });
      const asked = await kit.ask(agent, kit.say('user'));
      if (asked === undefined) return;
      for (const one of asked.interruptions) asked.state.reject(one, { message: kit.say('result') });
      await kit.ask(agent, asked.state as RunState<unknown, Agent>);
    },
  },
  handoffs: {
    async go(kit) {
      const last = kit.agent([{ text: kit.say('answer') }], { name: 'last' });
      const middle = kit.agent([{ calls: [{ name: 'transfer_to_last', args: '{}' }] }], {
        name: 'middle',
        handoffs: [last],
      });
      const next = handoff(middle, {
        inputType: z.object({ text: z.string() }),
        onHandoff: kit.ear.at('onHandoff', () => {}),
        inputFilter: kit.ear.at('inputFilter of a handoff', (input) => input),
      });
      const first = kit.agent([{ text: kit.say('answer'), calls: [kit.call('transfer_to_middle')] }], {
        handoffs: [next],
      });
      await kit.ask(first, kit.say('user'));
    },
  },
  'an agent as a tool': {
    async go(kit) {
      const look = kit.tool('look', () => kit.say('result'));
      const inner = kit.agent([{ calls: [kit.call('look')] }, { text: kit.say('answer') }], {
        name: 'inner',
        tools: [look],
      });
      const asTool = kit.hooks.hooked(inner).asTool({
        toolName: 'inner',
        parameters: z.object({ text: z.string() }),
        inputBuilder: kit.ear.at('inputBuilder', ({ params }) => String(params.text)),
        customOutputExtractor: kit.ear.at('customOutputExtractor', ({ finalOutput }) => String(finalOutput)),
        onStream: kit.ear.at('onStream', () => {}),
      });
      const outer = kit.agent([{ calls: [kit.call('inner')] }, { text: kit.say('answer') }], {
        tools: [asTool],
      });
      await kit.ask(outer, kit.say('user'));
    },
  },
  'an agent as a tool, with a model of its own run': {
    async go(kit) {
      const models = [
        new LoudModel([{ text: kit.say('answer') }]),
        new LoudModel([{ text: kit.say('answer') }]),
      ] as const;
      const [model, byName] = models;
      for (const { requests } of models) kit.ear.hear('requests', requests);
      const [first, second] = [new Agent({ name: 'first' }), new Agent({ name: 'second', model: 'other' })];
      const heard = {
        onStream: kit.ear.at('onStream', () => {}),
        parameters: z.object({ text: z.string() }),
      };
      const tools = [
        kit.hooks.hooked(first).asTool({ ...heard, toolName: 'first', runConfig: { model } }),
        kit.hooks
          .hooked(second)
          .asTool({ ...heard, toolName: 'second', runConfig: { modelProvider: { getModel: () => byName } } }),
      ];
      const calls = [kit.call('first'), kit.call('second')];
      await kit.ask(kit.agent([{ calls }, { text: 'done' }], { tools }), kit.say('user'));
    },
  },
  ...answerWays,
  ...providerWays,
};
