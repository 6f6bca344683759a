import type { Agent } from '../agent.ts';
import { claudeWords, pickEvents } from './claude-words.ts';
import { commandHonours, NO_ANSWER } from './honours.ts';

export const claudeCode: Agent = {
  name: 'claude-code',
  title: 'Claude Code',
  known: { version: '2.1.330', date: '2026-11-22', how: 'read' },
  files: {
    project: '.claude/settings.json',
    user: '.claude/settings.json',
    homeVariable: 'CLAUDE_CONFIG_DIR',
    switches: { project: ['.claude/settings.local.json'], user: [] },
  },
  projectVariable: 'CLAUDE_PROJECT_DIR',
  timeoutUnit: 'seconds',
  guardKeys: { onFailure: 'block' },
  alsoRunBy: { cursor: 'cursor_version' },
  events: pickEvents(
    {
      PreToolUse: 'tool_call',
      PermissionRequest: 'permission',
      PostToolUse: 'tool_result',
      PostToolUseFailure: 'tool_failure',
      PostToolBatch: 'tool_batch',
      UserPromptSubmit: 'prompt',
      Stop: 'stop',
      SubagentStop: 'stop',
      PreCompact: 'compaction',
      SessionStart: 'session_start',
      SubagentStart: 'subagent_start',
      SessionEnd: { moment: 'session_end', write: claudeWords.session_end, seconds: 1 },
      Notification: 'notification',
    },
    claudeWords,
  ),
  honours: commandHonours({
    before_tool_call: NO_ANSWER,
    before_permission_request: 'whole',
    after_tool_call_success: 'whole',
    after_tool_call_failure: {
      partly: 'it can add context; the model gets the failure as it was.',
    },
    before_store_tool_result: {
      partly:
        'it sees results of tools that succeeded, and changes what the model gets. The transcript keeps the first result.',
    },
    after_tool_batch: 'whole',
    before_compaction: { partly: 'it can refuse; the agent does not say how many messages there are.' },
    after_session_ended: { partly: 'the agent waits 1.5 seconds.' },
    after_notification: 'whole',
  }),
  tools: {},
  limits: [
    'Messages and the system prompt are out of reach for hooks of settings files.',
    'Cursor and GitHub Copilot run the entries of this file, too. Where `spec-hooks install cursor` has made entries of their own, these stay silent in Cursor. In Copilot what is installed in both files is judged twice.',
  ],
  afterInstall: 'Start a new session: Claude Code reads its settings when it starts.',
};
