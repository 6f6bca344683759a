import { setTimeout as wait } from 'node:timers/promises';
import {
  type CreateEngine,
  createRuntime,
  defineAgent,
  definePrompt,
  defineTool,
  type Runtime,
  type Store,
} from '@spec/runtime';
import { type ScriptedStep, scriptedModel } from '@spec/runtime/testing';

/** Answers by the history that it is sent, as a model does: whichever worker asks, it goes on from there. In its place goes your provider's. */
const answer: ScriptedStep = async ({ prompt }) => {
  await wait(300 + Math.random() * 700);
  const lookedUp = prompt.at(-1)?.role === 'tool';
  return lookedUp
    ? 'Your order is on its way.'
    : { toolCalls: [{ id: crypto.randomUUID(), name: 'look_up_order' }] };
};

function* forEver(): Generator<ScriptedStep> {
  for (;;) yield answer;
}

/** The same runtime for who sends and for who runs: the agents, and where their threads and turns are. */
export function startSupport(store: Store, engine: CreateEngine): Runtime {
  const lookUpOrder = defineTool({
    name: 'look_up_order',
    onInterrupted: 'retry', // Looking twice harms nobody.
    execute: async () => {
      await wait(300);
      return 'shipped';
    },
  });
  return createRuntime({
    store,
    engine,
    tools: [lookUpOrder],
    prompts: [definePrompt({ name: 'support', tools: ['look_up_order'] })],
    agents: [defineAgent({ name: 'support', prompt: 'support' })],
    models: { scripted: scriptedModel(forEver(), { keepsCalls: 1 }) },
  });
}
