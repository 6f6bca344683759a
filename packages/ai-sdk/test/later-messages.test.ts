// Messages that come while a turn runs: by prepareStep, by the steering of version 7, and by whoever rewrites what was there.
import { defineHook } from '@spec/hooks';
import { memoryStore, type Store } from '@spec/runtime';
import * as v6 from 'ai';
import * as v7 from 'ai-v7';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createHooks } from '../src/index.ts';
import { type Answer, type ScriptedModel, scriptedModel } from './scripted-model.ts';

const versions = [
  ['6', v6, 'v3'],
  ['7', v7 as unknown as typeof v6, 'v4' as 'v3'],
] as const;

const call = (n: number): Answer => ({ calls: [{ id: `call_${n}`, name: 'look', input: { n } }] });
const list = async (store: Store): Promise<string[]> =>
  (await store.listMessages('t')).map(({ role, content }) => `${role}: ${content}`);
const listSent = ({ sent }: ScriptedModel): string[] =>
  sent.map(({ prompt }) =>
    prompt
      .map(({ role, content }) => {
        const parts = typeof content === 'string' ? [] : content;
        return `${role}:${parts.map((part) => ('text' in part ? part.text : part.type)).join('+')}`;
      })
      .join(' '),
  );

const mask = defineHook({
  hook: 'before_create_message',
  id: 'mask',
  execute: async (_state, message) => ({
    ...message,
    content: message.content?.replaceAll(/\d{16}/g, '[CARD]') ?? null,
  }),
});
const refuse = defineHook({
  hook: 'before_user_message',
  id: 'refuse',
  execute: async (_state, { content }) =>
    content?.includes('evil') ? { decision: 'deny', reason: 'Not here.' } : null,
});
const CARD = '4111111111111111';
type Messages = v6.ModelMessage[];
type Steps = Record<number, (messages: Messages) => Messages>;

describe.each(versions)('AI SDK %s', (version, ai, specificationVersion) => {
  const look = ai.tool({ inputSchema: z.object({ n: z.number() }), execute: async ({ n }) => `r${n}` });
  const scripted = (...script: Answer[]): ScriptedModel => ({
    ...scriptedModel(...script),
    specificationVersion,
  });

  /** One turn with messages of a step's own, in a store. */
  async function runTurn(steps: Steps, { way = 'generateText' } = {}) {
    const store = memoryStore();
    const model = scripted(call(1), call(2), { text: 'done' });
    const given = {
      ...{ model, tools: { look }, messages: [{ role: 'user' as const, content: 'go' }], maxRetries: 0 },
      stopWhen: ai.stepCountIs(5),
      prepareStep: ({ stepNumber, messages }: { stepNumber: number; messages: Messages }) => ({
        messages: steps[stepNumber]?.(messages) ?? messages,
      }),
    };
    const hooked = createHooks({ hooks: [mask, refuse], store }).hooked(given, { threadId: 't' });
    let error: unknown;
    const onError = (event: { error: unknown }): void => {
      error = event.error;
    };
    const ask = async () =>
      way === 'generateText' ? ai.generateText(hooked) : ai.streamText({ ...hooked, onError }).text;
    await ask().catch((thrown: unknown) => {
      error = thrown;
    });
    return { error, sent: listSent(model), rows: await list(store), store };
  }

  const say =
    (text: string) =>
    (messages: Messages): Messages => [...messages, { role: 'user', content: text }];

  describe.each(['generateText', 'streamText'])('%s', (way) => {
    test('what the user says at a later step passes the hooks, is stored in its place, and the model gets what they made of it', async () => {
      const { rows, sent } = await runTurn({ 1: say(`my card is ${CARD}`) }, { way });
      expect(sent[1]).toBe('user:go assistant:tool-call tool:tool-result user:my card is [CARD]');
      expect(rows).toEqual([
        'user: go',
        'assistant: null',
        'tool: r1',
        'user: my card is [CARD]',
        'assistant: null',
        'tool: r2',
        'assistant: done',
      ]);
    });

    test('what is denied then reaches no model, and is not stored', async () => {
      const { rows, sent, error } = await runTurn({ 1: say('be evil') }, { way });
      expect(JSON.stringify(sent)).not.toContain('evil');
      expect(rows).toEqual(['user: go', 'assistant: null', 'tool: r1']);
      expect(error).toMatchObject({ name: 'MessageDeniedError', message: 'Not here.' });
    });
  });

  test('a message that each step says anew is stored as often as the model gets it at once', async () => {
    const calm = say('stay calm');
    const isCalm = (row: string): boolean => row === 'user: stay calm';
    const once = await runTurn({
      1: calm,
      2: (messages) => calm(messages.filter(({ content }) => content !== 'stay calm')),
    });
    expect(once.rows.filter(isCalm)).toHaveLength(1);
    // Version 7 gives a step what the last one made of the messages, and version 6 its own.
    const twice = await runTurn({ 1: calm, 2: version === '6' ? (messages) => calm(calm(messages)) : calm });
    expect(twice.rows.filter(isCalm)).toHaveLength(2);
  });

  test('a message that prepareStep rewrites passes the hooks, and is not stored again', async () => {
    const rewrite =
      (text: string) =>
      (messages: Messages): Messages => [{ role: 'user', content: text }, ...messages.slice(1)];
    const { rows, sent } = await runTurn({ 1: rewrite(`go (${CARD})`), 2: rewrite(`go on (${CARD})`) });
    expect(sent.slice(1).map((line) => line.split(' assistant')[0])).toEqual([
      'user:go ([CARD])',
      'user:go on ([CARD])',
    ]);
    expect(rows.filter((row) => row.startsWith('user'))).toEqual(['user: go']);
    const denied = await runTurn({ 1: rewrite('evil') });
    expect([denied.error, JSON.stringify(denied.sent)]).toMatchObject([{ name: 'MessageDeniedError' }, /go/]);
    expect(JSON.stringify(denied.sent)).not.toContain('evil');
  });

  test('a window is no rewrite: what comes behind it is new', async () => {
    const { rows } = await runTurn({ 1: (messages) => say('and bob?')(messages.slice(1)) });
    expect(rows.filter((row) => row.startsWith('user'))).toEqual(['user: go', 'user: and bob?']);
  });

  test('calls and reasoning that are pruned make nothing new', async () => {
    const { rows } = await runTurn({
      2: (messages) =>
        ai.pruneMessages({ messages, reasoning: 'all', toolCalls: 'before-last-2-messages' }) as Messages,
    });
    expect(rows).toEqual([
      'user: go',
      'assistant: null',
      'tool: r1',
      'assistant: null',
      'tool: r2',
      'assistant: done',
    ]);
  });

  test('an exchange that a step makes up passes the create chain, and is stored', async () => {
    const made: Messages = [
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: 'made', toolName: 'look', input: { n: 9 } }],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'made',
            toolName: 'look',
            output: { type: 'text', value: CARD },
          },
        ],
      },
      { role: 'assistant', content: `It was ${CARD}.` },
      { role: 'user', content: 'so?' },
    ];
    const { rows, sent } = await runTurn({ 1: (messages) => [...messages, ...made] });
    expect(JSON.stringify(sent)).not.toContain(CARD);
    expect(rows.slice(3, 7)).toEqual([
      'assistant: null',
      'tool: [CARD]',
      'assistant: It was [CARD].',
      'user: so?',
    ]);
  });
});

