import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The package of the Claude Agent SDK. Without its optional packages, it comes without Claude Code. */
export const agentSdk = { packageName: '@anthropic-ai/claude-agent-sdk', version: '0.3.330' } as const;

const root = join(import.meta.dirname, '../..');
const hooks = join(root, 'packages/hooks/dist/index.mjs');
const callbacks = join(root, 'packages/agents/dist/claude-agent-sdk.mjs');

/** Speaks as Claude Code does to the SDK: it asks about one call of a tool, and gives back what it was answered. */
const standIn = `import { createInterface } from 'node:readline';
const send = (message) => process.stdout.write(JSON.stringify(message) + '\\n');
let hooks = {};
for await (const line of createInterface({ input: process.stdin })) {
  const { type, request, request_id, response } = JSON.parse(line);
  if (type === 'control_request' && request.subtype === 'initialize') {
    hooks = request.hooks;
    const told = { commands: [], models: [], account: {}, hook_on_failure_supported: process.env.IS_OLD === undefined };
    send({ type: 'control_response', response: { subtype: 'success', request_id, response: told } });
  }
  if (type === 'user') {
    const input = { hook_event_name: 'PreToolUse', session_id: 's1', cwd: '/', tool_name: 'Bash', tool_use_id: 't1', tool_input: { command: 'rm x' } };
    const [callback_id] = hooks.PreToolUse[0].hookCallbackIds;
    send({ type: 'control_request', request_id: 'r1', request: { subtype: 'hook_callback', callback_id, tool_use_id: 't1', input } });
  }
  if (type === 'control_response') {
    send({ type: 'result', subtype: 'success', is_error: false, result: JSON.stringify(response), session_id: 's1' });
    process.exit(0);
  }
}
`;

const program = (body: string): string => `import { query } from '${agentSdk.packageName}';
import { createClaudeAgentHooks } from ${JSON.stringify(callbacks)};
import { defineHook } from ${JSON.stringify(hooks)};
const guard = defineHook({ hook: 'before_tool_call', id: 'guard', match: 'Bash(rm:*)', execute: async () => { ${body} } });
const options = { pathToClaudeCodeExecutable: process.argv[2], hooks: createClaudeAgentHooks({ policies: [guard] }) };
for await (const message of query({ prompt: 'hi', options })) console.log(JSON.stringify(message));
`;

const typed = `import type { Options } from '${agentSdk.packageName}';
import { createClaudeAgentHooks } from ${JSON.stringify(callbacks)};
export const options: Options = { hooks: createClaudeAgentHooks({ policies: [] }) };
`;

/**
 * Runs the callbacks in the real SDK, with a stand-in for Claude Code, which is closed; and checks them against its types.
 *
 * @param folder where the package is installed
 */
export function proveAgentSdk(folder: string): Readonly<Record<string, string>> {
  const place = join(folder, 'proof');
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'claude.mjs'), standIn);
  const run = (body: string, env: NodeJS.ProcessEnv = {}): string => {
    writeFileSync(join(place, 'main.mjs'), program(body));
    const args = [join(place, 'main.mjs'), join(place, 'claude.mjs')];
    const { stdout, stderr } = spawnSync(process.execPath, args, {
      ...{ cwd: place, encoding: 'utf8', timeout: 120_000 },
      env: { PATH: process.env.PATH, HOME: place, ...env },
    });
    return `${stdout}${stderr}`;
  };
  return {
    allow: judge(
      run('return null;'),
      /"result":"\{\\"subtype\\":\\"success\\",\\"request_id\\":\\"r1\\",\\"response\\":\{\}/,
    ),
    deny: judge(
      run("return { decision: 'deny', reason: 'REASON-OF-GUARD' };"),
      /\\"deny\\".*REASON-OF-GUARD/,
    ),
    throw: judge(run("throw new Error('broken');"), /\\"deny\\"/),
    never: judge(run('await new Promise(() => {});'), /\\"deny\\"/),
    old: judge(run('return null;', { IS_OLD: '1' }), /does not honor onFailure/),
    types: checkTypes(place),
  };
}

function judge(output: string, expected: RegExp): string {
  return expected.test(output) ? 'held' : output.slice(-600);
}

function checkTypes(place: string): string {
  writeFileSync(join(place, 'types.mts'), typed);
  const compilerOptions = {
    ...{ module: 'nodenext', target: 'es2023', lib: ['ES2023', 'DOM'], strict: true, noEmit: true },
    ...{ skipLibCheck: true, exactOptionalPropertyTypes: true, types: [] },
  };
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['types.mts'] }));
  const tsc = join(root, 'node_modules/typescript-native/bin/tsc');
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', place], { encoding: 'utf8' });
  return status === 0 ? 'held' : stdout.slice(0, 600);
}
