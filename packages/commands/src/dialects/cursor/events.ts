import type { LifecycleName } from '@spec/hooks';
import type { Occasion } from '../../normal-form.ts';
import type { BlockableEvent } from '../nested/blocked.ts';
import { type CallKind, nameForCursor, readCommand } from './calls.ts';

/** One event that the lifecycle has a hook for. */
export interface CursorEvent extends BlockableEvent {
  readonly hook: LifecycleName;
  readonly alsoAt?: LifecycleName;
  readonly only?: 'main' | 'subagent';
  readonly isTool?: true;
  /** The calls that it is for. Default: all. */
  readonly kind?: CallKind;
  /** What a matcher is tested on. If absent, matchers do not count. */
  readonly tested?: (occasion: Occasion) => readonly string[];
  /** It is tested on the command line, and not on a name. */
  readonly testsLine?: true;
  /** It asks for a permission: an answer that cannot be read blocks. */
  readonly isStrict?: true;
  readonly rewrite?: 'replace';
  /** What counts of an answer. */
  readonly takes?: readonly ('context' | 'output' | 'followup')[];
}

const toolNames = ({ tool }: Occasion): readonly string[] =>
  tool === undefined ? [] : [...new Set([tool.name, nameForCursor(tool)])];
const commandLine = ({ tool }: Occasion): readonly string[] => [(tool && readCommand(tool)) ?? ''];

const success = 'after_tool_call_success';
const failure = 'after_tool_call_failure';

const asks = {
  hook: 'before_tool_call',
  isTool: true,
  blocking: 'deny',
  decidesBy: 'permissionDecision',
  isStrict: true,
} as const;
const told = { hook: success, isTool: true, blocking: 'none' } as const;

/** The supported events, by name. */
export const cursorEvents: Readonly<Record<string, CursorEvent>> = {
  preToolUse: { ...asks, tested: toolNames, rewrite: 'replace' },
  postToolUse: { ...told, tested: toolNames, takes: ['context', 'output'] },
  postToolUseFailure: { ...told, hook: failure, tested: toolNames, takes: ['context'] },
  beforeShellExecution: { ...asks, kind: 'shell', tested: commandLine, testsLine: true },
  afterShellExecution: { ...told, alsoAt: failure, kind: 'shell', tested: commandLine, testsLine: true },
  beforeMCPExecution: { ...asks, kind: 'mcp' },
  afterMCPExecution: { ...told, alsoAt: failure, kind: 'mcp', takes: ['context', 'output'] },
  beforeReadFile: { ...asks, kind: 'read' },
  afterFileEdit: { ...told, kind: 'edit' },
  beforeSubmitPrompt: {
    hook: 'before_user_message',
    only: 'main',
    tested: () => ['UserPromptSubmit'],
    blocking: 'deny',
    takes: ['context'],
  },
  sessionStart: { hook: 'after_session_started', only: 'main', blocking: 'none', takes: ['context'] },
  sessionEnd: { hook: 'after_session_ended', only: 'main', blocking: 'none' },
  stop: { hook: 'before_stop', only: 'main', blocking: 'none', takes: ['followup'] },
  subagentStop: {
    hook: 'before_stop',
    only: 'subagent',
    tested: ({ agentId }) => [agentId],
    blocking: 'none',
    takes: ['followup'],
  },
  preCompact: { hook: 'before_compaction', blocking: 'none' },
};

/** The others, and what their hooks would have done. */
export const cursorUnsupported: Readonly<Record<string, string>> = {
  subagentStart:
    'it would have run before a subagent starts, and could have refused it: use preToolUse with the name of its tool',
  beforeTabFileRead:
    "it would have run before the editor's completion reads a file, and could have refused that",
  afterTabFileEdit: "it would have run after the editor's completion changed a file",
  afterAgentResponse: 'it would have been told what the model answered: stop runs at the end of a turn',
  afterAgentThought: 'it would have been told what the model thought',
  workspaceOpen: 'it would have run when a workspace is opened',
};
