import type { LifecycleName } from '@spec/hooks';
import type { Occasion } from '../../normal-form.ts';
import type { BlockableEvent } from '../nested/blocked.ts';
import { nameInClaude, nameInCopilot } from './names.ts';

/** One event that the lifecycle has a hook for. */
export interface CopilotEvent extends BlockableEvent {
  readonly hook: LifecycleName;
  readonly only?: 'main' | 'subagent';
  readonly isTool?: true;
  /** What a matcher is tested on. If absent, matchers do not count. */
  readonly tested?: (occasion: Occasion) => readonly string[];
  /** What exit code 2 does. Default: it is a failure like any other. */
  readonly onExit2?: 'block' | 'context';
  /** Every other exit code, and a command that cannot be started, refuse the call. */
  readonly refusesErrors?: true;
  readonly rewrite?: 'replace';
  readonly takes?: readonly ('context' | 'output' | 'block')[];
  /** Nobody waits for it. */
  readonly isDetached?: true;
  /** The other name of the event: in PascalCase, where its hooks are told other fields. */
  readonly pascal: string;
}

const toolNames = ({ tool }: Occasion): readonly string[] =>
  tool === undefined ? [] : [...new Set([tool.name, nameInCopilot(tool.name), nameInClaude(tool.name)])];
const agentName = ({ agentId }: Occasion): readonly string[] => [agentId];

/** The types of notifications in Copilot's words. */
const NOTIFICATIONS: Readonly<Record<string, string>> = {
  permission: 'permission_prompt',
  waiting: 'agent_idle',
};

/** The type of a notification. Types without such a word keep the runtime's. */
export function notificationWord({ notification }: Occasion): string {
  const kind = notification?.kind ?? '';
  return Object.hasOwn(NOTIFICATIONS, kind) ? (NOTIFICATIONS[kind] as string) : kind;
}

const camel: Readonly<Record<string, CopilotEvent>> = {
  preToolUse: {
    hook: 'before_tool_call',
    pascal: 'PreToolUse',
    isTool: true,
    tested: toolNames,
    blocking: 'deny',
    decidesBy: 'permissionDecision',
    onExit2: 'block',
    refusesErrors: true,
    rewrite: 'replace',
    takes: ['context'],
  },
  permissionRequest: {
    hook: 'before_permission_request',
    pascal: 'PermissionRequest',
    isTool: true,
    tested: toolNames,
    blocking: 'deny',
    decidesBy: 'behavior',
    onExit2: 'block',
  },
  postToolUse: {
    hook: 'after_tool_call_success',
    pascal: 'PostToolUse',
    isTool: true,
    tested: toolNames,
    blocking: 'none',
    takes: ['context', 'output'],
  },
  postToolUseFailure: {
    hook: 'after_tool_call_failure',
    pascal: 'PostToolUseFailure',
    isTool: true,
    blocking: 'none',
    onExit2: 'context',
    takes: ['context'],
  },
  userPromptSubmitted: {
    hook: 'before_user_message',
    pascal: 'UserPromptSubmit',
    only: 'main',
    blocking: 'none',
    takes: ['context'],
  },
  sessionStart: {
    hook: 'after_session_started',
    pascal: 'SessionStart',
    only: 'main',
    blocking: 'none',
    takes: ['context'],
  },
  sessionEnd: { hook: 'after_session_ended', pascal: 'SessionEnd', only: 'main', blocking: 'none' },
  agentStop: { hook: 'before_stop', pascal: 'Stop', only: 'main', blocking: 'keep-going', takes: ['block'] },
  subagentStart: {
    hook: 'after_session_started',
    pascal: 'SubagentStart',
    only: 'subagent',
    tested: agentName,
    blocking: 'none',
    takes: ['context'],
  },
  subagentStop: {
    hook: 'before_stop',
    pascal: 'SubagentStop',
    only: 'subagent',
    blocking: 'keep-going',
    takes: ['block'],
  },
  preCompact: {
    hook: 'before_compaction',
    pascal: 'PreCompact',
    tested: ({ compaction }) => [compaction?.trigger ?? 'auto'],
    blocking: 'none',
  },
  notification: {
    hook: 'after_notification',
    pascal: 'Notification',
    tested: (occasion) => [notificationWord(occasion)],
    blocking: 'none',
    isDetached: true,
  },
};

/** The supported events by both of their names. */
export const copilotEvents: Readonly<Record<string, CopilotEvent>> = {
  ...camel,
  ...Object.fromEntries(Object.values(camel).map((event) => [event.pascal, event])),
};

/** The others, and what their hooks would have done. */
export const copilotUnsupported: Readonly<Record<string, string>> = {
  preMcpToolCall: 'it would have set the metadata of a call of an MCP server, and nothing else',
  userPromptTransformed: 'it would have changed what has been made of a prompt',
  errorOccurred: 'it would have been told of an error of the model or of a tool',
};

/** Whether hooks of an event are told Claude Code's fields. */
export function isPascal(eventName: string): boolean {
  return /^[A-Z]/.test(eventName);
}
