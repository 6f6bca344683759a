import { redact } from '@spec/builtins';
import { type AnyHook, defineHook, type RunRecord } from '@spec/hooks';
import * as v6 from 'ai';
import * as v7 from 'ai-v7';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { type AiSdkOptions, createHooks } from '../src/index.ts';
import { type Answer, type ScriptedModel, scriptedModel } from './scripted-model.ts';

// A model of version 7's own interface: of what hooks do with it, nothing differs.
const versions = [
  ['6', v6, 'v3'],
  ['7', v7 as unknown as typeof v6, 'v4' as 'v3'],
] as const;

const pay = (input: object = { amount: 5 }, id = 'call_1'): Answer => ({
  calls: [{ id, name: 'pay', input }],
});

const partial = (hooks: readonly AnyHook[]): AiSdkOptions => ({
  hooks,
  allowPartial: hooks.map(({ id }) => id),
});

function listSent(model: ScriptedModel, call: number): string[] {
  return (model.sent[call]?.prompt ?? []).map(({ role, content }) => `${role}: ${JSON.stringify(content)}`);
}

describe.each(versions)('AI SDK %s', (_, ai, specificationVersion) => {
  const scripted = (...script: Answer[]): ScriptedModel => ({
    ...scriptedModel(...script),
    specificationVersion,
  });
  const { generateText, streamText, tool, stepCountIs } = ai;

  function payTool(execute: (input: { amount: number }) => unknown = ({ amount }) => ({ paid: amount })) {
    const run = vi.fn(execute);
    return {
      run,
      tools: {
        pay: tool({ inputSchema: z.object({ amount: z.number() }), execute: async (input) => run(input) }),
      },
    };
  }

  test('a model that has the hooks already is refused: each would run twice', () => {
    const count = defineHook({ hook: 'after_model_call', id: 'count', execute: async (_state) => {} });
    const hooks = createHooks({ hooks: [count] });
    const once = hooks.hooked({ model: scripted({ text: 'Hi.' }), prompt: 'hi' });
    expect(() => hooks.hooked(once)).toThrow('The model has these hooks already');
    expect(() => hooks.hooked(undefined as never)).toThrow('hooked takes the options of a call');
    expect(() => hooks.openTurn().withHooks(once.model)).toThrow('The model has these hooks already');
    expect(() => createHooks({ hooks: [count] }).hooked(once)).not.toThrow();
  });

  test('a tool that has the hooks already is refused: a person would be asked twice', () => {
    const guard = defineHook({ hook: 'before_tool_call', id: 'guard', execute: async (_state) => null });
    const hooks = createHooks({ hooks: [guard] });
    const wrapped = hooks.openTurn().wrapTools(payTool().tools);
    expect(() => hooks.hooked({ model: scripted({ text: 'Hi.' }), tools: wrapped, prompt: 'hi' })).toThrow(
      'The tool "pay" has these hooks already',
    );
  });

  describe('a tool call', () => {
    test.each([[1], [async () => 'over 50']])(
      'that needs approval in other words than true waits for it: %s',
      async (needsApproval) => {
        const look = defineHook({ hook: 'before_tool_call', id: 'look', execute: async () => null });
        const { run, tools } = payTool();
        const given = {
          model: scripted(pay()),
          tools: { pay: { ...tools.pay, needsApproval: needsApproval as never } },
        };
        const { content } = await generateText(
          createHooks({ hooks: [look] }).hooked({ ...given, prompt: 'pay' }),
        );
        expect(content.map(({ type }) => type)).toContain('tool-approval-request');
        expect(run).not.toHaveBeenCalled();
      },
    );

    test('runs with what it was given, and gives what it gave, where hooks leave it alone', async () => {
      const runs: RunRecord[] = [];
      const look = defineHook({ hook: 'before_tool_call', id: 'look', execute: async () => null });
      const hooks = createHooks({ hooks: [look], onRun: (run) => runs.push(run) });
      const { run, tools } = payTool();
      const model = scripted(pay(), { text: 'Paid.' });
      const result = await generateText(
        hooks.hooked({ model, tools, prompt: 'pay', stopWhen: stepCountIs(5) }),
      );
      expect([result.text, run.mock.calls]).toEqual(['Paid.', [[{ amount: 5 }]]]);
      expect(result.steps[0]?.toolResults[0]?.output).toEqual({ paid: 5 });
      expect(runs.map(({ id, outcome, about }) => [id, outcome, about])).toEqual([
        ['look', 'ok', { call: 'call_1' }],
      ]);
    });

    test('that is denied never runs, and the model is told why', async () => {
      const guard = defineHook({
        hook: 'before_tool_call',
        id: 'guard',
        match: 'pay',
        execute: async (_state, { input }) =>
          Number(input.amount) > 3 ? { decision: 'deny', reason: 'Too much.' } : null,
      });
      const { run, tools } = payTool();
      const model = scripted(pay(), { text: 'Sorry.' });
      const hooks = createHooks({ hooks: [guard] });
      await generateText(hooks.hooked({ model, tools, prompt: 'pay', stopWhen: stepCountIs(5) }));
      expect(run).not.toHaveBeenCalled();
      expect(listSent(model, 1).at(-1)).toContain('This tool call was denied by guard. Too much.');
    });

    test('is rewritten; its result is replaced before the model and the application see it', async () => {
      const halve = defineHook({
        hook: 'before_tool_call',
        id: 'halve',
        execute: async (_state, { input }) => ({ input: { amount: Number(input.amount) / 2 } }),
      });
      const hide = defineHook({
        hook: 'before_store_tool_result',
        id: 'hide',
        execute: async (_state, _call, row) => ({ ...row, result: '{"paid":"some"}' }),
      });
      const { run, tools } = payTool();
      const model = scripted(pay(), { text: 'Paid.' });
      const hooks = createHooks({ hooks: [halve, hide] });
      const result = await generateText(
        hooks.hooked({ model, tools, prompt: 'pay', stopWhen: stepCountIs(5) }),
      );
      expect(run.mock.calls).toEqual([[{ amount: 2.5 }]]);
      expect(result.steps[0]?.toolResults[0]?.output).toEqual({ paid: 'some' });
      expect(JSON.stringify(model.sent[1])).toContain('some');
    });

    test('is rewritten to arguments that do not fit, and does not run; what the schema made of arguments reaches the tool', async () => {
      const rewrite = (amount: number | string) =>
        defineHook({ hook: 'before_tool_call', id: 'rewrite', execute: async () => ({ input: { amount } }) });
      const { run, tools } = payTool();
      const model = scripted(pay(), { text: 'Sorry.' });
      const hooks = createHooks({ hooks: [rewrite('a lot')] });
      await generateText(hooks.hooked({ model, tools, prompt: 'pay', stopWhen: stepCountIs(5) }));
      expect(run).not.toHaveBeenCalled();
      expect(JSON.stringify(model.sent[1])).toContain('The arguments do not fit this tool, at amount');
      const seen: unknown[] = [];
      const inputSchema = z.object({ amount: z.number().transform((at) => new Date(at)) });
      const dated = { pay: tool({ inputSchema, execute: async ({ amount }) => void seen.push(amount) }) };
      const look = defineHook({ hook: 'before_tool_call', id: 'look', execute: async () => null });
      const asked = {
        model: scripted(pay(), { text: 'Paid.' }),
        tools: dated,
        prompt: 'pay',
        stopWhen: stepCountIs(5),
      };
      await generateText(createHooks({ hooks: [look] }).hooked(asked));
      expect(seen).toEqual([new Date(5)]);
    });

    test('whose guard fails does not run', async () => {
      const broken = defineHook({
        hook: 'before_tool_call',
        id: 'broken',
        execute: async () => {
          throw new Error('secret');
        },
      });
      const { run, tools } = payTool();
      const model = scripted(pay(), { text: 'Sorry.' });
      const hooks = createHooks({ hooks: [broken] });
      await generateText(hooks.hooked({ model, tools, prompt: 'pay', stopWhen: stepCountIs(5) }));
      expect(run).not.toHaveBeenCalled();
      expect(JSON.stringify(model.sent[1])).not.toContain('secret');
    });

    test('that throws is told to after_tool_call_failure, whose text the model gets', async () => {
      const explain = defineHook({
        hook: 'after_tool_call_failure',
        id: 'explain',
        execute: async (_state, _call, result) => ({ ...result, error: `${result.error} Try later.` }),
      });
      const { tools } = payTool(() => {
        throw new Error('No funds.');
      });
      const model = scripted(pay(), { text: 'Sorry.' });
      await generateText(
        createHooks(partial([explain])).hooked({ model, tools, prompt: 'pay', stopWhen: stepCountIs(5) }),
      );
      expect(JSON.stringify(model.sent[1])).toContain('No funds. Try later.');
    });

    test('in a provider or a browser is refused where a hook is on tools', () => {
      const look = defineHook({ hook: 'before_tool_call', id: 'look', execute: async () => null });
      const tools = { there: tool({ inputSchema: z.object({}) }) };
      const given = { model: scripted(), tools, prompt: 'x' };
      expect(() => createHooks({ hooks: [look] }).hooked(given)).toThrow(
        'The tool "there" has no execute: it runs at the provider or in the browser, and no hook sees its calls.',
      );
      expect(() => createHooks({ hooks: [look], allowUnwrapped: ['there'] }).hooked(given)).not.toThrow();
      expect(() => createHooks({ hooks: [look], allowUnwrapped: 'not there' as never })).toThrow(
        'createHooks: allowUnwrapped must be a list of names, such as ["search"]; got a string.',
      );
    });
  });

  describe('a call that a hook asks about', () => {
    const asking = defineHook({
      hook: 'before_tool_call',
      id: 'asking',
      execute: async () => ({ decision: 'ask', reason: 'Money.' }),
    });

    test('becomes an approval of the AI SDK, and runs in the next turn once it is given', async () => {
      const { run, tools } = payTool();
      const hooks = createHooks({ hooks: [asking] });
      const user = { role: 'user', content: 'pay' } as const;
      const model = scripted(pay(), { text: 'Paid.' });
      const first = await generateText(
        hooks.hooked({ model, tools, messages: [user], stopWhen: stepCountIs(5) }),
      );
      const request = first.content.find((part) => part.type === 'tool-approval-request');
      expect([run.mock.calls.length, request?.toolCall.toolCallId]).toEqual([0, 'call_1']);
      const answer = (approved: boolean) => [
        user,
        ...first.response.messages,
        {
          role: 'tool' as const,
          content: [
            { type: 'tool-approval-response' as const, approvalId: request?.approvalId ?? '', approved },
          ],
        },
      ];
      const denied = scripted({ text: 'No.' });
      await generateText(hooks.hooked({ model: denied, tools, messages: answer(false) }));
      expect(run).not.toHaveBeenCalled();
      const last = await generateText(hooks.hooked({ model, tools, messages: answer(true) }));
      expect([last.text, run.mock.calls]).toEqual(['Paid.', [[{ amount: 5 }]]]);
    });

    test('and rewrites runs as it was when it was asked about, and as nothing else', async () => {
      const asked = async (factors: readonly [number, number], turn: object) => {
        let [factor] = factors;
        const halve = defineHook({
          hook: 'before_tool_call',
          id: 'halve',
          execute: async (_state, { input }) => ({
            decision: 'ask',
            input: { amount: Number(input.amount) * factor },
          }),
        });
        const { run, tools } = payTool();
        const hooks = createHooks({ hooks: [halve] });
        const user = { role: 'user', content: 'pay' } as const;
        const model = scripted(pay(), { text: 'Done.' });
        const first = await generateText(hooks.hooked({ model, tools, messages: [user] }, turn));
        const request = first.content.find((part) => part.type === 'tool-approval-request');
        const approvalId = request?.approvalId ?? '';
        const approval = { type: 'tool-approval-response', approvalId, approved: true } as const;
        const messages = [
          ...[user, ...first.response.messages],
          { role: 'tool' as const, content: [approval] },
        ];
        factor = factors[1];
        await generateText(hooks.hooked({ model, tools, messages }, turn));
        return run.mock.calls.flat();
      };
      expect(await asked([0.5, 0.5], { threadId: 't' })).toEqual([{ amount: 2.5 }]);
      expect(await asked([0.5, 100], { threadId: 't' })).toEqual([]);
      expect(await asked([0.5, 1], { threadId: 't' })).toEqual([]);
    });

    test('is put to onAsk where there is one', async () => {
      const { run, tools } = payTool();
      const onAsk = vi.fn(() => false);
      const model = scripted(pay(), { text: 'Sorry.' });
      const hooks = createHooks({ hooks: [asking], onAsk });
      await generateText(hooks.hooked({ model, tools, prompt: 'pay', stopWhen: stepCountIs(5) }));
      expect([onAsk.mock.calls.length, run.mock.calls.length]).toEqual([1, 0]);
    });

    test('is not answered by an approval that the posted messages hold of a call with its id', async () => {
      const past = (amount: number) =>
        [
          { role: 'user', content: 'hi' },
          {
            role: 'assistant',
            content: [
              { type: 'tool-call', toolCallId: 'call_1', toolName: 'pay', input: { amount } },
              { type: 'tool-approval-request', approvalId: 'a', toolCallId: 'call_1' },
            ],
          },
          {
            role: 'tool',
            content: [
              { type: 'tool-approval-response', approvalId: 'a', approved: true },
              {
                ...{ type: 'tool-result', toolCallId: 'call_1', toolName: 'pay' },
                output: { type: 'text', value: 'paid' },
              },
            ],
          },
          { role: 'assistant', content: 'Done.' },
          { role: 'user', content: 'pay' },
        ] as never[];
      for (const onAsk of [undefined, vi.fn(() => false)])
        for (const amount of [1, 5]) {
          const { run, tools } = payTool();
          const model = scripted(pay(), { text: 'Sorry.' });
          const hooks = createHooks({ hooks: [asking], ...(onAsk === undefined ? {} : { onAsk }) });
          const setting = { model, tools, messages: past(amount), stopWhen: stepCountIs(5) };
          const { content } = await generateText(hooks.hooked(setting));
          const isAsked = content.some(({ type }) => type === 'tool-approval-request');
          expect([run.mock.calls.length, isAsked]).toEqual([0, onAsk === undefined]);
        }
    });
  });

  describe('what the model is sent', () => {
    test('passes the hooks on the system message and the history, and keeps files and results as they are', async () => {
      const polite = defineHook({
        hook: 'after_system_message',
        id: 'polite',
        execute: async (_state, text) => `${text} Be polite.`,
      });
      const newest = defineHook({
        hook: 'filter_messages',
        id: 'newest',
        execute: async (_state, messages) => messages.slice(-2),
      });
      const shout = defineHook({
        hook: 'prefilter_llm_history',
        id: 'shout',
        execute: async (_state, messages) =>
          messages.map((message) =>
            message.role === 'user'
              ? { ...message, content: message.content?.toUpperCase() ?? null }
              : message,
          ),
      });
      const model = scripted();
      const hooks = createHooks({ hooks: [polite, newest, shout] });
      const image = { type: 'file', data: new Uint8Array([1]), mediaType: 'image/png' } as const;
      await generateText(
        hooks.hooked({
          model,
          system: 'You help.',
          messages: [
            { role: 'user', content: 'old' },
            { role: 'assistant', content: 'kept as it is' },
            { role: 'user', content: [{ type: 'text', text: 'new' }, image] },
          ],
        }),
      );
      const [system, answer, user] = model.sent[0]?.prompt ?? [];
      expect(system).toMatchObject({ role: 'system', content: 'You help. Be polite.' });
      expect(answer).toMatchObject({ content: [{ type: 'text', text: 'kept as it is' }] });
      expect(user).toMatchObject({ content: [{ text: 'NEW' }, { type: 'file', mediaType: 'image/png' }] });
      expect(model.sent[0]?.prompt).toHaveLength(3);
    });

    test('a filter that cuts an exchange in two leaves no half of it', async () => {
      const last = defineHook({
        hook: 'filter_messages',
        id: 'last',
        execute: async (_state, messages) => messages.slice(-1),
      });
      const { tools } = payTool();
      const model = scripted(pay(), { text: 'Paid.' });
      await generateText(
        createHooks({ hooks: [last] }).hooked({ model, tools, prompt: 'pay', stopWhen: stepCountIs(5) }),
      );
      expect(model.sent[1]?.prompt).toEqual([]);
    });

    test('a message of the user is rewritten at every step, and a denied one reaches no model', async () => {
      const guard = defineHook({
        hook: 'before_user_message',
        id: 'guard',
        execute: async (_state, { content }) =>
          content === 'bad' ? { decision: 'deny', reason: 'Not here.' } : { input: 'good' },
      });
      const { tools } = payTool();
      const model = scripted(pay(), { text: 'Paid.' });
      const hooks = createHooks({ hooks: [guard] });
      await generateText(hooks.hooked({ model, tools, prompt: 'so-so', stopWhen: stepCountIs(5) }));
      for (const call of [0, 1]) expect(JSON.stringify(model.sent[call]?.prompt[0])).toContain('good');
      const unasked = scripted();
      const denied = generateText(hooks.hooked({ model: unasked, prompt: 'bad' }));
      await expect(denied).rejects.toMatchObject({ name: 'MessageDeniedError', message: 'Not here.' });
      expect(unasked.sent).toEqual([]);
    });

    test('a message that was rewritten stays so in later turns of its thread, and all that come last are received', async () => {
      const guard = defineHook({
        hook: 'before_user_message',
        id: 'guard',
        execute: async (_state, { content }) => ({ input: content?.replace('secret', '***') ?? '' }),
      });
      const hooks = createHooks({ hooks: [guard] });
      const model = scripted();
      const first = [
        { role: 'user', content: 'my secret' } as const,
        { role: 'user', content: 'the secret too' } as const,
      ];
      const { response } = await generateText(hooks.hooked({ model, messages: first }, { threadId: 't' }));
      const messages = [...first, ...response.messages, { role: 'user', content: 'and now?' } as const];
      await generateText(hooks.hooked({ model, messages }, { threadId: 't' }));
      expect(model.sent.map(({ prompt }) => prompt.length)).toEqual([2, 4]);
      expect(JSON.stringify(model.sent)).not.toContain('secret');
    });

    test('contexts of hooks reach the model with its next call, and stay where they were said', async () => {
      const remind = defineHook({
        hook: 'after_tool_batch',
        id: 'remind',
        execute: async (_state, results) => `${results.length} paid`,
      });
      const { tools } = payTool();
      const model = scripted(pay(), pay({ amount: 6 }, 'call_2'), { text: 'Paid.' });
      await generateText(
        createHooks({ hooks: [remind] }).hooked({ model, tools, prompt: 'pay', stopWhen: stepCountIs(5) }),
      );
      expect(model.sent.map(({ prompt }) => prompt.map(({ role }) => role).join(' '))).toEqual([
        'user',
        'user assistant tool user',
        'user assistant tool user assistant tool user',
      ]);
      expect(JSON.stringify(model.sent[2]?.prompt[3])).toContain('1 paid');
    });
  });

  describe('a call of the model', () => {
    test('is decided on and told of: denied, answered, sent to another model, with what it used', async () => {
      const told: unknown[] = [];
      const tell = defineHook({
        hook: 'after_model_call',
        id: 'tell',
        execute: async (_state, { model, step, attempt, usage, cached, errorCode, finishReason }) =>
          void told.push({ model, step, attempt, usage, cached, errorCode, finishReason }),
      });
      const decide = (decision: object) =>
        defineHook({ hook: 'before_model_call', id: 'decide', execute: async () => decision });
      const model = scripted({ text: 'Hi.' });
      const denying = createHooks({ hooks: [decide({ decision: 'deny' }), tell] });
      await expect(generateText(denying.hooked({ model, prompt: 'x' }))).rejects.toMatchObject({
        code: 'model_denied',
      });
      const answering = createHooks({ hooks: [decide({ result: { content: 'cached' } }), tell] });
      expect((await generateText(answering.hooked({ model, prompt: 'x' }))).text).toBe('cached');
      expect(model.sent).toEqual([]);
      const small = scripted({ text: 'small' });
      const routing = createHooks({
        hooks: [decide({ input: { model: 'small', settings: { temperature: 0 } } }), tell],
        models: { small },
      });
      expect((await generateText(routing.hooked({ model, prompt: 'x', temperature: 1 }))).text).toBe('small');
      expect(small.sent[0]?.temperature).toBe(0);
      const usage = { inputTokens: 10, outputTokens: 5, reasoningTokens: 2, cachedTokens: 4 };
      const none = { inputTokens: 0, outputTokens: 0, reasoningTokens: 0, cachedTokens: 0 };
      const at = { step: 1, attempt: 1 };
      expect(told).toEqual([
        { model: 'script', ...at, usage: none, cached: false, errorCode: 'model_denied', finishReason: null },
        { model: 'script', ...at, usage: none, cached: true, errorCode: null, finishReason: 'stop' },
        { model: 'small', ...at, usage, cached: false, errorCode: null, finishReason: 'stop' },
      ]);
      const unknown = createHooks({ hooks: [decide({ input: { model: 'big' } })] });
      await expect(generateText(unknown.hooked({ model, prompt: 'x' }))).rejects.toMatchObject({
        code: 'model_denied',
      });
    });

    test('of a step that chooses its model passes the hooks too, and once', async () => {
      const told: string[] = [];
      const tell = defineHook({
        hook: 'after_model_call',
        id: 'tell',
        execute: async (_state, { step, model }) => void told.push(`${step} ${model}`),
      });
      const { tools } = payTool();
      const other = { ...scripted({ text: 'Paid.' }), modelId: 'other' };
      const asked = {
        ...{ model: scripted(pay()), tools, prompt: 'pay', stopWhen: stepCountIs(5) },
        prepareStep: ({ stepNumber, model }: { stepNumber: number; model: unknown }) => ({
          model: stepNumber === 0 ? (model as ScriptedModel) : other,
        }),
      };
      const { text } = await generateText(createHooks({ hooks: [tell] }).hooked(asked));
      expect([text, told]).toEqual(['Paid.', ['1 script', '2 other']]);
    });

    test('that the AI SDK makes again is another attempt of the same step', async () => {
      const told: unknown[] = [];
      const tell = defineHook({
        hook: 'after_model_call',
        id: 'tell',
        execute: async (_state, { step, attempt, errorCode }) => void told.push([step, attempt, errorCode]),
      });
      const fails = new ai.APICallError({
        ...{ message: 'busy', url: 'x', requestBodyValues: {}, statusCode: 503, isRetryable: true },
        responseHeaders: { 'retry-after-ms': '1' },
      });
      const model = scripted({ fails }, { text: 'Hi.' });
      await generateText(createHooks({ hooks: [tell] }).hooked({ model, prompt: 'x', maxRetries: 1 }));
      expect(told).toEqual([
        [1, 1, 'model_failed'],
        [1, 2, null],
      ]);
    });
  });

  describe('an answer', () => {
    const raw = 'Write to ada@example.com, please. '.repeat(20);

    test('is redacted before the application sees it, and so is what the model is sent', async () => {
      const hooks = createHooks(partial(redact()));
      const model = scripted({ text: raw, reasoning: 'ada@example.com' });
      const result = await generateText(
        hooks.hooked({ model, prompt: 'I am eve@example.com' }, { threadId: 't' }),
      );
      expect(JSON.stringify(result.response.messages)).not.toContain('ada@example.com');
      expect(result.text).toContain('[EMAIL_');
      expect(JSON.stringify(model.sent)).not.toContain('eve@example.com');
    });

    test('streams behind the window of redact: no raw value leaves, and text leaves before the end', async () => {
      const hooks = createHooks(partial(redact()));
      const model = scripted({ text: raw, reasoning: 'ada@example.com' });
      const { fullStream } = streamText(hooks.hooked({ model, prompt: 'hi' }));
      const seen: string[] = [];
      for await (const part of fullStream) if (part.type === 'text-delta') seen.push(part.text);
      expect(seen.length).toBeGreaterThan(2);
      expect(seen.join('')).toContain('[EMAIL_1]');
      expect(seen.join('')).not.toContain('ada@');
    });

    test('whose calls a hook strips runs none of them, streamed or not', async () => {
      const strip = defineHook({
        hook: 'before_create_message',
        id: 'strip',
        execute: async (_state, { tool_calls: _calls, ...message }) => ({
          ...message,
          content: 'I must not pay.',
        }),
      });
      const hooks = createHooks(partial([strip]));
      const { run, tools } = payTool();
      const given = { tools, prompt: 'pay', stopWhen: stepCountIs(5) };
      const whole = await generateText(hooks.hooked({ ...given, model: scripted(pay()) }));
      const streamed = streamText(hooks.hooked({ ...given, model: scripted(pay()) }));
      expect([whole.text, await streamed.text]).toEqual(['I must not pay.', 'I must not pay.']);
      expect(run).not.toHaveBeenCalled();
    });

    test('streams as it comes where no hook is on answers; hooks on tools and calls work in streams too', async () => {
      const told: unknown[] = [];
      const tell = defineHook({
        hook: 'after_model_call',
        id: 'tell',
        execute: async (_state, { usage, finishReason }) =>
          void told.push([usage.outputTokens, finishReason]),
      });
      const guard = defineHook({
        hook: 'before_tool_call',
        id: 'guard',
        execute: async () => ({ decision: 'deny', reason: 'No.' }),
      });
      const { run, tools } = payTool();
      const model = scripted(pay(), { text: 'All done.' });
      const hooks = createHooks({ hooks: [tell, guard] });
      const result = streamText(hooks.hooked({ model, tools, prompt: 'pay', stopWhen: stepCountIs(5) }));
      const pieces: string[] = [];
      for await (const piece of result.textStream) pieces.push(piece);
      expect(pieces).toEqual(['All', ' do', 'ne.']);
      expect([run.mock.calls.length, told]).toEqual([
        0,
        [
          [5, 'tool-calls'],
          [5, 'stop'],
        ],
      ]);
    });
  });

  test('a hook that stops the turn ends it after the step', async () => {
    const stop = defineHook({
      hook: 'after_tool_call_success',
      id: 'stop',
      execute: async (state) => {
        state.execution.stop();
        return null;
      },
    });
    const { tools } = payTool();
    const model = scripted(pay(), { text: 'never' });
    const hooks = createHooks({ hooks: [stop] });
    await generateText(hooks.hooked({ model, tools, prompt: 'pay', stopWhen: stepCountIs(5) }));
    expect(model.sent).toHaveLength(1);
  });

  test('an agent has a turn for each call', async () => {
    const runs: string[] = [];
    const look = defineHook({
      hook: 'before_model_call',
      id: 'look',
      execute: async (state, { step }) => {
        runs.push(`${state.execution.flowId} ${step}`);
        return null;
      },
    });
    const hooks = createHooks({ hooks: [look] });
    const agent = new ai.ToolLoopAgent({
      model: scripted(),
      prepareCall: (call) => hooks.hooked(call),
    });
    await agent.generate({ prompt: 'one' });
    await agent.generate({ prompt: 'two' });
    expect(new Set(runs).size).toBe(2);
    expect(runs.every((run) => run.endsWith(' 1'))).toBe(true);
  });
});

test('hooks that the AI SDK would never run do not compile, and are refused with the reason', () => {
  const stop = defineHook({ hook: 'before_stop', id: 'go_on', execute: async () => null });
  // @ts-expect-error before_stop never runs here
  const give: AiSdkOptions = { hooks: [stop] };
  expect(() => createHooks(give)).toThrow(
    'go_on (before_stop) never runs: the AI SDK ends its loop by itself.',
  );
  expect(createHooks({ hooks: [stop], allowPartial: ['go_on'] }).scope).toEqual({});
});

test('a model that is only a name is refused', () => {
  expect(() => createHooks({}).hooked({ model: 'openai/gpt-5' })).toThrow('got the name "openai/gpt-5"');
});
