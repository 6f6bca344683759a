import type { Agent, Answer, Output } from '../agent.ts';
import { claudeWords, denyFor, NO_REWRITE, pickEvents, writeContext, writeToolCall } from './claude-words.ts';
import { readGeminiResult } from './gemini.ts';
import { commandHonours } from './honours.ts';

export const qwen: Agent = {
  name: 'qwen',
  title: 'Qwen Code',
  known: { version: '0.24.4', date: '2026-11-22', how: 'observed' },
  files: { project: '.qwen/settings.json', user: '.qwen/settings.json' },
  projectVariable: 'QWEN_PROJECT_DIR',
  timeoutUnit: 'seconds',
  events: pickEvents(
    {
      PreToolUse: 'tool_call',
      PermissionRequest: 'permission',
      PostToolUse: 'tool_result',
      PostToolUseFailure: 'tool_failure',
      UserPromptSubmit: 'prompt',
      Stop: 'stop',
      SubagentStop: 'stop',
      SessionStart: 'session_start',
      SubagentStart: 'subagent_start',
      SessionEnd: { moment: 'session_end', write: claudeWords.session_end, seconds: 1 },
      Notification: 'notification',
    },
    { ...claudeWords, tool_call: writeQwenCall, tool_result: writeContext },
  ),
  honours: commandHonours({
    before_tool_call: {
      stricter:
        'arguments that a hook changes are a deny, and so is a result in place of the tool. Contexts are not passed on.',
    },
    before_permission_request: 'whole',
    after_tool_call_success: { partly: 'it can add context, and not change the result.' },
    after_tool_call_failure: { partly: 'it can add context, and not change the failure.' },
    before_store_tool_result: { no: 'the agent passes results on as they are.' },
    after_tool_batch: { no: 'the form in which the agent tells of batches is not settled.' },
    before_compaction: { no: 'the agent compacts whatever a hook says.' },
    after_session_ended: { partly: 'the agent does not tell of the end of a run with -p.' },
    after_notification: 'whole',
  }),
  tools: {
    run_shell_command: 'Bash',
    read_file: 'Read',
    write_file: 'Write',
    edit: 'Edit',
    glob: 'Glob',
    grep_search: 'Grep',
    list_directory: 'LS',
    web_fetch: 'WebFetch',
    web_search: 'WebSearch',
    todo_write: 'TodoWrite',
    agent: 'Agent',
  },
  limits: ['A prompt may be told a second time, after a tool has answered.'],
  afterInstall: 'Start a new session.',
  readResult: readGeminiResult,
};

/** Its documentation says that it takes new arguments, but it runs the old ones. */
function writeQwenCall({ input, context: _, ...answer }: Answer, event: string): Output {
  if (input !== undefined && answer.decision !== 'deny')
    return writeToolCall(denyFor(NO_REWRITE, answer), event);
  return writeToolCall(answer, event);
}
