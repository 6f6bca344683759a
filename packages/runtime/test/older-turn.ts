import { defineHook } from '@spec/hooks';
import { eventfulTurn } from './eventful-turn.ts';
import type { Setup } from './start-runtime.ts';

/** The id of the turn that {@link olderTurn} is run under. */
export const OLDER_TURN = 'request.17';

/** An eventful turn in which several hooks write in the places where a tool writes and a child thread is made. */
export function olderTurn(): Setup {
  const turn = eventfulTurn();
  const policies = turn.policies?.filter(({ id }) => id !== 'context') ?? []; // Releases differ in how often it is told.
  return { ...turn, policies: [...policies, announce, remind], lease: 20, ledger: 'off' };
}

const announce = defineHook({
  hook: 'before_tool_call',
  id: 'announce',
  execute: async (state, call) => {
    if (state.agentId !== 'agent') return null;
    await state.injectMessage({ role: 'user', content: `calling ${call.id}` });
    return null;
  },
});

const remind = defineHook({
  hook: 'filter_messages',
  id: 'remind',
  execute: async (state, messages) => {
    if (state.execution.stepCount === 1) await state.injectMessage({ role: 'user', content: 'a reminder' });
    return messages;
  },
});
