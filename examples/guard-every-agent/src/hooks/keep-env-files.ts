import { defineHook } from '@spec/hooks';

/** Keeps agents away from files with secrets, whatever the tool is called in each of them. */
export default defineHook({
  hook: 'before_tool_call',
  id: 'keep_env_files',
  match: { tools: 'Read|Write|Edit', paths: ['**/.env', '**/.env.*'] },
  execute: async () => ({ decision: 'deny', reason: 'Files with secrets are not for agents.' }),
});
