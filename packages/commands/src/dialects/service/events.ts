import type { LifecycleName } from '@spec/hooks';
import type { CommandEntry, Effect, Strategy } from '../../normal-form.ts';
import {
  opinionOnCall,
  opinionOnCompaction,
  opinionOnPrompt,
  opinionOnStop,
  type ReadOpinion,
} from './opinion.ts';

/** One of the 11 events (§12e.2). */
export interface ServiceEvent {
  readonly hook: LifecycleName;
  readonly only?: 'main' | 'subagent';
  readonly isTool?: true;
  /** How its hooks run (§12e.6). */
  readonly strategy: Strategy;
  /** `failureBehavior` and `timeoutBehavior` count: the event guards something. */
  readonly isGate?: true;
  /** The effect of a failure if the file does not set one. Default: it blocks. */
  readonly silentEffect?: Effect;
  /** What happens to the fields that a rewritten input does not name. Default: nothing can be rewritten. */
  readonly rewrite?: CommandEntry['rewrite'];
  /** Reads the decision of an answer in JSON. Default: it decides nothing. */
  readonly opinion?: ReadOpinion;
  /** What exit code 2 does. */
  readonly onExit2: 'block' | 'continue';
  /** Text on standard output is context. */
  readonly outputIsContext?: true;
}

export const serviceEvents: Readonly<Record<string, ServiceEvent>> = {
  PreToolUse: {
    hook: 'before_tool_call',
    isTool: true,
    strategy: 'serial',
    isGate: true,
    rewrite: 'merge',
    opinion: opinionOnCall,
    onExit2: 'block',
  },
  PostToolUse: {
    hook: 'after_tool_call_success',
    isTool: true,
    strategy: 'parallel',
    onExit2: 'continue',
    outputIsContext: true,
  },
  PostToolUseFailure: {
    hook: 'after_tool_call_failure',
    isTool: true,
    strategy: 'parallel',
    onExit2: 'continue',
  },
  PermissionRequest: {
    hook: 'before_permission_request',
    isTool: true,
    strategy: 'first-decision',
    isGate: true,
    opinion: opinionOnCall,
    onExit2: 'block',
  },
  UserPromptSubmit: {
    hook: 'before_user_message',
    only: 'main',
    strategy: 'parallel',
    isGate: true,
    silentEffect: 'continue', // Its hooks add context.
    opinion: opinionOnPrompt,
    onExit2: 'block',
    outputIsContext: true,
  },
  SessionStart: { hook: 'after_session_started', only: 'main', strategy: 'parallel', onExit2: 'continue' },
  SessionEnd: { hook: 'after_session_ended', only: 'main', strategy: 'parallel', onExit2: 'continue' },
  Stop: {
    hook: 'before_stop',
    only: 'main',
    strategy: 'first-decision',
    opinion: opinionOnStop,
    onExit2: 'continue',
  },
  SubagentStop: {
    hook: 'before_stop',
    only: 'subagent',
    strategy: 'first-decision',
    opinion: opinionOnStop,
    onExit2: 'continue',
  },
  Notification: { hook: 'after_notification', strategy: 'parallel', onExit2: 'continue' },
  Compaction: {
    hook: 'before_compaction',
    strategy: 'serial',
    opinion: opinionOnCompaction,
    onExit2: 'block',
  },
};

/** The effect of a hook's failure if the file does not set one. */
export function silentEffectOn(event: LifecycleName): Effect {
  return Object.values(serviceEvents).find(({ hook }) => hook === event)?.silentEffect ?? 'block';
}
