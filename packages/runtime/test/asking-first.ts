import { type AskPerson, defineTool } from '../src/index.ts';
import type { ScriptedReply } from '../src/testing/index.ts';
import type { Setup } from './start-runtime.ts';

/** What the model says first. */
export const firstReply: ScriptedReply = {
  toolCalls: ['careful', 'quick', 'quick'].map((name, at) => ({ id: `c${at}`, name, input: { at } })),
};

/** A batch whose first call waits for a person while the others have ended. */
export function asking(onAsk: AskPerson, when: string): Setup {
  return {
    onAsk,
    tools: [
      defineTool({ name: 'careful', permission: 'ask', execute: () => `careful ${when}` }),
      defineTool({ name: 'quick', execute: ({ at }: { at?: number }) => `quick ${at} ${when}` }),
    ],
    script: when === 'before' ? [firstReply] : ['Done.'],
  };
}
