import { defineHook } from '@spec/hooks';
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

const noEvil = defineHook({
  hook: 'before_tool_call',
  id: 'no_evil',
  execute: async (_state, call) =>
    call.function.arguments.includes('evil') ? { decision: 'deny', reason: 'Not this.' } : null,
});

describe.each(versions)('AI SDK %s', (_, ai, specificationVersion) => {
  const scripted = (...script: Answer[]): ScriptedModel => ({
    ...scriptedModel(...script),
    specificationVersion,
  });
  const { generateText, stepCountIs, tool } = ai;

  test.each([
    [
      ['ada', 'bob'],
      ['ada', 'bob'],
    ],
    [['evil', 'bob'], ['bob']],
    [['ada', 'evil'], ['ada']],
    [
      ['ada', 'ada'],
      ['ada', 'ada'],
    ],
  ])('calls that a provider gives one id are decided on and run each: %j', async (payees, expected) => {
    const paid: string[] = [];
    const pay = tool({
      inputSchema: z.object({ to: z.string() }),
      execute: async ({ to }) => void paid.push(to),
    });
    const calls = payees.map((to) => ({ id: 'call_0', name: 'pay', input: { to } }));
    const hooks = createHooks({ hooks: [noEvil] });
    const given = { model: scripted({ calls }), tools: { pay }, prompt: 'pay', stopWhen: stepCountIs(2) };
    await generateText(hooks.hooked(given));
    expect(paid).toEqual(expected);
  });

  test('a tool that is made by a class keeps what it inherits, such as its schema', async () => {
    const paid: unknown[] = [];
    class Pay {
      readonly type = undefined;
      get inputSchema() {
        return z.object({ to: z.string().max(3) });
      }
      async execute(input: unknown) {
        paid.push(input);
      }
    }
    const model = scripted({ calls: [{ id: 'call_1', name: 'pay', input: { to: 'far too long' } }] });
    const hooks = createHooks({ hooks: [noEvil] });
    await generateText(
      hooks.hooked({ model, tools: { pay: new Pay() }, prompt: 'pay', stopWhen: stepCountIs(2) }),
    );
    expect(JSON.stringify(model.sent[0]?.tools)).toContain('maxLength');
    expect(paid).toEqual([]);
  });
});

describe('a tool that version 7 binds to functions of its own', () => {
  const weather = {
    ...v7.tool({
      description: 'The weather of a city.',
      inputSchema: z.object({ city: z.string() }),
      execute: async ({ city }) => `sun in ${city}`,
    }),
    deferLoading: true,
  };
  const code = v7.experimental_toolCaller(
    v7.tool({ inputSchema: z.object({ city: z.string() }), execute: async () => 'not bound' }),
    {
      type: 'local',
      bind: (tools) => ({
        ...v7.tool({
          inputSchema: z.object({ city: z.string() }),
          execute: async (input, options) => tools.weather?.execute?.(input as never, options as never),
        }),
      }),
    },
  );
  const options = { prompt: 'weather?', stopWhen: v7.isStepCount(4) };

  function ask(
    tools: Record<string, unknown>,
    { script, ...more }: { readonly script: Answer[]; readonly allowUnwrapped?: string[] },
  ) {
    const model = { ...scriptedModel(...script), specificationVersion: 'v4' as const };
    const { allowUnwrapped = [], ...rest } = more;
    const hooks = createHooks({ hooks: [noEvil], allowUnwrapped });
    const given = { ...options, ...rest, model: model as never, tools: tools as never };
    return v7.generateText(hooks.hooked(given) as never);
  }

  test.each([
    ['search', v7.toolSearch()],
    ['code', code],
  ])('is refused: %s', async (name, tool) => {
    await expect(async () => ask({ [name]: tool, weather }, { script: [] })).rejects.toThrow(
      `The tool "${name}" is bound by the AI SDK to a function of its own, and no hook sees its calls. Accept that: allowUnwrapped: ["${name}"].`,
    );
  });

  test('runs as it is where that is accepted, and what it finds has the hooks', async () => {
    const script = [
      { calls: [{ id: '1', name: 'search', input: { query: 'weather' } }] },
      { calls: [{ id: '2', name: 'weather', input: { city: 'evil' } }] },
    ];
    const { steps } = await ask({ search: v7.toolSearch(), weather }, { script, allowUnwrapped: ['search'] });
    expect(steps.flatMap(({ content }) => content).map(({ type }) => type)).toEqual([
      ...['tool-call', 'tool-result', 'tool-call', 'tool-error', 'text'],
    ]);
  });

  test.each([
    ['rome', 'tool-result'],
    ['evil', 'tool-error'],
  ])('calls its tools through the hooks: %s', async (city, expected) => {
    const script = [{ calls: [{ id: '1', name: 'code', input: { city } }] }];
    const given = { script, allowUnwrapped: ['code'], experimental_toolCallers: { weather: ['code'] } };
    const { steps } = await ask({ code, weather: { ...weather, deferLoading: false } }, given as never);
    expect(steps[0]?.content.map(({ type }) => type)).toEqual(['tool-call', expected]);
  });
});
