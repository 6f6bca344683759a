// Loads the file that "spec-hooks install" made, as the agent does, sends a prompt and calls the shell: in-agent-process.mjs AGENT FILE COMMAND…
import { pathToFileURL } from 'node:url';

const [agent, file, ...commands] = process.argv.slice(2);
const plugin = await import(pathToFileURL(file).href);
const session = await { opencode: startOpenCode, pi: startPi }[agent]();
const prompt = await session.prompt('hello');
const denied = [];
for (const command of commands) denied.push(await session.call(command));
process.stdout.write(JSON.stringify({ prompt, denied }));

async function startOpenCode() {
  const hooks = await plugin.server({ directory: process.cwd() });
  const sessionID = 's1';
  return {
    async prompt(text) {
      const parts = [{ id: 'prt_1', messageID: 'm', sessionID, type: 'text', text }];
      await hooks['chat.message']({ sessionID }, { parts });
      return parts.map((part) => part.text).join(' ');
    },
    call: (command) =>
      hooks['tool.execute.before']({ tool: 'bash', sessionID, callID: 'c' }, { args: { command } }).then(
        () => null,
        (error) => error.message,
      ),
  };
}

async function startPi() {
  const handlers = new Map();
  await plugin.default({ on: (event, handler) => handlers.set(event, handler) });
  const context = { cwd: process.cwd(), hasUI: false, sessionManager: { getSessionId: () => 's1' } };
  const tell = async (event, payload) => (await handlers.get(event)?.(payload, context)) ?? {};
  return {
    async prompt(text) {
      await tell('input', { text });
      const { message } = await tell('before_agent_start', { systemPrompt: '' });
      return [text, ...(message === undefined ? [] : [message.content])].join(' ');
    },
    async call(command) {
      const { block, reason } = await tell('tool_call', {
        toolName: 'bash',
        toolCallId: 'c',
        input: { command },
      });
      return block === true ? reason : null;
    },
  };
}
