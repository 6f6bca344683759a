import { claudeEvents, unsupportedEvents } from './events.ts';
import type { ClaudeVariant } from './variant.ts';

/** Claude Code itself. */
export const claudeVariant: ClaudeVariant = {
  name: 'claude',
  events: claudeEvents,
  unsupported: unsupportedEvents,
  types: ['command', 'http', 'prompt', 'agent', 'mcp_tool'],
  keys: ['if', 'args', 'async', 'asyncRewake', 'once', 'statusMessage', 'onFailure'],
  timeouts: {
    seconds: { command: 600, http: 600, mcp_tool: 600, prompt: 30 },
    most: { UserPromptSubmit: 30, SessionEnd: 1.5 },
    limit: { SessionEnd: 60 },
  },
  decisions: ['approve', 'block'],
  sendsAway: true,
};
