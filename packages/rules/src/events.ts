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

/** Events that are about a tool call. */
export const toolEvents: readonly RuleEvent[] = ['PreToolUse', 'PostToolUse'];

/** Events at which something can still be refused. */
export const gates: readonly RuleEvent[] = ['PreToolUse', 'UserPromptSubmit', 'Stop'];

/** Events at which a rule that must not run denies what it guards. */
export const guardedEvents: readonly RuleEvent[] = ['PreToolUse', 'UserPromptSubmit'];
