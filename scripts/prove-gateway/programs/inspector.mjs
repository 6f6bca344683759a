// The command of the MCP Inspector, over the second generation of the SDK, which it starts anew for each request: `inspector.mjs COMMAND ARG…` writes what it
// printed as JSON.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { args, calls, command, tell } from './explore.mjs';

const program = fileURLToPath(
  new URL('node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js', import.meta.url),
);
const inspect = async (...flags) => {
  const all = [program, '--cli', ...flags, '--', command, ...args];
  const { stdout, code = 0 } = await promisify(execFile)(process.execPath, all).catch((error) => error);
  return { code, stdout };
};

const seen = {
  tools: await inspect('--method', 'tools/list'),
  resources: await inspect('--method', 'resources/list'),
  prompts: await inspect('--method', 'prompts/list'),
  text: await inspect('--method', 'resources/read', '--uri', 'test://static-text'),
  nothing: await inspect('--method', 'tools/call', '--tool-name', 'nothing'),
};
for (const name of Object.keys(calls))
  seen[name] = await inspect('--method', 'tools/call', '--tool-name', name);
tell(seen);
