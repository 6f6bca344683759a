import { resolve } from 'node:path';
import { listPaths } from '@spec/hooks';
import { readRegularFile } from '@spec/hooks/node';
import type { JsonObject, JsonValue } from 'type-fest';
import { isObject } from '../../json-object.ts';
import type { Occasion } from '../../normal-form.ts';
import { isOfKind, nameForCursor, readCommand, readMcpName } from './calls.ts';

/** What scripts tell Cursor by; this is not Cursor. */
export const CURSOR_VERSION = 'spec-hooks';

type Call = NonNullable<Occasion['tool']>;
type Extra = (call: Call, occasion: Occasion) => JsonObject;

const NO_CALL: Call = { id: '', name: '', input: {} };
const words = ({ result }: Occasion): string => result?.result ?? result?.error ?? '';
const duration = ({ toolMs }: Occasion): JsonObject => (toolMs === undefined ? {} : { duration: toolMs });
const anyTool: Extra = (call, { projectDir }) => ({
  tool_name: nameForCursor(call),
  tool_input: call.input,
  tool_use_id: call.id,
  cwd: projectDir,
});
const mcpTool: Extra = (call) => {
  const { server, tool } = readMcpName(call);
  return { tool_name: tool, tool_input: call.input, mcp_server_name: server };
};
const shell: Extra = (call, { projectDir }) => ({ command: readCommand(call) ?? '', cwd: projectDir });

/** The fields of each event besides the common ones. */
const extras: Readonly<Record<string, Extra>> = {
  preToolUse: anyTool,
  postToolUse: (call, occasion) => ({
    ...anyTool(call, occasion),
    tool_output: JSON.stringify(makeOutput(call, occasion)),
    ...duration(occasion),
  }),
  postToolUseFailure: (call, occasion) => ({
    ...anyTool(call, occasion),
    error_message: words(occasion),
    ...duration(occasion),
  }),
  beforeShellExecution: (call, occasion) => ({ ...shell(call, occasion), sandbox: false }),
  afterShellExecution: (call, occasion) => ({
    command: readCommand(call) ?? '',
    output: words(occasion),
    ...duration(occasion),
  }),
  beforeMCPExecution: mcpTool,
  afterMCPExecution: (call, occasion) => ({ ...mcpTool(call, occasion), result: words(occasion) }),
  beforeReadFile: ({ input }, { projectDir }) => {
    const [file = '', ...others] = listPaths(input);
    // Each of several could be the one that matters: a guard is told them all.
    const attachments = others.map((file_path) => ({ type: 'file', file_path }));
    return { file_path: file, content: readContent(file, projectDir), attachments };
  },
  afterFileEdit: ({ input }) => ({ file_path: listPaths(input)[0] ?? '', edits: listEdits(input) }),
  beforeSubmitPrompt: (_, { prompt = '' }) => ({ prompt, attachments: [] }),
  sessionStart: () => ({ is_background_agent: false }),
  stop: (_, { keptGoing = 0 }) => ({ status: 'completed', loop_count: keptGoing }),
  subagentStop: (_, { agentId, keptGoing = 0 }) => ({
    subagent_type: agentId,
    status: 'completed',
    loop_count: keptGoing,
  }),
  preCompact: (_, { compaction }) => ({
    trigger: compaction?.trigger ?? 'auto',
    message_count: compaction?.messageCount ?? 0,
    ...(compaction?.preTokens === undefined ? {} : { context_tokens: compaction.preTokens }),
  }),
};

function makeOutput(call: Call, occasion: Occasion): JsonValue {
  const output = words(occasion);
  if (isOfKind.shell(call)) return { output, exitCode: 0 };
  try {
    return JSON.parse(output) as JsonValue;
  } catch {
    return output;
  }
}

/** The most that a guard is given of a file. */
const MOST_BYTES = 1_048_576;

/** What cannot be read is empty, as it would be for the tool. */
function readContent(file: string, projectDir: string): string {
  try {
    return readRegularFile(resolve(projectDir, file), MOST_BYTES).toString('utf8');
  } catch {
    return '';
  }
}

function listEdits({ edits, old_string = '', new_string, content = '' }: JsonObject): JsonObject[] {
  if (Array.isArray(edits)) return edits.filter(isObject);
  return [{ old_string, new_string: new_string ?? content }];
}

/** Makes the JSON text for a hook's standard input. */
export function writeCursorPayload(eventName: string, occasion: Occasion): string {
  const { sessionId, threadId, executionId, projectDir, tool = NO_CALL } = occasion;
  return JSON.stringify({
    conversation_id: threadId,
    generation_id: executionId,
    model: '',
    session_id: sessionId,
    hook_event_name: eventName,
    cursor_version: CURSOR_VERSION,
    workspace_roots: [projectDir],
    user_email: null,
    transcript_path: null,
    ...extras[eventName]?.(tool, occasion),
  });
}
