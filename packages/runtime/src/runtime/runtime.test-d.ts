import { type AnyHook, defineHook } from '@spec/hooks';
import { expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import {
  createRuntime,
  defineAgent,
  definePrompt,
  defineTool,
  type LanguageModel,
  type Thread,
  type ToolContext,
} from '../index.ts';

declare const models: Record<string, LanguageModel>;
declare const loaded: readonly AnyHook[];

const limit = defineHook({
  hook: 'filter_messages',
  id: 'limit_20',
  execute: async (_, messages) => messages.slice(-20),
});
const log = defineHook({ hook: 'after_create_message', id: 'log_it', execute: async (_) => {} });
const agents = [defineAgent({ name: 'a', prompt: 'p' })];

test('a prompt or agent may name the hooks that are registered', () => {
  const prompts = [
    definePrompt({ name: 'p', hooks: ['limit_20', 'log_it'] }),
    definePrompt({ name: 'q', hooks: [] }),
    definePrompt({ name: 'r' }),
  ];
  createRuntime({ hooks: [limit, log], models, agents, prompts });
  createRuntime({
    hooks: [limit, log],
    models,
    prompts: [{ name: 'p', hooks: ['limit_20'] }],
    agents: [{ name: 'a', prompt: 'p', hooks: ['log_it'] }],
  });
});

test('a prompt that names a hook nobody registered does not compile', () => {
  const prompts = [definePrompt({ name: 'p', hooks: ['limit_30'] })];
  // @ts-expect-error limit_30 is not among the hooks
  createRuntime({ hooks: [limit, log], models, agents, prompts });
  // @ts-expect-error nor where it is written in place
  createRuntime({ hooks: [limit], models, agents, prompts: [{ name: 'p', hooks: ['log_it'] }] });
  // @ts-expect-error nor where there are no hooks
  createRuntime({ models, agents, prompts });
});

test('an agent that names a hook nobody registered does not compile', () => {
  const wrong = [defineAgent({ name: 'a', prompt: 'p', hooks: ['limit_30'] })];
  // @ts-expect-error limit_30 is not among the hooks
  createRuntime({ hooks: [limit, log], models, agents: wrong, prompts: [] });
});

test('where the ids are not literals any name compiles', () => {
  createRuntime({
    hooks: loaded,
    models,
    agents,
    prompts: [definePrompt({ name: 'p', hooks: ['whatever'] })],
  });
  createRuntime({
    hooks: [limit, ...loaded],
    models,
    agents,
    prompts: [definePrompt({ name: 'p', hooks: ['whatever'] })],
  });
  const names: string[] = [];
  createRuntime({ hooks: loaded, models, agents, prompts: [definePrompt({ name: 'p', hooks: names })] });
});

test('a tool’s input is typed by its schema', () => {
  defineTool({
    name: 't',
    input: z.object({ n: z.number(), text: z.string().optional() }),
    execute: (input, context) => {
      expectTypeOf(input).toEqualTypeOf<{ n: number; text?: string | undefined }>();
      expectTypeOf(context).toEqualTypeOf<ToolContext>();
      return `${input.n}`;
    },
  });
  defineTool({
    name: 't',
    execute: (input) => void expectTypeOf(input).toEqualTypeOf<Record<string, unknown>>(),
  });
  // @ts-expect-error a tool is a function or an agent
  defineTool({ name: 't' });
  // @ts-expect-error not both
  defineTool({ name: 't', agent: 'a', execute: () => '' });
});

test('what a turn gives', () => {
  expectTypeOf<Awaited<ReturnType<Thread['send']>>['status']>().toEqualTypeOf<
    'completed' | 'denied' | 'limit' | 'stopped' | 'aborted'
  >();
  const send = (thread: Thread): Promise<unknown>[] => [
    thread.send('x'),
    thread.send({ content: 'x', name: 'Ada' }),
    // @ts-expect-error a user message has a text
    thread.send({ role: 'user' }),
  ];
  expectTypeOf(send).returns.toEqualTypeOf<Promise<unknown>[]>();
});
