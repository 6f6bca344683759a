import { type AnyHook, defineHook } from '@spec/hooks';

/** Writes the message `x` before each call of the model, as `inject` or `queue` does. */
export function ownWriter(write: string): AnyHook {
  return defineHook({
    hook: 'filter_messages',
    id: 'writes',
    execute: async (state, messages) => {
      const message = { id: 'x', role: 'user', content: 'written' } as const;
      await (write === 'inject' ? state.injectMessage(message) : state.queueMessage(message));
      return messages;
    },
  }) as AnyHook;
}
