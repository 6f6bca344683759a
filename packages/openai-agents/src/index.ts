// OpenAI Agents: runs hooks inside agents of the OpenAI Agents SDK. Applications call it; it calls no provider itself.

export { MessageDeniedError } from '@spec/hooks/host';
export type { HookedRun, OpenAIAgentsHook, OpenAIAgentsHooks, OpenAIAgentsOptions } from './create-hooks.ts';
export { createHooks } from './create-hooks.ts';
export { honours } from './honours.ts';
