import { type Agent, type HandoffInputData, handoff, type RunState } from '@openai/agents';
import { defineHook } from '@spec/hooks';
import { encodeText } from '@spec/test-helpers';
import type { Kit } from './kit.ts';
import type { Way } from './ways-of-answers.ts';

/** The provider keeps the conversation, and is sent what is new. */
const keptThere = [{ conversationId: 'c1' }, { previousResponseId: 'r0' }];
const withoutSession = (more: object): object => ({ session: undefined, ...more });

const asks = defineHook({
  hook: 'before_tool_call',
  id: 'asks',
  execute: async () => ({ decision: 'ask', reason: 'Money leaves the house.' }),
});

/** A run, in each way in which the provider keeps it. */
const inEach =
  (go: (kit: Kit, options: object) => Promise<unknown>): Way['go'] =>
  async (kit) => {
    for (const one of keptThere) await go(kit, withoutSession(one));
  };

async function reject(kit: Kit, options: object, more?: string): Promise<void> {
  const look = kit.tool('look', () => kit.say('result'));
  const steps = [{ calls: [kit.call('look')] }, { text: kit.say('answer') }, { text: 'later' }];
  const agent = kit.agent(steps, { tools: [look], toolUseBehavior: 'run_llm_again' });
  const asked = await kit.ask(agent, kit.say('user'), options);
  if (asked === undefined) return;
  for (const one of asked.interruptions) asked.state.reject(one, { message: kit.say('result') });
  if (more !== undefined) asked.state.addInput(more);
  await kit.ask(agent, asked.state as RunState<unknown, Agent>, options);
  await kit.ask(agent, 'And?', options);
}

/** Ways in which a provider, or what a tool gives, has a part of the conversation in another form. */
export const providerWays: Readonly<Record<string, Way>> = {
  'a conversation at the provider': {
    go: inEach(async (kit, options) => {
      const look = kit.tool('look', () => kit.say('result'));
      const steps = [
        {
          text: kit.say('answer'),
          calls: [
            kit.call('look'),
            kit.call('nothing'),
            { name: 'look', args: `{"${kit.say('call')}`, id: 'broken' },
          ],
        },
        { text: kit.say('answer') },
      ];
      const agent = kit.agent(steps, { tools: [look] });
      await kit.ask(agent, kit.say('user'), options);
      await kit.ask(agent, kit.say('user'), options);
    }),
  },
  'a call that a person rejects, in a conversation at the provider': {
    options: { hooks: [asks] },
    go: inEach(reject),
  },
  'a call that a person rejects, without a store': {
    options: { hooks: [asks], store: undefined } as object,
    go: (kit) => reject(kit, {}),
  },
  'a call that a person rejects, and says more': {
    options: { hooks: [asks] },
    go: (kit) => reject(kit, {}, kit.say('user')),
  },
  'a handoff with a filter, in a conversation at the provider': {
    go: inEach(async (kit, options) => {
      const last = kit.agent([{ text: kit.say('answer') }], { name: 'last' });
      const next = handoff(last, { inputFilter: kit.ear.at('inputFilter of a handoff', (input) => input) });
      const first = kit.agent([{ text: kit.say('answer'), calls: [kit.call('transfer_to_last')] }], {
        handoffs: [next],
      });
      await kit.ask(first, kit.say('user'), options);
    }),
  },
  'a handoff with a filter that makes a history of its own': {
    async go(kit) {
      const last = kit.agent([{ text: kit.say('answer') }], { name: 'last' });
      const inputFilter = kit.ear.at('inputFilter of a handoff', (input: HandoffInputData) => ({
        ...input,
        preHandoffItems: [],
        newItems: [...input.newItems],
      }));
      const next = handoff(last, { inputFilter });
      const first = kit.agent([{ text: kit.say('answer'), calls: [kit.call('transfer_to_last')] }], {
        handoffs: [next],
      });
      await kit.ask(first, kit.say('user'));
    },
  },
  'files that a tool gives': {
    async go(kit) {
      const text = ` ${kit.say('result')}`; // The card stands where a group of three bytes begins.
      const bytes = new TextEncoder().encode(text);
      const given = [
        { type: 'text', text: kit.say('result') },
        {
          type: 'file',
          file: { data: bytes, mediaType: 'text/plain', filename: `${kit.say('result')}.txt` },
        },
        {
          type: 'file',
          file: { data: encodeText(text), mediaType: 'text/plain', filename: 'a.txt' },
        },
        { type: 'image', image: { data: bytes, mediaType: 'image/png' } },
        { type: 'image', image: `data:text/plain;base64,${encodeText(text)}` },
      ];
      const all = kit.tool('all', () => given);
      const one = kit.tool('one', () => given[1]);
      const steps = [{ calls: [kit.call('all'), kit.call('one')] }, { text: kit.say('answer') }];
      await kit.ask(kit.agent(steps, { tools: [all, one] }), kit.say('user'));
    },
  },
};
