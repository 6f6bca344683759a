import { type HookToolCall, isRecord, PATH_FIELDS } from '@spec/hooks';
import { type AgentProfile, type Payload, readObject, readText } from './agent.ts';

/**
 * Reads the call that an event is about. Its tool gets the name that Claude Code uses. `undefined`: the payload has no call.
 *
 * @param folder where relative paths start, which become absolute then. Default: where the globs of matchers do
 */
export function readCall(
  { tools, fields = {} }: Pick<AgentProfile, 'tools' | 'fields'>,
  payload: Payload,
  folder?: string,
): HookToolCall | undefined {
  const name = readText(payload, 'tool_name');
  if (name === undefined || name === '') return undefined;
  const id = readText(payload, 'tool_use_id') ?? readText(payload, 'tool_call_id') ?? 'call';
  const tool = readMcpName(payload) ?? findOwn(tools, name) ?? name;
  const only = tool === 'Bash' ? 'command' : 'input';
  const given = readArguments(payload, { fields: findOwn(fields, name), only, folder });
  return { id, type: 'function', function: { name: tool, arguments: given } };
}

function findOwn<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** Gemini CLI joins the names with an underscore, which names may also contain. Another field gives them separately. */
function readMcpName(payload: Payload): string | undefined {
  const { server_name: server, tool_name: tool } = readObject(payload, 'mcp_context') ?? {};
  return typeof server === 'string' && typeof tool === 'string' ? `mcp__${server}__${tool}` : undefined;
}

type Fields = Readonly<Record<string, string>>;

interface Reading {
  /** The agent's own names for arguments. */
  readonly fields: Fields | undefined;
  /** What an input is called that is no object. */
  readonly only: 'command' | 'input';
  readonly folder: string | undefined;
}

/** An input that is not an object becomes the tool's one argument: a guard must not see less than the tool gets. */
function readArguments({ tool_input: input }: Payload, { fields, only, folder }: Reading): string {
  if (input === undefined || input === null) return '{}';
  if (!isRecord(input)) return JSON.stringify({ [only]: input });
  const renamed = fields === undefined ? input : renameFields(input, fields);
  return JSON.stringify(folder === undefined ? renamed : makeAbsolute(renamed, folder));
}

/** Makes the relative paths in a call's input absolute. */
function makeAbsolute(value: unknown, folder: string, isPath = false): unknown {
  if (typeof value === 'string') return isPath && isRelative(value) ? `${folder}/${value}` : value;
  if (Array.isArray(value)) return value.map((one) => makeAbsolute(one, folder, isPath));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([name, inside]): [string, unknown] => [
    name,
    makeAbsolute(inside, folder, isPath || PATH_FIELDS.includes(name)),
  ]);
  return Object.fromEntries(entries);
}

/** A path from a root or a home folder, a variable and an address stand for themselves. */
function isRelative(path: string): boolean {
  return path !== '' && !/^(?:[/\\~$]|[a-z][a-z\d+.-]*:)/i.test(path);
}

/** New arguments of a call under the names that the agent has for them. */
export function restoreFields(
  { fields = {} }: Pick<AgentProfile, 'fields'>,
  payload: Payload,
  input: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const own = findOwn(fields, readText(payload, 'tool_name') ?? '');
  if (own === undefined) return input;
  return renameFields(input, invert(own));
}

/** What has the new name already takes the old one: a guard must see what the tool reads, whatever stands beside it. */
function renameFields(input: Readonly<Record<string, unknown>>, fields: Fields): Record<string, unknown> {
  const back = invert(fields);
  const entries = Object.entries(input).map(([name, value]): [string, unknown] => {
    const old = findOwn(back, name);
    const swapped = old !== undefined && Object.hasOwn(input, old) ? old : name;
    return [findOwn(fields, name) ?? swapped, value];
  });
  return Object.fromEntries(entries);
}

function invert(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).map(([from, to]) => [to, from]));
}
