import { type HookToolCall, isRecord } from '@spec/hooks';
import { type Agent, type Payload, readObject, readText } from './agent.ts';

/** Reads the call that an event is about, with the tool called as Claude Code calls it. `undefined`: the payload tells of none. */
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

/** Gemini CLI joins the names with one underscore each, which names may have too, and tells them apart beside it. */
function readMcpName(payload: Payload): string | undefined {
  const { server_name: server, tool_name: tool } = readObject(payload, 'mcp_context') ?? {};
  return typeof server === 'string' && typeof tool === 'string' ? `mcp__${server}__${tool}` : undefined;
}

/** What is no object is the one argument of its tool: no guard may see less than the tool gets. */
function readArguments({ tool_input: input }: Payload): string {
  if (input === undefined || input === null) return '{}';
  return JSON.stringify(isRecord(input) ? input : { input });
}
