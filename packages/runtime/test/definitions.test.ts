import { type AnyHook, DefinitionError, defineHook, type LifecycleName } from '@spec/hooks';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createRuntime, defineAgent, definePrompt, defineTool, type RuntimeOptions } from '../src/index.ts';
import { scriptedModel } from '../src/testing/index.ts';

function refusal(run: () => unknown): { code: string; message: string } {
  try {
    run();
  } catch (error) {
    if (error instanceof DefinitionError) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error('it was not refused');
}

const model = scriptedModel([]);
const ping = defineTool({ name: 'ping', execute: () => 'pong' });
const hook = (id: string, name: LifecycleName = 'after_thread_created'): AnyHook =>
  defineHook({ hook: name, id, execute: (async () => null) as never }) as AnyHook;

/** A runtime that is in order but for the options given. */
function create(options: Partial<RuntimeOptions> & { hooks?: readonly AnyHook[] }): unknown {
  return createRuntime({
    models: { m: model },
    prompts: [definePrompt({ name: 'p' })],
    agents: [defineAgent({ name: 'a', prompt: 'p' })],
    ...options,
  } as never);
}

describe('definitions are refused, with what is wrong and what to do', () => {
  const name = 'a name has 1 to 64 letters, digits, underscores or hyphens.';
  const cases: Array<[string, () => unknown, string]> = [
    [
      'a tool without a name',
      () => defineTool({ execute: () => 1 } as never),
      `The tool "undefined": ${name}`,
    ],
    [
      'a tool with a bad name',
      () => defineTool({ name: 'a b', execute: () => 1 }),
      `The tool "a b": ${name}`,
    ],
    ['a prompt with a bad name', () => definePrompt({ name: '' }), `The prompt "": ${name}`],
    [
      'an agent with a bad name',
      () => defineAgent({ name: 'x'.repeat(65), prompt: 'p' }),
      `The agent "${'x'.repeat(65)}": ${name}`,
    ],
    [
      'a tool that does nothing',
      () => defineTool({ name: 't' } as never),
      'The tool "t": execute must be a function, or agent the name of an agent, or prompt the name of a prompt; one of these.',
    ],
    [
      'a tool whose schema cannot tell the model',
      () =>
        defineTool({
          name: 't',
          input: { '~standard': { version: 1, vendor: 'x', validate: (value) => ({ value }) } },
          execute: () => 1,
        }),
      'The tool "t": the model must be told its arguments: give parameters (JSON Schema); this input schema cannot tell them itself.',
    ],
    [
      'a tool whose schema JSON Schema cannot say',
      () => defineTool({ name: 't', input: z.object({ at: z.date() }), execute: () => 1 }),
      'The tool "t": the model must be told its arguments: give parameters (JSON Schema); this input schema cannot tell them itself.',
    ],
    [
      'a tool with a permission that is none',
      () => defineTool({ name: 't', permission: 'Ask' as never, execute: () => 1 }),
      'The tool "t": permission must be one of allow, ask; got Ask.',
    ],
    [
      'an agent as a tool with a promise of a permission',
      () => defineTool({ name: 't', permission: Promise.resolve('ask') as never, agent: 'a' }),
      'The tool "t": permission must be one of allow, ask; got an object.',
    ],
    [
      'a tool that is to do what nothing does after a crash',
      () => defineTool({ name: 't', onInterrupted: 'again' as never, execute: () => 1 }),
      'The tool "t": onInterrupted must be one of fail, retry; got again.',
    ],
    [
      'an agent without steps',
      () => defineAgent({ name: 'a', prompt: 'p', maxSteps: 0 }),
      'The agent "a": maxSteps must be a whole number of at least 1.',
    ],
    [
      'an agent with half a step',
      () => defineAgent({ name: 'a', prompt: 'p', maxSteps: 1.5 }),
      'The agent "a": maxSteps must be a whole number of at least 1.',
    ],
  ];
  test.each(cases)('%s', (_name, run, message) => {
    expect(refusal(run)).toEqual({ code: 'bad_definition', message });
  });
});

describe('a runtime refuses what does not fit together', () => {
  const known = 'which nobody registered. Registered are';
  const cases: Array<[string, () => unknown, string, string]> = [
    [
      'an agent without its prompt',
      () => create({ agents: [defineAgent({ name: 'a', prompt: 'q' })] }),
      'unknown_id',
      `The agent "a" names the prompt "q", ${known}: p. Did you mean "p"?`,
    ],
    [
      'a prompt without its tool',
      () => create({ prompts: [definePrompt({ name: 'p', tools: ['x'] })], tools: [ping] }),
      'unknown_id',
      `The prompt "p" names the tool "x", ${known}: ping. Give it to createRuntime, in tools.`,
    ],
    [
      'a prompt without its model',
      () => create({ prompts: [definePrompt({ name: 'p', model: 'n' })] }),
      'unknown_id',
      `The prompt "p" names the model "n", ${known}: m. Did you mean "m"?`,
    ],
    [
      'a tool without its agent',
      () => create({ tools: [defineTool({ name: 't', agent: 'b' })] }),
      'unknown_id',
      `The tool "t" names the agent "b", ${known}: a. Did you mean "a"?`,
    ],
    [
      'a prompt without its tools at all',
      () => create({ prompts: [definePrompt({ name: 'p', tools: ['x'] })] }),
      'unknown_id',
      `The prompt "p" names the tool "x", ${known}: none. Give it to createRuntime, in tools.`,
    ],
    [
      'a prompt that names a tool twice',
      () => create({ prompts: [definePrompt({ name: 'p', tools: ['ping', 'ping'] })], tools: [ping] }),
      'duplicate_id',
      'The prompt "p" names the tool "ping" twice: name it once.',
    ],
    [
      'a prompt that must choose a model',
      () => create({ models: { m: model, n: model } }),
      'bad_definition',
      'The prompt "p" names no model, and there are 2: name one of m, n.',
    ],
    [
      'a prompt that has no model to choose',
      () => create({ models: {} }),
      'bad_definition',
      'The prompt "p" needs a model, and none is registered: give createRuntime one in `models`.',
    ],
    [
      'two prompts with one name',
      () => create({ prompts: [definePrompt({ name: 'p' }), definePrompt({ name: 'p' })] }),
      'duplicate_id',
      'Two prompts are named "p": rename one.',
    ],
    [
      'two agents with one name',
      () =>
        create({
          agents: [defineAgent({ name: 'a', prompt: 'p' }), defineAgent({ name: 'a', prompt: 'p' })],
        }),
      'duplicate_id',
      'Two agents are named "a": rename one.',
    ],
    [
      'two tools with one name',
      () => create({ tools: [ping, ping] }),
      'duplicate_id',
      'Two tools are named "ping": rename one.',
    ],
    [
      'a model that is none',
      () => create({ models: { m: 'gpt-5' as never } }),
      'bad_definition',
      'The model "m" must be an AI SDK model of interface version "v3" or "v4"; got a string. Give what a provider makes, such as openai("gpt-5") of @ai-sdk/openai.',
    ],
    [
      'a model of an old interface',
      () => create({ models: { m: { ...model, specificationVersion: 'v2' } as never } }),
      'bad_definition',
      'The model "m" must be an AI SDK model of interface version "v3" or "v4"; got version "v2". Use another version of its provider’s package.',
    ],
    [
      'a model that is missing',
      () => create({ models: { m: undefined as never } }),
      'bad_definition',
      'The model "m" must be an AI SDK model of interface version "v3" or "v4"; got nothing. Give what a provider makes, such as openai("gpt-5") of @ai-sdk/openai.',
    ],
    [
      'definitions that did not go through define…',
      () => create({ tools: [{ name: 'a b', execute: () => 1 }] }),
      'bad_definition',
      'The tool "a b": a name has 1 to 64 letters, digits, underscores or hyphens.',
    ],
    [
      'no agents',
      () => createRuntime({ prompts: [], models: {} } as never),
      'bad_option',
      "createRuntime: agents must be a list, such as [defineAgent({ name: 'support', prompt: 'support' })].",
    ],
    [
      'a lease that is no duration',
      () => create({ lease: 'soon' as never }),
      'bad_option',
      'lease must be a duration between 1 ms and 24 days: a number of milliseconds, or a text with a unit (ms, s, m, h, d) such as "5s"; got "soon".',
    ],
    [
      'a timeout that is no duration',
      () => create({ timeout: -1 }),
      'bad_option',
      'timeout must be a duration between 1 ms and 24 days: a number of milliseconds, or a text with a unit (ms, s, m, h, d) such as "5s"; got -1.',
    ],
  ];
  test.each(cases)('%s', (_name, run, code, message) => {
    expect(refusal(run)).toEqual({ code, message });
  });
});

describe('a runtime refuses hooks', () => {
  const cases: Array<[string, () => unknown, string, RegExp]> = [
    [
      'two with one id',
      () => create({ hooks: [hook('h')], policies: [hook('h')] }),
      'duplicate_id',
      /^Two hooks have the id "h"/,
    ],
    [
      'what defineHook did not make',
      () => create({ hooks: [{ hook: 'filter_messages', id: 'x', execute: () => [] } as never] }),
      'bad_hook',
      /must be made by defineHook/,
    ],
    [
      'an unknown id in a prompt',
      () => create({ hooks: [hook('limit')], prompts: [{ name: 'p', hooks: ['limits'] }] }),
      'unknown_id',
      /^prompt:p names the hook "limits", which nobody registered. Did you mean "limit"\?$/,
    ],
    [
      'an unknown id in an agent',
      () => create({ agents: [{ name: 'a', prompt: 'p', hooks: ['x'] }] }),
      'unknown_id',
      /^agent:a names the hook "x"/,
    ],
    [
      'a hook named twice',
      () => create({ hooks: [hook('h')], prompts: [{ name: 'p', hooks: ['h', 'h'] }] }),
      'duplicate_id',
      /^prompt:p names the hook "h" twice/,
    ],
  ];
  test.each(cases)('%s', (_name, run, code, message) => {
    expect(refusal(run)).toEqual({ code, message: expect.stringMatching(message) });
  });
});

describe('what is defined', () => {
  test('is frozen, and tells the model its arguments', () => {
    const tool = defineTool({ name: 't', input: z.object({ n: z.number() }), execute: ({ n }) => n });
    expect(Object.isFrozen(tool)).toBe(true);
    expect(tool.parameters).toMatchObject({
      type: 'object',
      properties: { n: { type: 'number' } },
      required: ['n'],
    });
    expect(ping).toMatchObject({ parameters: { type: 'object', properties: {} } });
    const parameters = { type: 'object' } as const;
    expect(defineTool({ name: 't', parameters, execute: () => 1 }).parameters).toEqual(parameters);
  });

  test('an agent nobody registered', async () => {
    const runtime = createRuntime({
      models: { m: model },
      prompts: [definePrompt({ name: 'p' })],
      agents: [defineAgent({ name: 'a', prompt: 'p' })],
    });
    await expect(runtime.createThread({ agent: 'b' })).rejects.toMatchObject({
      name: 'DefinitionError',
      code: 'unknown_id',
      message: 'There is no agent "b". Registered are: a.',
    });
    await runtime.close();
  });
});

test('what a class has of a definition counts as what its instance has', () => {
  class Asking {
    get permission(): 'ask' {
      return 'ask';
    }
  }
  class Refund extends Asking {
    readonly name = 'refund';
    execute() {
      return 'refunded';
    }
  }
  const { permission, execute } = defineTool(new Refund());
  expect([permission, typeof execute]).toEqual(['ask', 'function']);
  class Guarded {
    readonly name = 'clerk';
    readonly prompt = 'clerk';
    get hooks(): string[] {
      return ['guard'];
    }
  }
  expect(defineAgent(new Guarded()).hooks).toEqual(['guard']);
  expect(definePrompt(Object.create({ name: 'clerk', hooks: ['guard'] })).hooks).toEqual(['guard']);
});
