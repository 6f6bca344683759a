import type { LifecycleName } from '@spec/hooks';
import type { Occasion } from '../../normal-form.ts';
import type { BlockableEvent } from '../nested/blocked.ts';

/** One event of the format that the lifecycle has a hook for. */
export interface ClaudeEvent extends BlockableEvent {
  readonly hook: LifecycleName;
  /** A second hook in which it runs, where the program does not tell calls that fail from others. */
  readonly alsoAt?: LifecycleName;
  readonly only?: 'main' | 'subagent';
  readonly isTool?: true;
  /** What a matcher is tested on. If absent, the format ignores matchers on this event. */
  readonly tested?: ((occasion: Occasion) => string) | undefined;
  /** Exit code 2 is a failure like any other. */
  readonly ignoresExit2?: true | undefined;
  /** Text on standard output that is not JSON is context. */
  readonly textIsContext?: true;
  /** With `onFailure` a failure counts as exit code 2: what the event is about is refused. */
  readonly refusesFailures?: true;
  /** Text on standard output that is not JSON is an answer that cannot be read. */
  readonly needsJson?: true;
  /** `continue: false` refuses what the event is about, and does not end the turn. */
  readonly continueDenies?: true;
  /** A command that cannot be started refuses what the event is about. */
  readonly refusesLaunchErrors?: true;
  /** `continue: false` ends the turn; of programs that read answers in a way of their own. */
  readonly canEnd?: true;
  /** An answer speaks of the request to a model: `llm_request`, `llm_response`, `toolConfig`. */
  readonly answersModel?: true;
  /** A context is framed for the model; of the same programs. */
  readonly framesContext?: true;
  /** The answer of a tool may be text, also where its failures refuse. */
  readonly takesText?: true;
  /** What happens to the fields that a rewritten input does not name. Default: they are gone, where the event decides. */
  readonly rewrite?: 'merge' | 'none';
  /** What the event does not take from an answer, and why. */
  readonly uncounted?: Readonly<Partial<Record<'input' | 'context' | 'output', string>>>;
}

const toolName = ({ tool }: Occasion): string => tool?.name ?? '';
const agentType = ({ agentId }: Occasion): string => agentId;

/** How a session began, in the format's words. */
export function sessionSource({ reason }: Occasion): string {
  return reason === 'created' ? 'startup' : 'resume';
}

/** The lifecycle knows only one way for a session to end. */
export const SESSION_END = 'other';

const NOTIFICATIONS: Readonly<Record<string, string>> = {
  permission: 'permission_prompt',
  waiting: 'idle_prompt',
};

/** The type of a notification in the format's words. Types without such a word keep the runtime's. */
export function notificationType({ notification }: Occasion): string {
  const kind = notification?.kind ?? '';
  return Object.hasOwn(NOTIFICATIONS, kind) ? (NOTIFICATIONS[kind] as string) : kind;
}

const trigger = ({ compaction }: Occasion): string => compaction?.trigger ?? 'auto';

/** The supported events, by name. */
export const claudeEvents: Readonly<Record<string, ClaudeEvent>> = {
  PreToolUse: {
    hook: 'before_tool_call',
    isTool: true,
    tested: toolName,
    blocking: 'deny',
    decidesBy: 'permissionDecision',
    refusesFailures: true,
  },
  PostToolUse: { hook: 'after_tool_call_success', isTool: true, tested: toolName, blocking: 'feedback' },
  PostToolUseFailure: {
    hook: 'after_tool_call_failure',
    isTool: true,
    tested: toolName,
    blocking: 'feedback',
  },
  PermissionRequest: {
    hook: 'before_permission_request',
    isTool: true,
    tested: toolName,
    blocking: 'deny',
    decidesBy: 'behavior',
    ignoresExit2: true,
    refusesFailures: true,
  },
  PostToolBatch: { hook: 'after_tool_batch', blocking: 'end-turn' },
  UserPromptSubmit: {
    hook: 'before_user_message',
    only: 'main',
    blocking: 'deny',
    textIsContext: true,
    refusesFailures: true,
  },
  SessionStart: {
    hook: 'after_session_started',
    only: 'main',
    tested: sessionSource,
    blocking: 'tell',
    textIsContext: true,
  },
  SessionEnd: { hook: 'after_session_ended', only: 'main', tested: () => SESSION_END, blocking: 'tell' },
  SubagentStart: { hook: 'after_session_started', only: 'subagent', tested: agentType, blocking: 'tell' },
  Stop: { hook: 'before_stop', only: 'main', blocking: 'keep-going' },
  SubagentStop: { hook: 'before_stop', only: 'subagent', tested: agentType, blocking: 'keep-going' },
  PreCompact: {
    hook: 'before_compaction',
    tested: trigger,
    blocking: 'deny',
    refusesFailures: true,
    takesText: true,
  },
  Notification: { hook: 'after_notification', tested: notificationType, blocking: 'tell' },
};

/** Events of another program: those of these names, changed where it has them otherwise. */
export function changeEvents(
  names: readonly string[],
  changes: Readonly<Record<string, Partial<ClaudeEvent>>>,
): Readonly<Record<string, ClaudeEvent>> {
  return Object.fromEntries(
    names.map((name) => [name, { ...(claudeEvents[name] as ClaudeEvent), ...changes[name] }]),
  );
}

/** The unsupported events, and what their hooks would have done. */
export const unsupportedEvents: Readonly<Record<string, string>> = {
  UserPromptExpansion: 'it would have run when a slash command is expanded into a prompt',
  StopFailure:
    'it would have run when a turn ends because of an error of the model (Notification tells of such)',
  PostCompact: 'it would have run after a compaction (PreCompact runs before one)',
  PreModelSwitch: 'it would have run before the session changes to another model',
  PostModelSwitch: 'it would have run after the session changed to another model',
  PermissionDenied: 'it would have run after a tool call was denied by the classifier of the mode "auto"',
  Setup: 'it would have run once when a project is set up (SessionStart runs at each start)',
  TeammateIdle: 'it would have run when a teammate is about to go idle',
  TaskCreated: 'it would have run when a task is created, and could have refused it',
  TaskCompleted: 'it would have run when a task is completed, and could have refused that',
  Elicitation: 'it would have answered a question that an MCP server asks the person',
  ElicitationResult: "it would have seen the person's answer to an MCP server's question",
  ConfigChange: 'it would have run when a settings file changes, and could have refused the change',
  WorktreeCreate: 'it would have created a worktree in place of git',
  WorktreeRemove: 'it would have removed a worktree in place of git',
  InstructionsLoaded: 'it would have run when a file of instructions is loaded',
  CwdChanged: 'it would have run when the working folder changes',
  FileChanged: 'it would have run when a watched file changes on disk',
  DirectoryAdded: 'it would have run when a folder is added to the session',
  MessageDisplay: 'it would have run before a message is shown',
};
