import { type HookToolCall, isRecord, parseArguments } from '@spec/hooks';
import type { AgentProfile } from '../agent.ts';
import { readContentResult } from './content.ts';
import { MESSAGES_OF_ITS_OWN, NO_ANSWER, ownMessages } from './honours.ts';

/** pi loads extensions into its own process; `@spec/agents/pi` is one. */
export const pi: AgentProfile = {
  name: 'pi',
  title: 'pi',
  known: { version: '1.5.2', date: '2026-11-25', how: 'observed' },
  files: {
    project: '.pi/extensions/spec-hooks.js',
    user: '.pi/agent/extensions/spec-hooks.js',
    homeVariable: 'PI_CODING_AGENT_DIR',
  },
  rewritesPrompts: true,
  honours: ownMessages(MESSAGES_OF_ITS_OWN, {
    after_system_message: { partly: 'it runs once for each prompt, and not before each call of the model.' },
    before_user_message: 'whole',
    before_tool_call: NO_ANSWER,
    before_permission_request: 'whole',
    after_tool_call_success: 'whole',
    after_tool_call_failure: 'whole',
    before_store_tool_result: 'whole',
    after_tool_batch: 'whole',
    before_stop: 'whole',
    before_compaction: 'whole',
    after_session_started: 'whole',
    after_session_ended: 'whole',
    after_notification: { no: 'the agent has no such event.' },
  }),
  tools: {
    bash: 'Bash',
    read: 'Read',
    write: 'Write',
    edit: 'Edit',
    grep: 'Grep',
    find: 'Glob',
    ls: 'LS',
    list_mcp_resources: 'ListMcpResourcesTool',
    read_mcp_resource: 'ReadMcpResourceTool',
  },
  fields: {
    read: { path: 'file_path' },
    write: { path: 'file_path' },
    edit: { path: 'file_path' },
  },
  limits: [
    'Hooks run in the process of the agent. What blocks the event loop stops the agent, and what ends the process ends it: nothing passes, but nobody is told why. What hooks print goes to its terminal.',
    'pi asks nobody whether a tool may run: a hook that asks is what makes it ask. Without a person, as with -p, an ask is a deny.',
    'Hooks see a prompt as it was typed, before pi fills in skills and templates. Context for a message that is sent while the agent works waits for the next prompt.',
    'Commands that a person runs by `!` have no hook.',
    'A call with several edits of a file is judged as a whole, and as an `Edit` for each of them.',
  ],
  afterInstall:
    'Start pi again, and trust the project. Until then pi skips the extension of a project without a word; with -p it loads it by --approve alone.',
  listInnerCalls(call) {
    const { file_path, edits } = parseArguments(call) ?? {};
    if (call.function.name !== 'Edit' || !Array.isArray(edits)) return [];
    return edits.map((edit, at) => makeEdit(call, { file_path, edit, at }));
  },
  readResult: readContentResult,
};

interface OneEdit {
  readonly file_path: unknown;
  readonly edit: unknown;
  readonly at: number;
}

function makeEdit({ id }: HookToolCall, { file_path, edit, at }: OneEdit): HookToolCall {
  const { oldText, newText } = isRecord(edit) ? edit : {};
  const input = { file_path, old_string: oldText, new_string: newText };
  return {
    ...{ id: `${id}_${at + 1}`, type: 'function' },
    function: { name: 'Edit', arguments: JSON.stringify(input) },
  };
}
