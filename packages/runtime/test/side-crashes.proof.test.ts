import { setTimeout as wait } from 'node:timers/promises';
import type { LanguageModelV3CallOptions } from '@ai-sdk/provider';
import { defineHook } from '@spec/hooks';
import { describe, expect, test } from 'vitest';
import {
  calledTool,
  defineAgent,
  definePrompt,
  defineTool,
  type Store,
  saidText,
  type Thread,
  type TurnResult,
} from '../src/index.ts';
import type { ScriptedReply } from '../src/testing/index.ts';
import { createKit } from './kit.ts';
import { deathShares, openQuick } from './lasting-store.ts';
import { type Death, Mortality } from './mortal-store.ts';
import type { Setup } from './start-runtime.ts';
import { storedThread } from './stored-thread.ts';

const LEASE = 20;

/** What the model says follows from what it is told, so that it says the same when it is asked again. */
function reply({ prompt }: LanguageModelV3CallOptions): ScriptedReply {
  const who = prompt[0]?.content === 'You are A.' ? 'a' : 'b';
  const said = prompt.filter(({ role }) => role === 'assistant').length;
  if (who === 'b') return said === 2 ? 'b, bye' : `b${said}`;
  if (said % 2 === 0) return { text: `a${said}`, toolCalls: [{ id: `n${said}`, name: 'note' }] };
  return `a${said}`;
}

/** Two sides, of which one calls tools, with hooks that tell the model something; one ends it with a word, or with a call. */
function talk(stopWhen: 'word' | 'call'): Setup {
  return {
    tools: [defineTool({ name: 'note', onInterrupted: 'retry', execute: () => 'noted' })],
    prompts: [
      definePrompt({ name: 'pa', system: 'You are A.', tools: ['note'] }),
      definePrompt({ name: 'pb', system: 'You are B.' }),
    ],
    agents: [
      defineAgent({
        name: 'talk',
        type: 'dual_ai',
        sides: { a: { prompt: 'pa', maxSteps: 2, maxTurns: 4 }, b: { prompt: 'pb', maxTurns: 3 } },
        stopWhen: stopWhen === 'word' ? saidText('bye') : calledTool('note'),
      }),
    ],
    policies: [
      defineHook({
        hook: 'after_tool_batch',
        id: 'context',
        execute: async (state) => `a context of step ${state.execution.stepCount}`,
      }),
      defineHook({
        hook: 'before_create_message',
        id: 'stamp',
        execute: async (state, message) => ({ ...message, stamped: state.execution.currentSide }),
      }),
    ],
    script: Array.from({ length: 40 }, () => reply),
  };
}

async function sendWhereFree(thread: Thread): Promise<TurnResult> {
  for (;;) {
    try {
      return await thread.send('Go', { id: 'turn' });
    } catch (error) {
      if ((error as { code?: string }).code !== 'thread_busy') throw error;
      await wait(LEASE / 4);
    }
  }
}

interface Lived {
  readonly stored: unknown;
  readonly result: TurnResult;
  readonly writes: number;
}

/** Begins the turn in one process, and where that dies, goes on in another. */
async function liveTwice(setup: () => Setup, death?: Omit<Death, 'onDeath'>): Promise<Lived> {
  const store = openQuick();
  let tell: () => void = () => {};
  const died = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const mortality = new Mortality(death === undefined ? undefined : { ...death, onDeath: tell });
  await Promise.race([begin(mortality.storeOf(store), setup()), died]);
  const { runtime } = createKit(store).start({ ...setup(), lease: LEASE });
  const there = await store.getThread('t');
  const thread =
    there === null ? await runtime.createThread({ agent: 'talk', id: 't' }) : await runtime.openThread('t');
  const result = await sendWhereFree(thread);
  await thread.idle();
  return { stored: await storedThread(store, 't'), result, writes: mortality.writes };
}

async function begin(store: Store, setup: Setup): Promise<unknown> {
  const { runtime } = createKit(store).start({ ...setup, lease: LEASE });
  return sendWhereFree(await runtime.createThread({ agent: 'talk', id: 't' }));
}

describe('wherever the process dies, the talk of two sides comes out the same', () => {
  test.each([
    ['word', { status: 'completed', text: 'b, bye', steps: 9 }],
    ['call', { status: 'completed', text: 'a0', steps: 1 }],
  ] as const)('that ends with a %s', { timeout: 60_000 }, async (stopWhen, end) => {
    const whole = await liveTwice(() => talk(stopWhen));
    expect(whole.result).toMatchObject(end);
    for (let atWrite = 1; atWrite <= whole.writes; atWrite += deathShares) {
      for (const when of ['before', 'after'] as const) {
        const { stored, result } = await liveTwice(() => talk(stopWhen), { atWrite, when });
        expect(stored, `${when} write ${atWrite}`).toEqual(whole.stored);
        expect(result, `${when} write ${atWrite}`).toEqual(whole.result);
      }
    }
  });
});
