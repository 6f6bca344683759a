import { defineHook } from '@spec/hooks';
import { expect } from 'vitest';
import { defineTool } from '../src/index.ts';
import { type ScriptedModel, type ScriptedStep, scriptedModel } from '../src/testing/index.ts';
import { onBothStores, type StartedThread } from './kit.ts';

const weather = defineTool({ name: 'weather', execute: () => 'Rain.' });

const signed = { anthropic: { signature: 'c2lnbmVk' } };
const item = { openai: { itemId: 'msg_1' } };
const thought = { google: { thoughtSignature: 'dGhvdWdodA' } };

const thinking: ScriptedStep = {
  reasoning: [{ text: 'Mail anna@example.com.', metadata: signed }, { text: 'Unsigned.' }],
  text: 'I look.',
  metadata: item,
  toolCalls: [{ name: 'weather', metadata: thought }],
};

/** Runs something on a thread. @returns the thread, and the process's warnings of its dropped parts, by their text */
async function withWarnings(
  run: () => Promise<StartedThread>,
): Promise<StartedThread & { readonly said: readonly string[] }> {
  const texts: string[] = [];
  const note = (warning: Error & { code?: string }): void => {
    if (warning.name === 'AnswerPartsWarning') texts.push(warning.message);
  };
  process.on('warning', note);
  try {
    const started = await run();
    await new Promise((resolve) => setImmediate(resolve));
    // Those of a test before this one may come late.
    return { ...started, said: texts.filter((text) => text.includes(started.thread.id)) };
  } finally {
    process.off('warning', note);
  }
}

const answerSent = ({ calls }: ScriptedModel, call = 1): unknown =>
  calls[call]?.prompt.find(({ role }) => role === 'assistant')?.content;

const answerStored = async ({ thread }: StartedThread): Promise<unknown> =>
  (await thread.messages()).find(({ role }) => role === 'assistant');

const whole = [
  { type: 'reasoning', text: 'Mail anna@example.com.', providerOptions: signed },
  { type: 'reasoning', text: 'Unsigned.' },
  { type: 'text', text: 'I look.', providerOptions: item },
  { type: 'tool-call', toolCallId: 'call_1', toolName: 'weather', input: {}, providerOptions: thought },
];

onBothStores('reasoning and metadata are stored, and sent back as the model wrote them', async (kit) => {
  const started = await kit.thread({ tools: [weather], script: [thinking, 'Rain.', 'Still.'] });
  await started.thread.send('Weather?');
  expect(await answerStored(started)).toMatchObject({
    content: 'I look.',
    reasoning: [
      { id: 'reasoning_1', text: 'Mail anna@example.com.', metadata: signed },
      { id: 'reasoning_2', text: 'Unsigned.' },
    ],
    provider_metadata: {
      provider: 'scripted',
      model: 'scripted',
      parts: [
        { type: 'reasoning', id: 'reasoning_1' },
        { type: 'reasoning', id: 'reasoning_2' },
        { type: 'text', length: 7, metadata: item },
        { type: 'tool_call', id: 'call_1', metadata: thought },
      ],
    },
  });
  expect(answerSent(started.model)).toEqual(whole);
  await started.thread.send('And now?');
  expect(answerSent(started.model, 2)).toEqual(whole);
});

onBothStores('after a restart the same parts are sent', async (kit) => {
  const first = await kit.thread({ tools: [weather], script: [thinking, 'Rain.'] });
  await first.thread.send('Weather?');
  await first.thread.close();
  const second = kit.start({ tools: [weather], script: ['Still.'] });
  const thread = await second.runtime.openThread(first.thread.id);
  await thread?.send('And now?');
  expect(answerSent(second.model, 0)).toEqual(whole);
});

onBothStores('another model gets the text and the calls alone', async (kit) => {
  const other = { ...scriptedModel(['Rain.']), provider: 'other' };
  const first = scriptedModel([thinking, new Error('down')]);
  const started = await kit.thread({
    tools: [weather],
    models: { first, other },
    prompt: { model: 'first', fallback: ['other'] },
  });
  expect(await started.thread.send('Weather?')).toMatchObject({ text: 'Rain.' });
  expect(answerSent(first)).toEqual(whole);
  expect(answerSent(other as ScriptedModel, 0)).toEqual([
    { type: 'text', text: 'I look.' },
    { type: 'tool-call', toolCallId: 'call_1', toolName: 'weather', input: {} },
  ]);
});

