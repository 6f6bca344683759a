import { type AnyHook, defineHook } from '@spec/hooks';
import { findCanaries, canary as makeCanary, maskAll, maskMessage, maskText } from '@spec/test-helpers';

/** Where a canary is put in: it tells where one that came out is from. */
export type Origin = keyof typeof origins;

const origins = {
  user: 'the text of the user',
  attached: 'a file of the user',
  named: 'the name of a file of the user',
  system: 'the system message',
  text: 'the text of an answer',
  reasoning: 'the reasoning of an answer',
  args: 'the arguments of a call',
  badargs: 'arguments that are no JSON, or of a tool that is not there',
  result: 'the result of a tool',
  piece: 'an early piece of a result',
  error: 'the error of a tool',
  body: 'what the provider said word by word',
  metadata: 'what the provider tells beside an answer or a part of it',
  report: 'what the provider tells of the call: usage, warnings, headers, the name of its reason to end',
  source: 'a source, or a file, that the model made',
  hosted: 'what a tool that the provider runs was asked, and what it gave',
  repaired: 'what a function of the application made of a call',
  later: 'what the user said while the turn ran',
} as const;

export const canary = (origin: Origin): string => makeCanary(origin);

const messages = { hook: 'before_create_message', id: 'mask_messages', execute: maskMessage } as const;

/** Hooks that mask every canary wherever a hook may. */
export const masks: readonly AnyHook[] = [
  defineHook({
    hook: 'after_system_message',
    id: 'mask_system',
    execute: async (_state, text) => maskText(text),
  }),
  defineHook(messages),
  defineHook({
    hook: 'before_store_tool_result',
    id: 'mask_results',
    execute: async (_state, _call, row) => maskAll(row),
  }),
];

/** The same, letting text leave as far as no canary could still be in it. */
export const masksInWindows: readonly AnyHook[] = masks.map((hook) =>
  hook.id === messages.id ? defineHook({ ...messages, holdBack: 40, stream: maskText }) : hook,
);

/** Hooks on tools, and none on messages. */
export const masksOfResults: readonly AnyHook[] = masks.filter(({ id }) => id === 'mask_results');

/** @returns the places of each canary that came out, by `origin > outlet` */
export const findLeaks = (
  outlets: Readonly<Record<string, unknown>>,
  apart: readonly unknown[],
): Promise<ReadonlyMap<string, readonly string[]>> =>
  findCanaries(outlets, { origins: Object.keys(origins), apart });
