import { agents, createAgentHost } from '@spec/agents';
import keepEnvFiles from './hooks/keep-env-files.ts';

/** What each agent sends before it writes a file. In a project, "spec-hooks install" does the rest. */
const writes: Record<string, { event: string; payload: object }> = {
  'claude-code': {
    event: 'PreToolUse',
    payload: { tool_name: 'Write', tool_input: { file_path: '/app/.env', content: 'KEY=1' } },
  },
  codex: {
    event: 'PreToolUse',
    payload: {
      tool_name: 'apply_patch',
      tool_input: { command: '*** Begin Patch\n*** Add File: .env\n+KEY=1\n*** End Patch' },
    },
  },
  gemini: {
    event: 'BeforeTool',
    payload: { tool_name: 'write_file', tool_input: { file_path: '/app/.env', content: 'KEY=1' } },
  },
  qwen: {
    event: 'PreToolUse',
    payload: { tool_name: 'write_file', tool_input: { file_path: '/app/.env', content: 'KEY=1' } },
  },
};

for (const agent of agents) {
  const host = createAgentHost({ agent, policies: [keepEnvFiles] });
  const { event, payload } = writes[agent.name] ?? { event: '', payload: {} };
  const input = JSON.stringify({ session_id: 's1', cwd: '/app', ...payload });
  const { stdout } = await host.answer({ event, input });
  console.log(`${agent.title}: ${stdout}`);
}
