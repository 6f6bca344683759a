import { DefinitionError } from '@spec/hooks';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createRuntime, defineAgent, definePrompt, defineTool, type RuntimeOptions } from '../index.ts';
import { scriptedModel } from '../testing/index.ts';

function refusal(run: () => unknown): { code: string; message: string } {
  try {
    run();
  } catch (error) {
    if (error instanceof DefinitionError) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error('it was not refused');
}

const a = { prompt: 'p' };
const dual = (more: object, sides: object = { a, b: a }) =>
  defineAgent({ name: 'd', type: 'dual_ai', sides, ...more } as never);
const agent = (more: object) => defineAgent({ name: 'a', prompt: 'p', ...more } as never);
const prompt = (more: object) => definePrompt({ name: 'p', ...more } as never);

describe('definitions are refused, with the rule they break', () => {
  const sides = 'The agent "d": sides must be { a, b }, each with its prompt.';
  const does =
    'The tool "t": execute must be a function, or agent the name of an agent, or prompt the name of a prompt; one of these.';
  const parts =
    'The prompt "p": a part of a system message is a text, a function, or { include: "another prompt" }.';
  const choice = 'The prompt "p": toolChoice must be "auto", "required", "none" or { tool: "a name" }.';
  const notOffered = 'The prompt "p": toolChoice asks for a tool that is not among its tools.';
  const cases: Array<[string, () => unknown, string]> = [
    [
      'a type nobody knows',
      () => agent({ type: 'solo' }),
      'The agent "a": type must be "ai_human" or "dual_ai".',
    ],
    ['no prompt', () => agent({ prompt: undefined }), 'The agent "a": prompt must be the name of a prompt.'],
    [
      'sides without the type',
      () => agent({ sides: { a, b: a } }),
      'The agent "a": sides belong to an agent of the type "dual_ai".',
    ],
    [
      'a prompt besides the sides',
      () => dual({ prompt: 'p' }),
      'The agent "d": a "dual_ai" agent has a prompt for each of its sides, and none besides.',
    ],
    ['no sides', () => dual({ sides: undefined }), sides],
    ['one side', () => dual({}, { a }), sides],
    ['three sides', () => dual({}, { a, b: a, c: a }), sides],
    [
      'a side without a prompt',
      () => dual({}, { a, b: {} }),
      'The agent "d": the prompt of side b must be the name of a prompt.',
    ],
    [
      'a side that is nothing',
      () => dual({}, { a, b: null }),
      'The agent "d": the prompt of side b must be the name of a prompt.',
    ],
    [
      'an empty label',
      () => dual({}, { a: { ...a, label: '' }, b: a }),
      'The agent "d": the label of side a must be a text.',
    ],
    [
      'a side without steps',
      () => dual({}, { a: { ...a, maxSteps: 0 }, b: a }),
      'The agent "d": side a: maxSteps must be a whole number of at least 1.',
    ],
    [
      'a side without goes',
      () => dual({}, { a, b: { ...a, maxTurns: 1.5 } }),
      'The agent "d": side b: maxTurns must be a whole number of at least 1.',
    ],
    [
      'no steps',
      () => dual({ maxSteps: '9' }),
      'The agent "d": maxSteps must be a whole number of at least 1.',
    ],
    [
      'a stop condition that is none',
      () => agent({ stopWhen: ['done'] }),
      'The agent "a": stopWhen must be a function, or a list of functions.',
    ],
    [
      'a tool that is an agent and a prompt',
      () => defineTool({ name: 't', agent: 'a', prompt: 'p' } as never),
      does,
    ],
    [
      'a tool that is an agent and a function',
      () => defineTool({ name: 't', agent: 'a', execute: () => 1 } as never),
      does,
    ],
    ['a tool whose agent has no name', () => defineTool({ name: 't', agent: 7 } as never), does],
    ['a part that is none', () => prompt({ system: ['x', 1] }), parts],
    ['an include without a name', () => prompt({ system: [{ include: 1 }] }), parts],
    ['a system message that is none', () => prompt({ system: 7 }), parts],
    ['a choice nobody knows', () => prompt({ toolChoice: 'always' }), choice],
    ['a choice that is nothing', () => prompt({ toolChoice: null }), choice],
    ['a choice without tools', () => prompt({ toolChoice: 'required' }), notOffered],
    ['the choice of another tool', () => prompt({ tools: ['x'], toolChoice: { tool: 'y' } }), notOffered],
  ];
  test.each(cases)('%s', (_name, run, message) => {
    expect(refusal(run)).toEqual({ code: 'bad_definition', message });
  });
});

describe('a runtime refuses what does not fit together', () => {
  const create = (options: Partial<RuntimeOptions>) =>
    createRuntime({
      models: { m: scriptedModel([]) },
      agents: [],
      prompts: [prompt({})],
      ...options,
    } as never);
  const known = 'which nobody registered. Registered are';
  const include = (name: string, ...names: string[]) =>
    definePrompt({ name, system: ['x', ...names.map((other) => ({ include: other }))] });
  const cases: Array<[string, () => unknown, string, string]> = [
    [
      'a side without its prompt',
      () => create({ agents: [dual({}, { a, b: { prompt: 'q' } })] }),
      'unknown_id',
      `The agent "d" names the prompt "q", ${known}: p. Did you mean "p"?`,
    ],
    [
      'a tool without its prompt',
      () => create({ tools: [defineTool({ name: 't', prompt: 'q' })] }),
      'unknown_id',
      `The tool "t" names the prompt "q", ${known}: p. Did you mean "p"?`,
    ],
    [
      'an include of nothing',
      () => create({ prompts: [include('p', 'q')] }),
      'unknown_id',
      `The prompt "p" names the prompt "q", ${known}: p. Did you mean "p"?`,
    ],
    [
      'a prompt that includes itself',
      () => create({ prompts: [include('p', 'p')] }),
      'bad_definition',
      'The prompt "p" includes itself: p → p. Take one of these includes out.',
    ],
    [
      'prompts that include each other',
      () =>
        create({
          prompts: [include('p', 'q'), include('q', 'r', 's'), include('r'), include('s', 'r', 'q')],
        }),
      'bad_definition',
      'The prompt "q" includes itself: q → s → q. Take one of these includes out.',
    ],
  ];
  test.each(cases)('%s', (_name, run, code, message) => {
    expect(refusal(run)).toEqual({ code, message });
  });

  test('a prompt that two others include is no cycle', async () => {
    await create({ prompts: [include('p', 'q', 'r'), include('q', 'r'), include('r')] }).close();
  });
});

describe('a tool that runs as a child thread', () => {
  test('takes one task where nothing else is said', () => {
    expect(defineTool({ name: 't', prompt: 'p' })).toMatchObject({
      agent: 'prompt:p',
      parameters: { properties: { task: { type: 'string' } }, required: ['task'] },
    });
  });

  test('tells the model the arguments of its own schema, or those it was given', () => {
    const input = z.object({ city: z.string() });
    expect(defineTool({ name: 't', agent: 'a', input })).toMatchObject({
      agent: 'a',
      parameters: { properties: { city: { type: 'string' } } },
    });
    const parameters = { type: 'object' } as const;
    expect(defineTool({ name: 't', agent: 'a', input, parameters }).parameters).toEqual(parameters);
  });
});
