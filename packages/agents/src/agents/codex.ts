import { isAbsolute, resolve } from 'node:path';
import { parseArguments } from '@spec/hooks';
import { type Agent, type Answer, type Output, writeJson } from '../agent.ts';
import {
  claudeWords,
  denyFor,
  NO_ASK,
  NO_REWRITE,
  pickEvents,
  writeContext,
  writeNothing,
  writePermission,
  writePrompt,
  writeStop,
  writeToolCall,
} from './claude-words.ts';
import { commandHonours, NO_ASK_HERE } from './honours.ts';
import { listPatched } from './patch.ts';

export const codex: Agent = {
  name: 'codex',
  title: 'Codex',
  known: { version: '0.169.0', date: '2026-11-22', how: 'observed' },
  files: {
    project: '.codex/hooks.json',
    user: '.codex/hooks.json',
    homeVariable: 'CODEX_HOME',
    switches: { project: ['.codex/config.toml'], user: ['.codex/config.toml'] },
  },
  timeoutUnit: 'seconds',
  windowsKey: 'commandWindows',
  events: pickEvents(
    {
      PreToolUse: 'tool_call',
      PermissionRequest: 'permission',
      PostToolUse: 'tool_result',
      UserPromptSubmit: 'prompt',
      Stop: 'stop',
      SubagentStop: 'stop',
      PreCompact: 'compaction',
      SessionStart: 'session_start',
      SubagentStart: 'subagent_start',
      SessionEnd: { moment: 'session_end', write: writeNothing, seconds: 1 },
    },
    {
      ...claudeWords,
      tool_call: writeCodexCall,
      permission: writeCodexPermission,
      tool_result: writeCodexResult,
      prompt: (answer, event) => writePrompt(tellModel(answer), event),
      stop: (answer) => writeStop(tellModel(answer)),
      compaction: ({ decision, reason }) =>
        writeJson(decision === 'deny' ? { continue: false, stopReason: reason } : {}),
      session_start: (answer, event) => writeContext(tellModel(answer), event),
      subagent_start: (answer, event) => writeContext(tellModel(answer), event),
    },
  ),
  honours: commandHonours({
    before_tool_call: { stricter: `${NO_ASK_HERE}; so is a result that a hook gives in place of the tool.` },
    before_permission_request: { stricter: 'arguments that a hook changes there are a deny.' },
    after_tool_call_success: {
      partly: 'it runs for failures too: the agent does not tell which calls failed.',
    },
    after_tool_call_failure: {
      no: 'the agent does not tell which calls failed: use after_tool_call_success.',
    },
    before_store_tool_result: {
      partly: 'a changed result reaches the model as feedback of a hook. The transcript keeps the first.',
    },
    after_tool_batch: { no: 'the agent does not tell of batches.' },
    before_compaction: { partly: 'it can refuse; the agent does not say how many messages there are.' },
    after_session_ended: { partly: 'the agent waits one second, and tells of the main thread alone.' },
    after_notification: { no: 'the agent has no such event.' },
  }),
  tools: { spawn_agent: 'Agent' },
  limits: [
    'Hosted tools, such as web search, have no hook.',
    'What is typed into a shell that already runs (`write_stdin`) has no hook: a guard that allows an interactive shell allows all that is typed into it.',
    'A patch is judged as `apply_patch`, and as a `Write` or `Edit` of each file that it touches. So is a patch in a shell command. One of more than 500 files is denied.',
  ],
  afterInstall:
    'Open Codex in the project, trust the project, and review the hooks with /hooks. Until then Codex skips them without a word.',
  listInnerCalls(call, folder) {
    const given = parseArguments(call) ?? {};
    const { workdir } = given;
    const from =
      typeof workdir !== 'string' ? folder : isAbsolute(workdir) ? workdir : resolve(folder, workdir);
    return listTexts(given).flatMap((text) =>
      listEntered(text, from).flatMap((one) => listPatched(call, text, one)),
    );
  },
};

/** The fields in which its tools have, or had, a command or a patch: a text, or a program with its arguments. */
const TEXTS = ['command', 'cmd', 'input', 'patch'];

function listTexts(given: Readonly<Record<string, unknown>>): readonly string[] {
  return TEXTS.flatMap((name) => given[name]).filter((text) => typeof text === 'string');
}

/** The folder of a command, and the one that `cd DIR && apply_patch` enters: Codex takes the paths of that patch from there. */
function listEntered(command: string, from: string): readonly string[] {
  const [, double, single, plain] = ENTERS.exec(command) ?? [];
  const entered = double ?? single ?? plain;
  return entered === undefined ? [from] : [from, resolve(from, entered)];
}

const ENTERS = /^\s*cd\s+(?:"([^"]*)"|'([^']*)'|([^\s;&|]+))/;

/** A key that Codex does not know makes the answer void, and the call goes on. So the model gets what is for the person. */
function tellModel({ userMessage, ...answer }: Answer): Answer {
  return answer.reason === undefined && userMessage !== undefined
    ? { ...answer, reason: userMessage }
    : answer;
}

/** Here `ask` and `allow` alone are void: an ask becomes a deny, and an allow becomes no objection. */
function writeCodexCall(given: Answer, event: string): Output {
  const { decision, input, context, ...rest } = tellModel(given);
  if (decision === 'ask') return writeCodexCall(denyFor(NO_ASK, rest), event);
  if (decision === 'deny') return writeToolCall({ decision, ...rest }, event);
  if (input === undefined) return writeContext(context === undefined ? {} : { context }, event);
  return writeToolCall({ decision: 'allow', input, ...(context === undefined ? {} : { context }) }, event);
}

function writeCodexPermission(given: Answer, event: string): Output {
  const { input, ...answer } = tellModel(given);
  if (input !== undefined && answer.decision !== 'deny')
    return writePermission(denyFor(NO_REWRITE, answer), event);
  return writePermission(answer, event);
}

function writeCodexResult({ context, result }: Answer, event: string): Output {
  if (result === undefined) return writeContext(context === undefined ? {} : { context }, event);
  const specific = context === undefined ? undefined : { hookEventName: event, additionalContext: context };
  // A block without a reason is void, and the model would get the original result.
  return writeJson({
    decision: 'block',
    reason: result === '' ? '(empty)' : result,
    hookSpecificOutput: specific,
  });
}