const hide = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll('anna@example.com', '[EMAIL]'));

const hides = {
  before_create_message: defineHook({
    hook: 'before_create_message',
    id: 'hide',
    execute: async (_, message) => hide(message) as typeof message,
  }),
  filter_messages: defineHook({
    hook: 'filter_messages',
    id: 'hide',
    execute: async (_, messages) => hide(messages) as typeof messages,
  }),
  prefilter_llm_history: defineHook({
    hook: 'prefilter_llm_history',
    id: 'hide',
    execute: async (_, messages) => hide(messages) as typeof messages,
  }),
};

for (const [hook, policy] of Object.entries(hides))
  onBothStores(`a signed part that ${hook} changed is dropped, and said`, async (kit) => {
    const { model, said } = await withWarnings(async () => {
      const started = await kit.thread({
        tools: [weather],
        policies: [policy],
        script: [thinking, { toolCalls: [{ name: 'weather' }] }, 'Rain.'],
      });
      await started.thread.send('Weather?');
      return started;
    });
    expect(answerSent(model)).toEqual(whole.slice(1));
    expect(answerSent(model, 2)).toEqual(whole.slice(1));
    expect(said).toHaveLength(1);
    expect(said[0]).not.toContain('anna');
  });

onBothStores('a changed text and a changed call lose their metadata alone', async (kit) => {
  const { model, said } = await withWarnings(async () => {
    const started = await kit.thread({
      tools: [weather],
      policies: [
        defineHook({
          hook: 'before_create_message',
          id: 'rewrite',
          changes: ['content', 'tool_calls'],
          execute: async (_, message) =>
            message.role === 'assistant' && typeof message.tool_calls === 'string'
              ? {
                  ...message,
                  content: 'I see!!',
                  tool_calls: message.tool_calls.replace('{}', '{\\"a\\":1}'),
                }
              : message,
        }),
      ],
      script: [thinking, 'Rain.'],
    });
    await started.thread.send('Weather?');
    return started;
  });
  expect(answerSent(model)).toEqual([
    ...whole.slice(0, 2),
    { type: 'text', text: 'I see!!' },
    { type: 'tool-call', toolCallId: 'call_1', toolName: 'weather', input: { a: 1 } },
  ]);
  expect(said).toHaveLength(1);
});

onBothStores('what belongs to dropped reasoning goes with it', async (kit) => {
  const started = await kit.thread({
    policies: [hides.before_create_message],
    script: [
      { reasoning: [{ text: 'anna@example.com', metadata: signed }], text: 'Hi.', metadata: item },
      'Bye.',
    ],
  });
  await started.thread.send('Hi');
  expect(await answerStored(started)).not.toHaveProperty('reasoning');
  await started.thread.send('Bye');
  expect(answerSent(started.model)).toEqual([{ type: 'text', text: 'Hi.' }]);
});

onBothStores('an edit of an answer drops what was signed, and keeps the rest', async (kit) => {
  const started = await kit.thread({
    script: [{ reasoning: [{ text: 'Hm.', metadata: signed }], text: 'Hi.', metadata: item }, 'Bye.'],
  });
  await started.thread.send('Hi');
  const { id } = (await answerStored(started)) as { id: string };
  const { said } = await withWarnings(async () => {
    await started.thread.state.updateMessage(id, { content: 'Hello.' });
    return started;
  });
  expect(said).toHaveLength(1);
  await started.thread.send('Bye');
  expect(answerSent(started.model)).toEqual([
    { type: 'reasoning', text: 'Hm.', providerOptions: signed },
    { type: 'text', text: 'Hello.' },
  ]);
});

onBothStores('parts that are too long are not kept, and that is said', async (kit) => {
  const started = await withWarnings(async () => {
    const opened = await kit.thread({ script: [{ reasoning: 'x'.repeat(1_000_001), text: 'Hi.' }] });
    await opened.thread.send('Hi');
    return opened;
  });
  expect(await answerStored(started)).not.toHaveProperty('reasoning');
  expect(started.said).toHaveLength(1);
});

onBothStores('an answer without reasoning has no field for it', async (kit) => {
  const started = await kit.thread({ script: ['Hi.'] });
  await started.thread.send('Hi');
  const stored = (await answerStored(started)) as object;
  expect(Object.keys(stored)).not.toContain('provider_metadata');
});
