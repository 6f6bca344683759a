import type { HookToolResult } from '@spec/hooks';
import { type Agent, type Answer, type Output, type Payload, readText, toText, writeJson } from '../agent.ts';
import { denyFor, NO_ASK, NO_REWRITE, pickEvents, writeNothing } from './claude-words.ts';
import { commandHonours, NO_ASK_HERE } from './honours.ts';

export const cursor: Agent = {
  name: 'cursor',
  title: 'Cursor',
  known: { version: '2026.09.18', date: '2026-11-22', how: 'read' },
  files: { project: '.cursor/hooks.json', user: '.cursor/hooks.json' },
  fileVersion: 1,
  projectVariable: 'CURSOR_PROJECT_DIR',
  timeoutUnit: 'seconds',
  guardKeys: { failClosed: true },
  silence: '{}',
  events: pickEvents(
    {
      preToolUse: { moment: 'tool_call', write: writeCall, keys: { matcher: '^(?!Read$)' } },
      beforeReadFile: 'tool_call',
      postToolUse: 'tool_result',
      postToolUseFailure: 'tool_failure',
      beforeSubmitPrompt: 'prompt',
      stop: { moment: 'stop', write: writeStop, keys: { loop_limit: 8 } },
      sessionStart: 'session_start',
      sessionEnd: 'session_end',
    },
    {
      tool_call: writeCall,
      permission: writeNothing,
      tool_result: writeContext,
      tool_failure: writeContext,
      tool_batch: writeNothing,
      prompt: ({ decision, reason, userMessage }) =>
        writeJson(decision === 'deny' ? { continue: false, user_message: userMessage ?? reason } : {}),
      stop: writeStop,
      compaction: writeNothing,
      session_start: writeContext,
      subagent_start: writeNothing,
      session_end: writeNothing,
      notification: writeNothing,
    },
  ),
  honours: commandHonours({
    before_user_message: {
      stricter:
        'the agent sends a prompt as it was typed, so a rewrite is a deny. Contexts are not passed on.',
    },
    before_tool_call: {
      stricter: `${NO_ASK_HERE}; so are arguments that a hook changes, and a result in place of the tool. Contexts are not passed on.`,
    },
    before_permission_request: {
      partly: 'it runs where a hook asks. The agent asks its own questions without a word.',
    },
    after_tool_call_success: { partly: 'it can add context, and not change the result.' },
    after_tool_call_failure: { partly: 'it can add context, and not change the failure.' },
    before_store_tool_result: {
      no: 'the agent passes results of its own tools on as they are, and in which form it takes those of MCP servers was not found.',
    },
    after_tool_batch: { no: 'the agent does not tell of batches.' },
    before_stop: { partly: 'the agent goes on with a new message, and asks nobody with -p.' },
    before_compaction: { no: 'the agent compacts whatever a hook says.' },
    after_session_started: { partly: 'the agent tells of new chats alone.' },
    after_session_ended: { partly: 'agents in the cloud do not tell of it.' },
    after_notification: { no: 'the agent has no such event.' },
  }),
  tools: { Shell: 'Bash', Task: 'Agent' },
  limits: [
    'Read, not observed: the program is closed, and nobody has run these hooks in it for this page.',
    'Cursor runs the entries of `.claude/settings.json`, too. Where its own are installed, those of Claude Code stay silent in it, so that nothing is judged twice.',
    'A tool of an MCP server is called `MCP:tool`, without its server.',
    'How its Write tool calls the path was not found in the documentation: match the tool, and look for the path in all of its arguments.',
    'With -p, prompts and the end of a turn are not told. Agents in the cloud run no hooks in their first turns.',
  ],
  afterInstall: 'Cursor watches its file. Hooks of a project run in a trusted workspace alone.',
  findCall: findReadFile,
  readResult: readOutput,
};

/** A file that is read is told by an event of its own, and is a call like any other. */
function findReadFile(payload: Payload): Payload {
  if (payload.tool_name !== undefined || payload.hook_event_name !== 'beforeReadFile') return payload;
  const { file_path: path, generation_id: id } = payload;
  return { ...payload, tool_name: 'Read', tool_use_id: id, tool_input: { file_path: path } };
}

/** JSON in a text; what the shell has printed is a field of it. */
function readOutput(payload: Payload): HookToolResult {
  const text = readText(payload, 'tool_output') ?? toText(payload.tool_output);
  try {
    const { output } = JSON.parse(text) as { readonly output?: unknown };
    return { status: 'success', result: typeof output === 'string' ? output : text };
  } catch {
    return { status: 'success', result: text };
  }
}

function writeCall(answer: Answer): Output {
  const { decision, reason, input, userMessage } = answer;
  if (decision === 'ask') return writeCall(denyFor(NO_ASK, answer));
  if (decision !== 'deny' && input !== undefined) return writeCall(denyFor(NO_REWRITE, answer));
  if (decision !== 'deny') return writeJson({});
  return writeJson({ permission: 'deny', user_message: userMessage ?? reason, agent_message: reason });
}

function writeContext({ context }: Answer): Output {
  return writeJson({ additional_context: context });
}

function writeStop({ decision, reason }: Answer): Output {
  return writeJson(decision === 'deny' ? { followup_message: reason } : {});
}
