import type { ThreadState } from '@spec/hooks';

/** As much of a thread's state as hooks of these benches look at: a thread of its own, with no values. */
export const stateAtRest = {
  threadId: 'thread',
  agentId: 'support',
  userId: null,
  execution: {
    flowId: 'flow',
    currentSide: 'a',
    stepCount: 1,
    stopped: false,
    abortSignal: new AbortController().signal,
    stop: () => {},
  },
  getParentThread: async () => null,
  getValue: async () => undefined,
} as unknown as ThreadState;
