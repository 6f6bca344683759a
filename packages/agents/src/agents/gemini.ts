import type { HookToolResult } from '@spec/hooks';
import {
  type Agent,
  type Answer,
  type Output,
  type Payload,
  readObject,
  readText,
  toText,
  writeJson,
} from '../agent.ts';
import { denyFor, NO_ASK, pickEvents, writeNothing } from './claude-words.ts';
import { commandHonours, NO_ASK_HERE } from './honours.ts';

export const gemini: Agent = {
  name: 'gemini',
  title: 'Gemini CLI',
  known: { version: '0.61.0', date: '2026-11-22', how: 'observed' },
  files: { project: '.gemini/settings.json', user: '.gemini/settings.json' },
  projectVariable: 'GEMINI_PROJECT_DIR',
  timeoutUnit: 'milliseconds',
  events: pickEvents(
    {
      BeforeTool: 'tool_call',
      AfterTool: 'tool_result',
      BeforeAgent: 'prompt',
      AfterAgent: 'stop',
      PreCompress: 'compaction',
      SessionStart: 'session_start',
      SessionEnd: { moment: 'session_end', write: writeNothing, seconds: 5 },
      Notification: 'notification',
    },
    {
      tool_call: writeCall,
      permission: writeNothing,
      tool_result: writeResult,
      tool_failure: writeResult,
      tool_batch: writeNothing,
      prompt: writePrompt,
      stop: ({ decision, reason, userMessage }) =>
        writeJson(decision === 'deny' ? { decision, reason, systemMessage: userMessage } : {}),
      compaction: writeNothing,
      session_start: writeContext,
      subagent_start: writeNothing,
      session_end: writeNothing,
      notification: writeNothing,
    },
  ),
  honours: commandHonours({
    before_tool_call: {
      stricter: `${NO_ASK_HERE}; so is a result that a hook gives in place of the tool. An allow answers no question of the agent, and contexts are not passed on.`,
    },
    before_permission_request: {
      partly: 'it runs where a hook asks. The agent tells of its own questions, and takes no answer.',
    },
    after_tool_call_success: 'whole',
    after_tool_call_failure: 'whole',
    before_store_tool_result: {
      partly: 'a changed result reaches the model as an error. The transcript keeps the first.',
    },
    after_tool_batch: { no: 'the agent does not tell of batches.' },
    before_compaction: { no: 'the agent compacts whatever a hook says.' },
    after_session_ended: 'whole',
    after_notification: { partly: 'the agent tells of questions about tools alone.' },
  }),
  tools: {
    run_shell_command: 'Bash',
    read_file: 'Read',
    write_file: 'Write',
    replace: 'Edit',
    glob: 'Glob',
    grep_search: 'Grep',
    list_directory: 'LS',
    web_fetch: 'WebFetch',
    google_web_search: 'WebSearch',
    write_todos: 'TodoWrite',
    ask_user: 'AskUserQuestion',
    invoke_agent: 'Agent',
  },
  limits: [
    'In a folder that is not trusted Gemini CLI runs no hooks of settings files, those of the user included.',
    'Subagents have no events of their own.',
  ],
  afterInstall: 'Start a new session. Gemini CLI runs hooks of a project in a trusted folder alone.',
  readResult: readGeminiResult,
};

/** Gemini CLI and its relative keep apart what the model gets and what a person sees. */
export function readGeminiResult(payload: Payload): HookToolResult {
  const { error, llmContent } = readObject(payload, 'tool_response') ?? { llmContent: payload.tool_response };
  if (error !== undefined && error !== null) return { status: 'error', error: describeError(error) };
  return { status: 'success', result: toText(llmContent) };
}

function describeError(error: unknown): string {
  if (typeof error !== 'object' || error === null) return toText(error);
  return readText(error as Payload, 'message') ?? toText(error);
}

function writeCall(answer: Answer): Output {
  const { decision, reason, input, userMessage } = answer;
  // In headless mode an ask would wait for ever.
  if (decision === 'ask') return writeCall(denyFor(NO_ASK, answer));
  if (decision === 'deny') return writeJson({ decision, reason, systemMessage: userMessage });
  const specific = input === undefined ? undefined : { hookEventName: 'BeforeTool', tool_input: input };
  return writeJson({ systemMessage: userMessage, hookSpecificOutput: specific });
}

function writeContext({ context, userMessage }: Answer, event: string): Output {
  const specific = context === undefined ? undefined : { hookEventName: event, additionalContext: context };
  return writeJson({ systemMessage: userMessage, hookSpecificOutput: specific });
}

function writeResult(answer: Answer, event: string): Output {
  const { result, userMessage } = answer;
  if (result === undefined) return writeContext(answer, event);
  return writeJson({
    decision: 'deny',
    reason: result === '' ? '(empty)' : result,
    systemMessage: userMessage,
  });
}

function writePrompt(answer: Answer, event: string): Output {
  const { decision, reason, userMessage } = answer;
  if (decision !== 'deny') return writeContext(answer, event);
  return writeJson({ decision, reason: userMessage ?? reason });
}
