import { listPaths } from '@spec/hooks';
import type { JsonValue } from 'type-fest';
import type { Occasion } from '../../normal-form.ts';

type Call = NonNullable<Occasion['tool']>;

/** What a call is for Cursor, which has events of their own for some. */
export type CallKind = 'shell' | 'mcp' | 'read' | 'edit';

/** Cursor's names of tools, for the names that other agents have. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  Shell: ['Bash', 'PowerShell', 'bash', 'shell', 'run_shell_command', 'exec_command'],
  Read: ['read_file', 'read_many_files', 'view', 'NotebookRead'],
  Write: ['Edit', 'MultiEdit', 'NotebookEdit', 'write_file', 'edit', 'replace', 'create', 'apply_patch'],
  Grep: ['grep_search', 'grep', 'rg'],
  Delete: ['delete_file'],
  Task: ['Agent', 'agent', 'task', 'spawn_agent'],
};

const MCP = /^(?:mcp__?(.+?)__?|MCP:)(.+)$/;

const isNamed = (name: string, known: string): boolean =>
  name === known || NAMES[known]?.includes(name) === true;

/**
 * Whether a call is of a kind. Who guards commands must see them all: a call of any tool with a `command` is one, and a tool
 * that is called so and is given a path reads or writes it.
 */
export const isOfKind: Readonly<Record<CallKind, (call: Call) => boolean>> = {
  shell: (call) => isNamed(call.name, 'Shell') || readCommand(call) !== undefined,
  mcp: ({ name }) => MCP.test(name),
  read: ({ name, input }) =>
    isNamed(name, 'Read') || (/read|view|open|load|cat/i.test(name) && listPaths(input).length > 0),
  edit: ({ name, input }) =>
    isNamed(name, 'Write') || (/writ|edit|replac|patch|creat/i.test(name) && listPaths(input).length > 0),
};

/** The command line of a call. Nobody knows which field the tool runs, or how it reads a list: a guard is told all of it, each on a line. */
export function readCommand({ input: { command, cmd } }: Call): string | undefined {
  const lines = [command, cmd].map(makeLine).filter((line) => line !== undefined);
  return lines.length === 0 ? undefined : lines.filter((line) => line !== '').join('\n');
}

function makeLine(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return undefined;
  const isWords = Array.isArray(value) && value.every((word) => typeof word === 'string');
  return isWords ? value.join(' ') : JSON.stringify(value);
}

/** The server and the tool of a call of MCP. */
export function readMcpName({ name }: Call): { readonly server: string; readonly tool: string } {
  const [, server = '', tool = name] = MCP.exec(name) ?? [];
  return { server, tool };
}

/** What Cursor would call the tool. */
export function nameForCursor(call: Call): string {
  if (isOfKind.mcp(call)) return `MCP:${readMcpName(call).tool}`;
  return Object.keys(NAMES).find((known) => isNamed(call.name, known)) ?? call.name;
}
