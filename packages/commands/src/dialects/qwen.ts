import type { HookToolResult } from '@spec/hooks';
import type { JsonObject } from 'type-fest';
import type { Dialect, HandlerAnswer, Occasion } from '../normal-form.ts';
import { changeEvents, claudeEvents, unsupportedEvents } from './claude/events.ts';
import { createVariant } from './claude/index.ts';
import type { ClaudeVariant } from './claude/variant.ts';

/** The names that a tool has: of the program, as a person is shown it, and of Claude Code. */
const TOOLS: readonly (readonly string[])[] = [
  ['run_shell_command', 'Shell', 'Bash'],
  ['read_file', 'ReadFile', 'Read'],
  ['write_file', 'WriteFile', 'Write'],
  ['edit', 'Edit'],
  ['glob', 'Glob'],
  ['grep_search', 'Grep'],
  ['list_directory', 'ListFiles', 'LS'],
  ['web_fetch', 'WebFetch'],
  ['web_search', 'WebSearch'],
  ['todo_write', 'TodoWrite'],
  ['agent', 'Agent', 'Task'],
];

const NOT_READ = 'Qwen Code does not read it there';

/** The events of Claude Code, with what it does otherwise. */
const events = changeEvents(Object.keys(claudeEvents), {
  PreToolUse: {
    rewrite: 'none',
    uncounted: { input: `updatedInput: ${NOT_READ}`, context: `additionalContext: ${NOT_READ}` },
  },
  PostToolUse: { uncounted: { output: `updatedToolOutput: ${NOT_READ}` } },
});

/** Its modes for those of the runtime. */
const MODES: Readonly<Record<string, string>> = { bypassPermissions: 'yolo', dontAsk: 'default' };

/** Qwen Code 0.24.4, as it was observed. */
export const qwenVariant: ClaudeVariant = {
  name: 'qwen',
  events,
  unsupported: {
    ...pick(unsupportedEvents, 'UserPromptExpansion StopFailure PostCompact PermissionDenied'),
    ...pick(unsupportedEvents, 'InstructionsLoaded MessageDisplay'),
    SessionDelete: 'it would have run when a session is deleted',
    TodoCreated: 'it would have run when an item is added to the list of things to do',
    TodoCompleted: 'it would have run when an item of the list of things to do is done',
  },
  types: ['command', 'http', 'prompt'],
  keys: ['name', 'env', 'async', 'once', 'statusMessage', 'sequential'],
  timeouts: { seconds: { command: 60, http: 600, prompt: 30 }, millisecondsFrom: 1_000 },
  searchesNames: true,
  list: { isList: /^[\w\- |]*$/, isName: /^[\w -]+$/, separator: '|' },
  listNames: (name) => TOOLS.find((names) => names.includes(name)) ?? [name],
  decisions: ['approve', 'allow', 'ask', 'deny', 'block'],
  pickOutput,
  blocksWithWords: true,
  writePayload,
  fillsVariables: true,
  given: {
    names: ['QWEN_PROJECT_DIR', 'GEMINI_PROJECT_DIR', 'CLAUDE_PROJECT_DIR'],
    instead: 'The input of a hook is JSON on its standard input: read it with jq -r .tool_input.command.',
  },
};

/** The dialect of Qwen Code's settings files: Claude Code's form, and answers read as its own engine reads them. */
export const qwen: Dialect = createVariant(qwenVariant);

function pick(from: Readonly<Record<string, string>>, names: string): Record<string, string> {
  return Object.fromEntries(names.split(' ').map((name) => [name, from[name] as string]));
}

const utf8 = new TextDecoder();

/** With exit code 2 standard error is the answer. Otherwise it is where standard output is empty and it holds JSON. */
function pickOutput(given: HandlerAnswer): HandlerAnswer {
  const { exitCode, stdout, stderr, cut, ...rest } = given;
  const isEmpty = cut === undefined && utf8.decode(stdout).trim() === '';
  const isOther = exitCode === 2 || isEmpty;
  if (!isOther) return given;
  const isJson = utf8.decode(stderr).trim().startsWith('{');
  return { ...rest, exitCode, stdout: isJson ? stderr : new Uint8Array(), stderr };
}

/** Its own fields, and the forms that it gives results. */
function writePayload(payload: JsonObject, { timestamp, tool, result, batch }: Occasion): JsonObject {
  const mode = payload.permission_mode as string;
  return {
    ...payload,
    timestamp,
    permission_mode: Object.hasOwn(MODES, mode) ? (MODES[mode] as string) : mode,
    ...(tool === undefined ? {} : { tool_call_id: tool.id }),
    ...('tool_response' in payload ? { tool_response: makeResponse(result) } : {}),
    ...(batch === undefined ? {} : { tool_calls: batch.map(makeCall) }),
  };
}

function makeResponse(result: HookToolResult | undefined): JsonObject {
  return { llmContent: result?.result ?? result?.error ?? '', returnDisplay: '' };
}

function makeCall({ tool, result }: NonNullable<Occasion['batch']>[number]): JsonObject {
  const { id, name, input } = tool;
  const output = result.result ?? result.error ?? '';
  const part = { functionResponse: { id, name, response: { output } } };
  return {
    tool_name: name,
    tool_input: input,
    tool_use_id: id,
    tool_call_id: id,
    status: result.status,
    tool_response: {
      response_parts: [part],
      result_display: '',
      execution_status: result.status,
      content_length: output.length,
    },
  };
}
