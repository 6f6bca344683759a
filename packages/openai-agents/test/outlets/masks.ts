import { type AnyHook, defineHook } from '@spec/hooks';
import { maskAll, maskText } from '@spec/test-helpers';

/** What must not get out. */
export const CARD = '4111111111111111';

/** Where the card stands, at the beginning. */
export type Place = 'user' | 'answer' | 'call' | 'result';

export interface Masks {
  readonly hooks: readonly AnyHook[];
  /** What these hooks see whole. */
  readonly places: readonly Place[];
  /** The outlets that they keep it out of, where it stands in others by what the hook is for. */
  readonly outlets?: readonly string[];
}

const onMessages = defineHook({
  hook: 'before_create_message',
  id: 'message',
  execute: async (_state, message) => maskAll(message),
});
const inPieces = defineHook({
  hook: 'before_create_message',
  id: 'pieces',
  holdBack: CARD.length,
  stream: maskText,
  execute: async (_state, message) => maskAll(message),
});

/** Hooks that take the card out, alone, each at its own moment. */
export const allMasks: Readonly<Record<string, Masks>> = {
  'on messages': { hooks: [onMessages], places: ['user', 'answer', 'call', 'result'] },
  'on messages, in pieces': {
    hooks: [inPieces],
    places: ['user', 'answer', 'call', 'result'],
  },
  'on what the user says': {
    hooks: [
      defineHook({
        hook: 'before_user_message',
        id: 'user',
        execute: async (_state, { content }) => ({ input: maskText(content ?? '') }),
      }),
    ],
    places: ['user'],
  },
  'on calls': {
    hooks: [
      defineHook({
        hook: 'before_tool_call',
        id: 'call',
        execute: async (_state, { function: { arguments: json } }) => ({
          input: JSON.parse(maskText(json)) as Record<string, string>,
        }),
      }),
    ],
    places: ['call'],
    outlets: ['execute of a tool'],
  },
  'on results': {
    hooks: [
      defineHook({
        hook: 'before_store_tool_result',
        id: 'result',
        execute: async (_state, _call, result) => maskAll(result),
      }),
    ],
    places: ['result'],
  },
};
