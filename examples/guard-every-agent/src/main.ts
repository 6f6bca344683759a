import { agents, createAgentHost } from '@spec/agents';
import { createOpenCodePlugin } from '@spec/agents/opencode';
import { createPiExtension } from '@spec/agents/pi';
import keepEnvFiles from './hooks/keep-env-files.ts';

/** What each agent sends before it touches a file. In a project, "spec-hooks install" does the rest. */
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
  cursor: {
    event: 'beforeReadFile',
    payload: { hook_event_name: 'beforeReadFile', file_path: '/app/.env', content: 'KEY=1' },
  },
  copilot: {
    event: 'PreToolUse',
    payload: { tool_name: 'Write', tool_input: { file_path: '/app/.env', content: 'KEY=1' } },
  },
};

for (const agent of agents) {
  const host = createAgentHost({ agent, policies: [keepEnvFiles] });
  const { event, payload } = writes[agent.name] ?? { event: '', payload: {} };
  const input = JSON.stringify({ session_id: 's1', cwd: '/app', ...payload });
  const { stdout } = await host.answer({ event, input });
  console.log(`${agent.title}: ${stdout}`);
}

// OpenCode and pi load hooks into their own process, and are told in their own ways.
const openCode = await createOpenCodePlugin({ policies: [keepEnvFiles] })({ directory: '/app' });
const call = { tool: 'write', sessionID: 's1', callID: 'c1' };
await openCode['tool.execute.before'](call, { args: { filePath: '/app/.env', content: 'KEY=1' } }).catch(
  (error: Error) => console.log(`OpenCode: ${error.message}`),
);

const person = {
  ...{ cwd: '/app', hasUI: false, sessionManager: { getSessionId: () => 's1' } },
  ui: { confirm: async () => false, notify: console.error },
};
createPiExtension({ policies: [keepEnvFiles] })({
  async on(event, answer) {
    if (event !== 'tool_call') return;
    const write = { toolName: 'write', toolCallId: 'c1', input: { path: '/app/.env', content: 'KEY=1' } };
    console.log(`pi: ${JSON.stringify(await answer(write as never, person))}`);
  },
});
