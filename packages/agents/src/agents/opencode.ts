import { parseArguments } from '@spec/hooks';
import type { AgentProfile } from '../agent.ts';
import { MESSAGES_OF_ITS_OWN, NO_ASK_HERE, ownMessages } from './honours.ts';
import { listPatched } from './patch.ts';

/** OpenCode loads plugins into its own process; `@spec/agents/opencode` is one. */
export const openCode: AgentProfile = {
  name: 'opencode',
  title: 'OpenCode',
  known: { version: '1.18.33', date: '2026-11-25', how: 'observed' },
  files: {
    project: '.opencode/plugins/spec-hooks.js',
    user: '.config/opencode/plugins/spec-hooks.js',
    homeVariable: 'XDG_CONFIG_HOME',
  },
  rewritesPrompts: true,
  honours: ownMessages(MESSAGES_OF_ITS_OWN, {
    after_system_message: 'whole',
    before_user_message: 'whole',
    before_tool_call: {
      stricter: `${NO_ASK_HERE}; so is a result that a hook gives in place of the tool, and so are new arguments of the tools that list and read resources of MCP servers. An allow answers no question of the agent. Contexts reach the model with the result of the call, if there is one.`,
    },
    before_permission_request: {
      partly: 'it runs where a hook asks. The agent asks its own questions without a word.',
    },
    after_tool_call_success: 'whole',
    after_tool_call_failure: { no: 'the agent does not tell of tools that failed.' },
    before_store_tool_result: {
      partly: 'it does not see tools that failed: the agent does not tell of them.',
    },
    after_tool_batch: { no: 'the agent does not tell of batches.' },
    before_stop: { no: 'the agent ends a turn without asking: a plugin could only begin another one.' },
    before_compaction: { no: 'the agent compacts whatever a hook says.' },
    after_session_started: 'whole',
    after_session_ended: { no: 'the agent does not tell when a session ends.' },
    after_notification: { no: 'the agent has no such event.' },
  }),
  tools: {
    bash: 'Bash',
    read: 'Read',
    write: 'Write',
    edit: 'Edit',
    glob: 'Glob',
    grep: 'Grep',
    list: 'LS',
    webfetch: 'WebFetch',
    websearch: 'WebSearch',
    todowrite: 'TodoWrite',
    question: 'AskUserQuestion',
    task: 'Agent',
    list_mcp_resources: 'ListMcpResourcesTool',
    read_mcp_resource: 'ReadMcpResourceTool',
  },
  fields: {
    read: { filePath: 'file_path' },
    write: { filePath: 'file_path' },
    edit: {
      filePath: 'file_path',
      oldString: 'old_string',
      newString: 'new_string',
      replaceAll: 'replace_all',
    },
  },
  limits: [
    'Hooks run in the process of the agent. What blocks the event loop stops the agent, and what ends the process ends it: nothing passes, but nobody is told why. What hooks print goes to its terminal.',
    'OpenCode skips a plugin that it cannot load without a word. `spec-hooks agents` shows whether it has loaded the hooks.',
    'A tool of an MCP server is called `server_tool`, with one underscore.',
    'Files that a person attaches to a prompt are not shown to hooks.',
    'As soon as there is a plugin, OpenCode installs `@opencode-ai/plugin` from npm into its folders. The hooks do not need it: `npm_config_offline=true` ends that.',
  ],
  afterInstall: 'Start OpenCode again: it loads plugins when it starts.',
  listInnerCalls(call, folder) {
    if (call.function.name !== 'apply_patch') return [];
    const { patchText } = parseArguments(call) ?? {};
    return typeof patchText === 'string' ? listPatched(call, patchText, folder) : [];
  },
};
