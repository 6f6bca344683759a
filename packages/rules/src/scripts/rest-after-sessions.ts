import { type AnyHook, defineHook } from '@spec/hooks';
import type { Sandbox } from './sandbox.ts';

/** The workers end with the last session that is open; they start again when a script is needed. */
export function restAfterSessions(name: string, sandbox: Sandbox): AnyHook[] {
  const open = new Set<string>();
  return [
    defineHook({
      hook: 'after_session_started',
      id: `${name}_sessions_started`,
      execute: async (_state, { sessionId }) => {
        open.add(sessionId);
        return null;
      },
    }),
    defineHook({
      hook: 'after_session_ended',
      id: `${name}_sessions_ended`,
      priority: -1_000,
      execute: async (_state, { sessionId }) => {
        open.delete(sessionId);
        if (open.size === 0) sandbox.rest();
      },
    }),
  ];
}
