import { defineHook } from '@spec/hooks';

export default defineHook({
  hook: 'filter_messages',
  id: 'limit_to_5_messages',
  // The runtime loads no more of a long thread than this hook reads.
  reads: { last: 5 },
  execute: async (_state, messages) => {
    // From a question on, so that no tool's result is without its call.
    const start = messages.findIndex(({ role }, index) => role === 'user' && index >= messages.length - 5);
    return start === -1 ? messages : messages.slice(start);
  },
});
