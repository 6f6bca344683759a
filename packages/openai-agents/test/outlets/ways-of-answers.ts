import { Runner, toolNamespace, toolSearchTool } from '@openai/agents';
import { defineHook } from '@spec/hooks';
import { z } from 'zod';
import type { OpenAIAgentsOptions } from '../../src/index.ts';
import type { Kit } from './kit.ts';
import { LoudModel } from './loud-model.ts';

/** A way of the SDK to a model, a tool or a conversation. */
export interface Way {
  readonly options?: Partial<OpenAIAgentsOptions> | ((kit: () => Kit) => Partial<OpenAIAgentsOptions>);
  go(kit: Kit): Promise<unknown>;
}

/** Ways to an answer, and to tools that are found. */
export const answerWays: Readonly<Record<string, Way>> = {
  'a structured answer': {
    async go(kit) {
      const outputType = z.object({ text: z.string() });
      const text = JSON.stringify({ text: kit.say('answer') });
      await kit.ask(kit.agent([{ text }], { outputType } as object), kit.say('user'));
    },
  },
  'an answer of another form': {
    async go(kit) {
      const outputType = z.object({ text: z.string() });
      await kit.ask(kit.agent([{ text: kit.say('answer') }], { outputType } as object), kit.say('user'));
    },
  },
  'a refusal': {
    go: (kit) => kit.ask(kit.agent([{ refusal: kit.say('answer') }]), kit.say('user')),
  },
  'guardrails that end a run': {
    async go(kit) {
      const execute = async () => ({ tripwireTriggered: true, outputInfo: null });
      const inputGuardrails = [{ name: 'no', execute, runInParallel: false }];
      const agent = () => [{ text: kit.say('answer') }];
      await kit.ask(kit.agent(agent(), { inputGuardrails }), kit.say('user'));
      await kit.ask(kit.agent(agent(), { outputGuardrails: [{ name: 'no', execute }] }), kit.say('user'));
    },
  },
  'too many turns': {
    async go(kit) {
      const look = kit.tool('look', () => kit.say('result'));
      const calling = { text: kit.say('answer'), calls: [kit.call('look')] };
      await kit.ask(kit.agent([calling, calling], { tools: [look] }), kit.say('user'), { maxTurns: 1 });
    },
  },
  'a model that fails and is asked again': {
    async go(kit) {
      const steps = [{ text: kit.say('answer'), fails: new Error('down') }, { text: kit.say('answer') }];
      await kit.ask(kit.agent(steps), kit.say('user'));
    },
  },
  'a model by its name': {
    options: (kit) => {
      const model = new LoudModel([{ text: 'later' }]);
      return {
        runConfig: { modelProvider: { getModel: () => new LoudModel([{ text: kit().say('answer') }]) } },
        models: { model },
      };
    },
    go: (kit) => kit.ask(kit.agent([], { model: 'other' }), kit.say('user')),
  },
  'a hook that answers in the place of the model': {
    options: (kit) => ({
      hooks: [
        defineHook({
          hook: 'before_model_call',
          id: 'answers',
          execute: async () => ({ result: { content: kit().say('answer') } }),
        }),
      ],
    }),
    go: (kit) => kit.ask(kit.agent([]), kit.say('user')),
  },
  'tools that a model finds': {
    options: { allowUnwrapped: ['tool_search'] },
    async go(kit) {
      const look = kit.tool('look', () => kit.say('result'), { deferLoading: true });
      const search = toolSearchTool({
        execution: 'client',
        execute: kit.ear.at('execute of a search', async () => [look]),
      } as never);
      const found = {
        type: 'tool_search_call',
        call_id: 's1',
        execution: 'client',
        status: 'completed',
        arguments: {},
      };
      await kit.ask(
        kit.agent([{ items: [found as never] }, { calls: [kit.call('look')] }, { text: kit.say('answer') }], {
          tools: [search],
        }),
        kit.say('user'),
      );
    },
  },
  'tools in a namespace': {
    async go(kit) {
      const tools = toolNamespace({
        name: 'bank',
        description: 'A bank.',
        tools: [kit.tool('look', () => kit.say('result'))],
      });
      await kit.ask(
        kit.agent([{ calls: [kit.call('look')] }, { text: kit.say('answer') }], { tools: [...tools] }),
        kit.say('user'),
      );
    },
  },
  'a runner that a tool makes': {
    async go(kit) {
      const inner = kit.agent([{ text: kit.say('answer') }], { name: 'inner' });
      const look = kit.tool(
        'look',
        async () => (await new Runner().run(kit.hooks.hooked(inner), kit.say('result'))).finalOutput,
      );
      await kit.ask(
        kit.agent([{ calls: [kit.call('look')] }, { text: kit.say('answer') }], { tools: [look] }),
        kit.say('user'),
      );
    },
  },
  'hosted tools that are accepted': {
    async go(kit) {
      const found = {
        type: 'hosted_tool_call',
        name: 'web_search_call',
        output: kit.say('result'),
        status: 'completed',
      } as const;
      await kit.ask(kit.agent([{ items: [found], text: kit.say('answer') }]), kit.say('user'));
    },
  },
  'reasoning beside an answer that hooks leave alone': {
    async go(kit) {
      const content = [{ type: 'input_text' as const, text: kit.say('answer') }];
      await kit.ask(kit.agent([{ items: [{ type: 'reasoning', content }], text: 'Fine.' }]), kit.say('user'));
    },
  },
};
