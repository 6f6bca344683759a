import type { LifecycleName } from '@spec/hooks';

/** Where rules apply, in the words of rule files. */
export type RuleEvent =
  | 'PreToolUse'
  | 'PostToolUse'
  | 'UserPromptSubmit'
  | 'Stop'
  | 'AgentStart'
  | 'AgentEnd';

/** All events of rules. */
export const ruleEvents: readonly RuleEvent[] = [
  'PreToolUse',
  'PostToolUse',
  'UserPromptSubmit',
  'Stop',
  'AgentStart',
  'AgentEnd',
];

/** The hooks of the lifecycle in which the rules of an event run. */
export const hooksOfEvents: Readonly<Record<RuleEvent, readonly LifecycleName[]>> = {
  PreToolUse: ['before_tool_call'],
  PostToolUse: ['after_tool_call_success', 'after_tool_call_failure'],
  UserPromptSubmit: ['before_user_message'],
  Stop: ['before_stop'],
  AgentStart: ['after_session_started'],
  AgentEnd: ['after_session_ended'],
};

/** Events that are about a tool call. */
export const toolEvents: readonly RuleEvent[] = ['PreToolUse', 'PostToolUse'];

/** Events at which something can still be refused. */
export const gates: readonly RuleEvent[] = ['PreToolUse', 'UserPromptSubmit', 'Stop'];

/** Events at which a rule that must not run denies what it guards. */
export const guardedEvents: readonly RuleEvent[] = ['PreToolUse', 'UserPromptSubmit'];
