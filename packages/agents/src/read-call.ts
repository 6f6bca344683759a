import { type HookToolCall, isRecord } from '@spec/hooks';
import { type Agent, type Payload, readObject, readText } from './agent.ts';

/** Reads the call that an event is about. Its tool gets the name that Claude Code uses. `undefined`: the payload has no call. */
export function readCall({ tools }: Agent, payload: Payload): HookToolCall | undefined {
  const name = readText(payload, 'tool_name');
  if (name === undefined || name === '') return undefined;
  const id = readText(payload, 'tool_use_id') ?? readText(payload, 'tool_call_id') ?? 'call';
  const called = { name: readMcpName(payload) ?? renameTool(tools, name), arguments: readArguments(payload) };
  return { id, type: 'function', function: called };
}

function renameTool(tools: Agent['tools'], name: string): string {
  return Object.hasOwn(tools, name) ? (tools[name] as string) : name;
}

/** Gemini CLI joins the names with an underscore, which names may also contain. Another field gives them separately. */
function readMcpName(payload: Payload): string | undefined {
  const { server_name: server, tool_name: tool } = readObject(payload, 'mcp_context') ?? {};
  return typeof server === 'string' && typeof tool === 'string' ? `mcp__${server}__${tool}` : undefined;
}

/** An input that is not an object becomes the tool's one argument: a guard must not see less than the tool gets. */
function readArguments({ tool_input: input }: Payload): string {
  if (input === undefined || input === null) return '{}';
  return JSON.stringify(isRecord(input) ? input : { input });
}
