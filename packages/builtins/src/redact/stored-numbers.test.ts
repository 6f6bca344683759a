import {
  createRuntime,
  defineAgent,
  definePrompt,
  defineTool,
  memoryStore,
  type Runtime,
  type Thread,
} from '@spec/runtime';
import { type ScriptedStep, scriptedModel } from '@spec/runtime/testing';
import { expect, onTestFinished, test } from 'vitest';
import { type RedactOptions, redact } from './index.ts';

const CARD = '4111 1111 1111 1111';
const OTHER = '5500 0000 0000 0004';
const key = 'a passphrase of some length';
const charge: ScriptedStep = { toolCalls: [{ name: 'charge', input: { card: '[CARD_1]' } }] };

function start(script: readonly ScriptedStep[], options: RedactOptions) {
  const given: unknown[] = [];
  const runtime = createRuntime({
    store: memoryStore(),
    policies: redact(options),
    models: { main: scriptedModel(script) },
    tools: [
      defineTool({
        name: 'charge',
        execute: (input) => {
          given.push(input);
          return 'charged';
        },
      }),
      defineTool({ name: 'ask_helper', agent: 'helper' }),
    ],
    prompts: [definePrompt({ name: 'main', tools: ['charge', 'ask_helper'] })],
    agents: [defineAgent({ name: 'main', prompt: 'main' }), defineAgent({ name: 'helper', prompt: 'main' })],
  });
  onTestFinished(() => runtime.close());
  return { runtime, given };
}

/** A child thread on its own: its placeholders count in the parent that stayed behind. */
async function moveChild(to: Runtime): Promise<Thread> {
  const ask: ScriptedStep = { toolCalls: [{ name: 'ask_helper', input: { task: 'Charge [CARD_1].' } }] };
  const { runtime } = start([ask, charge, 'Charged.', 'Done.'], { restore: { to: 'tools', key } });
  const parent = await runtime.createThread({ agent: 'main' });
  await parent.send(`Charge ${CARD}.`);
  const [child] = await runtime.listThreads({ parentId: parent.id });
  return to.openThread(await to.importThread(runtime.exportThread(child?.id ?? '')));
}

test.each([
  ['with restore', { restore: { to: 'tools', key } }],
  ['without it', {}],
] as const)('no value gets a number that stands in a stored message, %s', async (_, options) => {
  const { runtime } = start(['Noted.'], options);
  const thread = await moveChild(runtime);
  await thread.send(`Here is another one: ${OTHER}.`);
  expect((await thread.messages()).at(-2)?.content).toBe('Here is another one: [CARD_2].');
});

test('a call with a placeholder whose value stayed behind is not run', async () => {
  const { runtime, given } = start([charge, 'Sorry.'], { restore: { to: 'tools', key } });
  const thread = await moveChild(runtime);
  await thread.send(`Keep ${OTHER}, and charge the first one again.`);
  expect(given).toEqual([]);
  expect((await thread.messages()).at(-2)?.content).toMatch(/What \[CARD_1\] stands for is no longer known/);
});

test('a number that nobody counts to does not use up the others', async () => {
  const { runtime } = start(['Noted.'], {});
  const thread = await runtime.createThread({ agent: 'main' });
  await thread.inject({ role: 'user', content: '[CARD_999999]' });
  await thread.send(CARD);
  expect((await thread.messages()).at(-2)?.content).toBe('[CARD_1]');
});
