import { defineHook, type ThreadState } from '@spec/hooks';
import { expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import {
  calledTool,
  createRuntime,
  defineAgent,
  definePrompt,
  defineTool,
  type FinishedStep,
  type LanguageModel,
} from '../index.ts';

declare const models: Record<string, LanguageModel>;

const log = defineHook({ hook: 'after_create_message', id: 'log_it', execute: async (_) => {} });
const sides = { a: { prompt: 'p' }, b: { prompt: 'q' } };

test('an agent of two sides has a prompt for each of them', () => {
  defineAgent({ name: 'd', type: 'dual_ai', sides, maxSteps: 9, stopWhen: calledTool('done') });
  // @ts-expect-error two sides are a and b
  defineAgent({ name: 'd', type: 'dual_ai', sides: { a: { prompt: 'p' } } });
  // @ts-expect-error there is no third one
  defineAgent({ name: 'd', type: 'dual_ai', sides: { ...sides, c: { prompt: 'p' } } });
  // @ts-expect-error a prompt of its own it has not
  defineAgent({ name: 'd', type: 'dual_ai', sides, prompt: 'p' });
  // @ts-expect-error sides belong to dual_ai
  defineAgent({ name: 'd', prompt: 'p', sides });
  // @ts-expect-error goes belong to a side
  defineAgent({ name: 'd', prompt: 'p', maxTurns: 3 });
});

test('the hooks of both its prompts and of itself must be registered', () => {
  const prompts = [definePrompt({ name: 'p', hooks: ['log_it'] }), definePrompt({ name: 'q' })];
  const agents = [defineAgent({ name: 'd', type: 'dual_ai', sides, hooks: ['log_it'] })];
  createRuntime({ hooks: [log], models, prompts, agents });
  // @ts-expect-error log_it is not registered
  createRuntime({ models, prompts: [definePrompt({ name: 'p' })], agents });
  const wrong = [defineAgent({ name: 'd', type: 'dual_ai', sides, hooks: ['log_at'] })];
  // @ts-expect-error log_at is not registered
  createRuntime({ hooks: [log], models, prompts, agents: wrong });
  createRuntime({
    hooks: [log],
    models,
    // @ts-expect-error nor where a side’s prompt is written in place
    prompts: [{ name: 'p' }, { name: 'q', hooks: ['log_at'] }],
    agents: [{ name: 'd', type: 'dual_ai', sides, hooks: ['log_it'] }],
  });
});

test('a stop condition is told of a step, and says yes or no', () => {
  defineAgent({
    name: 'a',
    prompt: 'p',
    stopWhen: [
      (step) => {
        expectTypeOf(step).toEqualTypeOf<FinishedStep>();
        return step.side === 'b';
      },
      async ({ stepCount }) => stepCount > 3,
    ],
  });
  // @ts-expect-error a text is no answer
  defineAgent({ name: 'a', prompt: 'p', stopWhen: ({ text }) => text });
});

test('a system message is a part or several', () => {
  definePrompt({ name: 'p', system: { include: 'q' } });
  definePrompt({
    name: 'p',
    system: [
      'a text',
      (state) => {
        expectTypeOf(state).toEqualTypeOf<ThreadState>();
        return state.threadId;
      },
      { include: 'q' },
    ],
  });
  // @ts-expect-error a number is no part
  definePrompt({ name: 'p', system: ['a text', 7] });
  // @ts-expect-error there are four choices
  definePrompt({ name: 'p', toolChoice: 'always' });
});

test('the message of a tool that is an agent or a prompt is made of what its schema gives', () => {
  defineTool({
    name: 't',
    agent: 'a',
    input: z.object({ n: z.number() }),
    message: (input) => {
      expectTypeOf(input).toEqualTypeOf<{ n: number }>();
      return `${input.n}`;
    },
  });
  defineTool({ name: 't', prompt: 'p', message: ({ task }) => task.trim() });
  // @ts-expect-error a tool is one of the three
  defineTool({ name: 't', agent: 'a', prompt: 'p' });
  // @ts-expect-error a message is a text
  defineTool({ name: 't', prompt: 'p', message: () => 7 });
});
