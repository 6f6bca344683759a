import type { JSONSchema7 } from '@ai-sdk/provider';
import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import {
  checkOptionNames,
  DefinitionError,
  type Duration,
  describeWrongDuration,
  durationInMs,
  type OptionNames,
} from '@spec/hooks';
import { type AnyTool, defineTool } from '../definitions/tool.ts';
import { McpConnection } from './connection.ts';
import { type McpTransportOptions, openMcpTransport } from './open-transport.ts';
import { toolNames } from './tool-names.ts';
import { toHookResult } from './tool-result.ts';

/** A tool as its server tells of it. What a server tells is its own claim. */
export type McpTool = Pick<Tool, 'name' | 'title' | 'description' | 'annotations'>;

export type McpServerOptions = McpTransportOptions & {
  /** Names the server in tool names and errors: letters, digits and hyphens, single underscores between them; up to 32. */
  readonly name: string;
  /** The server's own names of the tools to take. Default: all. */
  readonly tools?: readonly string[];
  /** Stands before the tools' names. Default `mcp__<name>__`, which no two servers share. */
  readonly prefix?: string;
  /** Whether calls need permission; a function decides by tool. Default: `allow`. */
  readonly permission?: 'allow' | 'ask' | ((tool: McpTool) => 'allow' | 'ask');
  /** What becomes of a call that had started when the process died; a function decides by tool. Default: `fail`. */
  readonly onInterrupted?: 'retry' | 'fail' | ((tool: McpTool) => 'retry' | 'fail');
  /** How long the start and each call may take. Default 60 s. */
  readonly timeout?: Duration;
  /** Called when the server tells that its tools have changed. The tools that were taken stay as they were. */
  readonly onToolsChanged?: () => void;
};

/** The tools of an MCP server, for `createRuntime` and prompts. */
export interface McpServer {
  readonly name: string;
  readonly tools: readonly AnyTool[];
  /** The names of `tools`, for `definePrompt`. */
  readonly toolNames: readonly string[];
  /** The server's names of tools that it lists more than once: the first of each name is taken. A process warning tells of them, too. */
  readonly repeated: readonly string[];
  /** What the server tells about its use, for a prompt. Text of the server's own. */
  readonly instructions: string | undefined;
  /** Ends the server; later calls are answered with an error. Idempotent. */
  close(): Promise<void>;
}

/**
 * Connects to an MCP server and takes its tools. They are tools like all others: hooks, policies, permission and
 * the ledger apply to them. A server that ends is started again for the next call.
 *
 * @throws {DefinitionError} `bad_option` for a bad name, prefix or timeout; `bad_definition` for a permission or an `onInterrupted` that is none; `unknown_id` where the server has no tool of a name in `tools`
 * @throws {RunError} `tool_failed` where the server does not start, or does not answer in time
 */
export async function mcpServer(options: McpServerOptions): Promise<McpServer> {
  const { name, timeout = DEFAULT_TIMEOUT, prefix = `mcp__${name}__`, onToolsChanged } = options;
  checkOptionNames('mcpServer', options, optionNames);
  checkOptions({ name, prefix, timeout });
  const connection = new McpConnection({
    name,
    transport: () => openMcpTransport(options, durationInMs(timeout) as number),
    timeoutMs: durationInMs(timeout) as number,
    onToolsChanged: () => onToolsChanged?.(),
  });
  try {
    const { tools: listed, repeated } = pickFirstOfEachName(await connection.listTools());
    if (repeated.length > 0) warnOfRepeated(name, repeated.length);
    const offered = selected(options, listed);
    const names = await toolNames(
      prefix,
      offered.map((tool) => tool.name),
    );
    const tools = offered.map((tool, at) => toTool(connection, options, { tool, name: names[at] as string }));
    const instructions = await connection.instructions();
    const close = (): Promise<void> => connection.close();
    return { name, tools, toolNames: names, repeated, instructions, close };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

const DEFAULT_TIMEOUT = '60s';

const optionNames: OptionNames<McpServerOptions> = {
  name: true,
  tools: true,
  prefix: true,
  permission: true,
  onInterrupted: true,
  timeout: true,
  onToolsChanged: true,
  command: true,
  args: true,
  env: true,
  cwd: true,
  onStderr: true,
  url: true,
  sse: true,
  headers: true,
};

const NAME = /^(?=.{1,32}$)[a-zA-Z0-9-]+(?:_[a-zA-Z0-9-]+)*$/;
const PREFIX = /^[a-zA-Z0-9_-]{0,48}$/;

function checkOptions({ name, prefix, timeout }: { name: unknown; prefix: unknown; timeout: unknown }): void {
  if (typeof name !== 'string' || !NAME.test(name))
    throw bad(name, 'a name has 1 to 32 letters, digits and hyphens, with single underscores between them');
  if (typeof prefix !== 'string' || !PREFIX.test(prefix))
    throw bad(name, 'a prefix has up to 48 letters, digits, underscores and hyphens');
  if (durationInMs(timeout) === undefined) throw bad(name, describeWrongDuration('timeout', timeout));
}

function bad(name: unknown, rule: string): DefinitionError {
  return new DefinitionError(
    'bad_option',
    `The MCP server "${String(name)}": ${rule}${/[.?]$/.test(rule) ? '' : '.'}`,
  );
}

/** One bad tool takes no other along. */
function pickFirstOfEachName(listed: readonly Tool[]): { tools: Tool[]; repeated: string[] } {
  const tools = new Map<string, Tool>();
  const repeated = new Set<string>();
  for (const tool of listed) {
    if (tools.has(tool.name)) repeated.add(tool.name);
    else tools.set(tool.name, tool);
  }
  return { tools: [...tools.values()], repeated: [...repeated] };
}

/** The names are the server's own text, and stay out of it. */
function warnOfRepeated(server: string, count: number): void {
  const text = `The MCP server "${server}" lists ${count} of its tool names more than once; the first tool of each name is taken. They are in \`repeated\`.`;
  process.emitWarning(text, { type: 'McpServerWarning', code: 'MCP_REPEATED_TOOL' });
}

/** The tools to take, in the server's order. Those that only run as a task of their own cannot be called. */
function selected({ name, tools: wanted }: McpServerOptions, offered: readonly Tool[]): Tool[] {
  const callable = offered.filter(({ execution }) => execution?.taskSupport !== 'required');
  if (wanted === undefined) return callable;
  const names = callable.map((tool) => tool.name);
  const missing = wanted.find((tool) => !names.includes(tool));
  if (missing === undefined) return callable.filter((tool) => wanted.includes(tool.name));
  throw new DefinitionError(
    'unknown_id',
    `The MCP server "${name}" has no tool "${missing}" that can be called. It has: ${names.join(', ') || 'none'}.`,
  );
}

/** A function that gives nothing has not decided: that is refused like any other value that is none. */
function decideFor<Choice extends string>(tool: Tool, given: Choice | ((tool: McpTool) => Choice)): Choice {
  return typeof given === 'function' ? (given(tool) ?? (null as never)) : given;
}

function toTool(
  connection: McpConnection,
  { permission = 'allow', onInterrupted = 'fail' }: McpServerOptions,
  { tool, name }: { tool: Tool; name: string },
): AnyTool {
  const { description, inputSchema } = tool;
  return defineTool({
    name,
    ...(description === undefined ? {} : { description }),
    parameters: inputSchema as JSONSchema7,
    permission: decideFor(tool, permission),
    onInterrupted: decideFor(tool, onInterrupted),
    execute: async (input: Record<string, unknown>, { abortSignal: signal }) =>
      toHookResult(await connection.call({ name: tool.name, input, signal })),
  });
}