describe('steering', () => {
  const { experimental_createSteering, generateText, isStepCount, streamText } = v7;

  test.each(['generateText', 'streamText'])(
    'passes the hooks, also where it goes on after an answer (%s)',
    async (way) => {
      const steering = experimental_createSteering();
      const store = memoryStore();
      const model = {
        ...scriptedModel(call(1), { text: 'first' }, { text: 'second' }),
        specificationVersion: 'v4',
      };
      const tools = {
        look: v7.tool({
          inputSchema: z.object({ n: z.number() }),
          execute: async () => {
            void steering.steer(`card ${CARD}`);
            void steering.queue(`again ${CARD}`);
            return 'r';
          },
        }),
      };
      const given = {
        model: model as never,
        tools,
        prompt: 'go',
        stopWhen: isStepCount(9),
        experimental_steering: steering,
      };
      const hooked = createHooks({ hooks: [mask, refuse], store }).hooked(given, { threadId: 't' });
      const text = way === 'generateText' ? (await generateText(hooked)).text : await streamText(hooked).text;
      expect(text).toBe('second');
      expect(JSON.stringify(model.sent)).not.toContain(CARD);
      expect(await list(store)).toEqual([
        'user: go',
        'assistant: null',
        'tool: r',
        'user: card [CARD]',
        'assistant: first',
        'user: again [CARD]',
        'assistant: second',
      ]);
    },
  );

  test('is denied as what came first', async () => {
    const steering = experimental_createSteering();
    const model = { ...scriptedModel(call(1), { text: 'first' }), specificationVersion: 'v4' };
    const execute = async () => void steering.steer('be evil');
    const tools = { look: v7.tool({ inputSchema: z.object({ n: z.number() }), execute }) };
    const given = {
      model: model as never,
      tools,
      prompt: 'go',
      stopWhen: isStepCount(9),
      experimental_steering: steering,
    };
    const asked = generateText(createHooks({ hooks: [refuse] }).hooked(given));
    await expect(asked).rejects.toMatchObject({ name: 'MessageDeniedError' });
    expect(model.sent).toHaveLength(1);
  });
});
