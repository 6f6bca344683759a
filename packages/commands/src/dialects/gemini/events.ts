import type { Occasion } from '../../normal-form.ts';
import { type ClaudeEvent, sessionSource } from '../claude/events.ts';

const toolName = ({ tool }: Occasion): string => tool?.name ?? '';

/** How a session ends, in the format's words. The lifecycle knows only one way. */
export const GEMINI_END = 'exit';

/** The events that have a place in the lifecycle, by name. */
export const geminiEvents: Readonly<Record<string, ClaudeEvent>> = {
  BeforeTool: {
    hook: 'before_tool_call',
    isTool: true,
    tested: toolName,
    blocking: 'deny',
    decidesBy: 'permissionDecision',
    refusesLaunchErrors: true,
    canEnd: true,
    uncounted: { context: 'additionalContext: Gemini CLI does not read it there' },
  },
  AfterTool: {
    hook: 'after_tool_call_success',
    alsoAt: 'after_tool_call_failure',
    isTool: true,
    tested: toolName,
    blocking: 'replace',
    rewrite: 'none',
    canEnd: true,
  },
  BeforeAgent: {
    hook: 'before_user_message',
    only: 'main',
    blocking: 'deny',
    rewrite: 'none',
    refusesLaunchErrors: true,
    canEnd: true,
    framesContext: true,
  },
  AfterAgent: { hook: 'before_stop', only: 'main', blocking: 'keep-going', rewrite: 'none', canEnd: true },
  SessionStart: {
    hook: 'after_session_started',
    only: 'main',
    tested: sessionSource,
    blocking: 'none',
    rewrite: 'none',
  },
  SessionEnd: {
    hook: 'after_session_ended',
    only: 'main',
    tested: () => GEMINI_END,
    blocking: 'none',
    rewrite: 'none',
  },
  PreCompress: {
    hook: 'before_compaction',
    tested: ({ compaction }) => compaction?.trigger ?? 'auto',
    blocking: 'none',
    rewrite: 'none',
  },
  Notification: { hook: 'after_notification', blocking: 'none', rewrite: 'none' },
  BeforeModel: {
    hook: 'before_model_call',
    blocking: 'deny',
    rewrite: 'none',
    canEnd: true,
    answersModel: true,
  },
  BeforeToolSelection: { hook: 'before_model_call', blocking: 'none', rewrite: 'none', answersModel: true },
};

/** The other one, and what its hooks would have done. */
export const geminiUnsupported: Readonly<Record<string, string>> = {
  AfterModel: 'it would have seen each piece of an answer of the model, and could have replaced it',
};
