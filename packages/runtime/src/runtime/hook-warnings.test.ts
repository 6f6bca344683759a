import { type AnyHook, defineHook } from '@spec/hooks';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createRuntime, defineAgent, definePrompt, defineTool } from '../index.ts';
import { scriptedModel } from '../testing/index.ts';

const SECRET = 'the text of an error';

let warned: string[] = [];
beforeEach(() => {
  warned = [];
  vi.spyOn(process, 'emitWarning').mockImplementation((text) => void warned.push(String(text)));
});
afterEach(() => vi.restoreAllMocks());

async function turnsUnder(
  policies: readonly AnyHook[],
  options: { readonly warnings?: 'off' } = {},
): Promise<void> {
  const runtime = createRuntime({
    policies,
    models: {
      m: scriptedModel([{ toolCalls: [{ name: 'act' }] }, 'one', { toolCalls: [{ name: 'act' }] }, 'two']),
    },
    tools: [defineTool({ name: 'act', execute: () => 'done' })],
    prompts: [definePrompt({ name: 'p', tools: ['act'] })],
    agents: [defineAgent({ name: 'a', prompt: 'p' })],
    ...options,
  });
  const thread = await runtime.createThread({ agent: 'a' });
  for (const text of ['first', 'second']) await thread.send(text).catch(() => {});
  await runtime.close();
}

const throwing = (onError: 'continue' | 'block') =>
  defineHook({
    hook: 'after_tool_call_success',
    id: 'broken',
    onError,
    execute: async () => {
      throw new Error(SECRET);
    },
  });

describe('a hook that fails while the turn goes on', () => {
  test('is told once, with its place and without data', async () => {
    await turnsUnder([throwing('continue')]);
    expect(warned).toEqual([
      expect.stringMatching(
        /^Hook "broken" \(after_tool_call_success\) did not succeed \(failed: .*hook-warnings\.test\.ts/,
      ),
    ]);
    expect(warned.join()).not.toContain(SECRET);
  });

  test('is told once for each way in which it fails', async () => {
    let runs = 0;
    const odd = defineHook({
      hook: 'after_tool_call_success',
      id: 'odd',
      execute: async () => {
        if (runs++ === 0) throw new Error(SECRET);
        return 5 as never;
      },
    });
    await turnsUnder([odd]);
    expect(warned.map((text) => /\((failed|invalid_result)/.exec(text)?.[1])).toEqual([
      'failed',
      'invalid_result',
    ]);
  });

  test('is not told where the application wants no warnings, nor where its failure ends the call', async () => {
    await turnsUnder([throwing('continue')], { warnings: 'off' });
    await turnsUnder([throwing('block')]);
    expect(warned).toEqual([]);
  });
});

test('a hook that returns nothing where a value or null is expected is told once', async () => {
  const forgetful = defineHook({
    hook: 'after_tool_call_success',
    id: 'forgetful',
    execute: (async () => {}) as never,
  });
  await turnsUnder([forgetful]);
  expect(warned).toEqual([
    'Hook "forgetful" (after_tool_call_success) ran, but it returned nothing: null says that nothing changes.',
  ]);
});

test('hooks that do what they should are not told', async () => {
  const fine = defineHook({ hook: 'after_tool_call_success', id: 'fine', execute: async () => null });
  await turnsUnder([fine]);
  expect(warned).toEqual([]);
});

describe('a matcher that names a tool in another case', () => {
  const guard = (match: string) =>
    defineHook({ hook: 'before_tool_call', id: 'guard', match, execute: async () => null });
  const options = {
    models: { m: scriptedModel([]) },
    tools: [defineTool({ name: 'run_command', execute: () => 'done' })],
    prompts: [definePrompt({ name: 'p', tools: ['run_command'] })],
    agents: [defineAgent({ name: 'a', prompt: 'p' })],
  };
  const sentence =
    'Hook "guard" (before_tool_call) never runs for "RunCommand", which its matcher names: no tool is called so. Did you mean "run_command"?';

  test('is told when the runtime is created, and when hooks are swapped', () => {
    createRuntime({ ...options, policies: [guard('RunCommand')] });
    expect(warned).toEqual([sentence]);
    const runtime = createRuntime({ ...options, policies: [guard('run_command|shell')] });
    expect(warned).toEqual([sentence]);
    runtime.swapPolicies([guard('RunCommand(git push:*)|run_command')]);
    expect(warned).toEqual([sentence, sentence]);
  });

  test('is not told where the application wants no warnings', () => {
    createRuntime({ ...options, policies: [guard('RunCommand')], warnings: 'off' });
    expect(warned).toEqual([]);
  });
});

describe('hooks that nobody names', () => {
  const open = (prompt: { hooks?: 'broken'[] }, options: { readonly warnings?: 'off' } = {}) =>
    createRuntime({
      hooks: [throwing('continue')],
      policies: [defineHook({ hook: 'after_create_message', id: 'everywhere', execute: async () => {} })],
      models: { m: scriptedModel([]) },
      prompts: [definePrompt({ name: 'p', ...prompt })],
      agents: [defineAgent({ name: 'a', prompt: 'p' })],
      ...options,
    });

  test('are told of, with the two ways out', () => {
    open({});
    expect(warned).toEqual([
      'No prompt and no agent names a hook, so that none of these runs: "broken". Name them in `hooks` of a prompt or an agent, or give them to createRuntime as `policies`, which run everywhere.',
    ]);
  });

  test('are not told of where one is named, a list is empty on purpose, or warnings are off', () => {
    open({ hooks: ['broken'] });
    open({ hooks: [] });
    open({}, { warnings: 'off' });
    expect(warned).toEqual([]);
  });
});
