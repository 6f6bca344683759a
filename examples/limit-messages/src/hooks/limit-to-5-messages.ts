import { defineHook } from '@spec/hooks';

export default defineHook({
  hook: 'filter_messages',
  id: 'limit_to_5_messages',
  // The runtime loads no more of a long thread than this hook reads.
  reads: { last: 5 },
  execute: async (_state, messages) => {
    return messages.slice(-5);
  },
});
