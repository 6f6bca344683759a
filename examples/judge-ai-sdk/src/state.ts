import { type HookPermit, hookPermit, type ThreadState } from '@spec/hooks';
import { inject, type LoopParts, type Turn, update } from './loop.ts';

/**
 * What hooks may do with the thread: as much as this application has of it. With the permit of a hook, what it writes counts
 * as written within that hook, so that hooks which write cannot run each other without end.
 */
export function stateOf(parts: LoopParts, permit?: HookPermit): ThreadState {
  const { threadId, messages, turn } = parts;
  const partial: Partial<ThreadState> = {
    ...{ threadId, agentId: 'main', userId: null, children: [] },
    ...(permit === undefined ? {} : { [hookPermit]: permit }),
    execution: executionOf(turn),
    getMessages: async ({ last } = {}) => messages.all().slice(last === undefined ? 0 : -last),
    getMessage: async (id) => messages.all().find((message) => message.id === id) ?? null,
    injectMessage: (message) => inject({ ...parts, state, permit }, message),
    updateMessage: (id, updates) => update({ ...parts, state, permit }, id, updates),
    deleteMessage: async (id) => messages.remove(id),
    getParentThread: async () => null,
  };
  const state = partial as ThreadState;
  return state;
}

function executionOf(turn: Turn): ThreadState['execution'] {
  return {
    currentSide: 'a',
    get flowId() {
      return turn.flowId;
    },
    get stepCount() {
      return turn.stepCount;
    },
    get stopped() {
      return turn.stopped;
    },
    get abortSignal() {
      return turn.aborts.signal;
    },
    stop() {
      turn.stopped = true;
    },
  };
}
