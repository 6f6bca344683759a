import { type Agent, type Answer, type Output, writeJson } from '../agent.ts';
import { claudeWords, pickEvents, writeContext } from './claude-words.ts';
import { commandHonours, NO_ANSWER } from './honours.ts';

/** Copilot CLI and VS Code read one file, and understand events by the names of Claude Code. */
export const copilot: Agent = {
  name: 'copilot',
  title: 'GitHub Copilot',
  known: { version: '1.0.102', date: '2026-11-22', how: 'read' },
  files: {
    project: '.github/hooks/spec-hooks.json',
    user: '.copilot/hooks/spec-hooks.json',
    homeVariable: 'COPILOT_HOME',
    switches: {
      project: ['.github/copilot/settings.json', '.github/copilot/settings.local.json'],
      user: ['.copilot/settings.json'],
    },
  },
  fileVersion: 1,
  projectVariable: 'COPILOT_PROJECT_DIR',
  timeoutUnit: 'seconds',
  events: pickEvents(
    {
      PreToolUse: 'tool_call',
      PostToolUse: 'tool_result',
      UserPromptSubmit: 'prompt',
      Stop: 'stop',
      SubagentStop: 'stop',
      SessionStart: 'session_start',
      SubagentStart: 'subagent_start',
    },
    {
      ...claudeWords,
      tool_call: writeCall,
      tool_result: writeResult,
      prompt: writePrompt,
      session_start: writeBoth,
      subagent_start: writeBoth,
    },
  ),
  honours: commandHonours({
    before_user_message: {
      partly: 'VS Code refuses a prompt. Copilot CLI sends it as it was typed, whatever a hook says.',
    },
    before_tool_call: NO_ANSWER,
    before_permission_request: {
      partly: 'it runs where a hook asks. The agent asks its own questions without a word.',
    },
    after_tool_call_success: { partly: 'Copilot CLI takes another result; VS Code takes context alone.' },
    after_tool_call_failure: { no: 'VS Code does not tell of tools that failed.' },
    before_store_tool_result: {
      partly: 'Copilot CLI takes another result of a tool that succeeded. VS Code passes it on as it was.',
    },
    after_tool_batch: { no: 'the agent does not tell of batches.' },
    before_compaction: { no: 'the agent compacts whatever a hook says.' },
    after_session_ended: { no: 'VS Code does not tell when a session ends.' },
    after_notification: { no: 'VS Code has no such event.' },
  }),
  tools: { runTerminalCommand: 'Bash', editFiles: 'Edit' },
  limits: [
    'Read, not observed: the programs are closed, and nobody has run these hooks in them for this page. One file is for Copilot CLI and for VS Code, with the events that both have.',
    'Both run the entries of `.claude/settings.json`, too, and what is installed in both files is judged twice. Install Copilot where nobody has installed Claude Code, or take one of them out: `spec-hooks uninstall copilot`.',
    'VS Code has names of its own for tools, of which two are known here, and for their arguments. Match everything and look into the arguments, or try your guard first.',
    'A hook that the agent itself ends for its time passes in Copilot CLI. Ours end before that.',
    'The file of a person is read by Copilot CLI alone.',
    "GitHub's agent in the cloud runs the file of a project. Where spec-hooks is not installed there, everything that is guarded is denied.",
  ],
  afterInstall:
    'Start a new session in a folder that you trust. With -p, Copilot CLI runs hooks of a project in a folder that was trusted before alone.',
};

/** Copilot CLI reads the fields by themselves, and VS Code inside of an object. */
function writeBoth(answer: Answer, event: string): Output {
  const { stdout, ...rest } = writeContext(answer, event);
  return stdout === '' ? { stdout, ...rest } : writeTwice(stdout);
}

function writeCall(answer: Answer, event: string): Output {
  const { stdout } = claudeWords.tool_call(answer, event);
  if (stdout === '') return writeJson({});
  return writeTwice(stdout, answer.decision === 'deny' ? {} : { modifiedArgs: answer.input });
}

function writeTwice(stdout: string, more: Readonly<Record<string, unknown>> = {}): Output {
  const content = JSON.parse(stdout) as { readonly hookSpecificOutput?: Readonly<Record<string, unknown>> };
  const { hookEventName: _, updatedInput: __, ...fields } = content.hookSpecificOutput ?? {};
  return writeJson({ ...content, ...fields, ...more });
}

function writeResult(answer: Answer, event: string): Output {
  const { result, resultStatus = 'success' } = answer;
  const { stdout } = writeBoth(answer, event);
  const content = stdout === '' ? {} : (JSON.parse(stdout) as Readonly<Record<string, unknown>>);
  const modified = result === undefined ? undefined : { resultType: resultStatus, textResultForLlm: result };
  return writeJson({ ...content, modifiedResult: modified });
}

function writePrompt(answer: Answer, event: string): Output {
  const { decision, reason, userMessage } = answer;
  if (decision !== 'deny') return writeBoth(answer, event);
  const why = userMessage ?? reason;
  return writeJson({ continue: false, stopReason: why, decision: 'block', reason: why });
}
