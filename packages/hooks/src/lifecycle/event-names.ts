import type { LifecycleName } from '../vocabulary/lifecycle.ts';

/** What settings files of coding agents and of the hub call the moments at which hooks run, for who writes such a name in code. */
export const hooksOfEventNames = {
  PreToolUse: 'before_tool_call',
  PostToolUse: 'after_tool_call_success',
  PostToolUseFailure: 'after_tool_call_failure',
  PostToolBatch: 'after_tool_batch',
  PermissionRequest: 'before_permission_request',
  UserPromptSubmit: 'before_user_message',
  SessionStart: 'after_session_started',
  SessionEnd: 'after_session_ended',
  SubagentStart: 'after_session_started',
  AgentStart: 'after_session_started',
  AgentEnd: 'after_session_ended',
  Stop: 'before_stop',
  SubagentStop: 'before_stop',
  PreCompact: 'before_compaction',
  Compaction: 'before_compaction',
  Notification: 'after_notification',
  BeforeTool: 'before_tool_call',
  AfterTool: 'after_tool_call_success',
  BeforeAgent: 'before_user_message',
  AfterAgent: 'before_stop',
  PreCompress: 'before_compaction',
  BeforeModel: 'before_model_call',
  BeforeToolSelection: 'before_model_call',
  beforeShellExecution: 'before_tool_call',
  afterShellExecution: 'after_tool_call_success',
  beforeMCPExecution: 'before_tool_call',
  afterMCPExecution: 'after_tool_call_success',
  beforeReadFile: 'before_tool_call',
  afterFileEdit: 'after_tool_call_success',
  beforeSubmitPrompt: 'before_user_message',
  userPromptSubmitted: 'before_user_message',
  agentStop: 'before_stop',
} as const;

/** An event of settings files for which there is a hook. */
export type EventName = keyof typeof hooksOfEventNames;

/** The hook that runs at the moment of an event, however its name is written: `PreToolUse`, `preToolUse`, `pre_tool_use`. */
export function findHookOfEvent(name: string): LifecycleName | undefined {
  const plain = readPlain(name);
  const events = Object.keys(hooksOfEventNames) as EventName[];
  const event = events.find((one) => readPlain(one) === plain);
  return event && hooksOfEventNames[event];
}

function readPlain(name: string): string {
  return name.replace(/[^a-zA-Z]/g, '').toLowerCase();
}
