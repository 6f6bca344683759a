import type { Strategy } from '@spec/commands';
import {
  type LifecycleName,
  lifecycleRow,
  type MatchEnvironment,
  parseArguments,
  type ThreadState,
  type ToolCallView,
} from '@spec/hooks';
import type { FailureEffect } from '../project/known-hooks.ts';

/** What every hook is held against. */
export interface Occasion {
  readonly hook: LifecycleName;
  readonly state: ThreadState;
  readonly args: readonly unknown[];
  /** How matchers see the paths of the project. */
  readonly environment: MatchEnvironment;
  /** The ids that the agent names; absent: nobody asked about one. */
  readonly named?: readonly string[] | undefined;
}

/** What is certain of a hook's say. */
export interface Opinion {
  readonly decision: 'allow' | 'deny' | 'ask' | null;
  readonly reason: string | null;
}

/** Whether a hook would run, which clause decides, and what it has to say. */
export interface Outlook {
  /** `null`: only running it would tell. */
  readonly runs: boolean | null;
  readonly why: string;
  /** `open`: only running it would tell. */
  readonly opinion: Opinion | 'open';
  /** What the failure does that is certain, where it is another than the hook's usual one. */
  readonly onError?: FailureEffect;
  /** How its settings file runs the entries of the event; absent for other hooks. */
  readonly strategy?: Strategy;
  /** The same for all entries of which only the first runs; of others nothing. */
  readonly twinKey?: string;
}

/** It has no say. */
export const silent: Opinion = { decision: null, reason: null };

export function no(why: string): Outlook {
  return { runs: false, why, opinion: silent };
}

export function maybe(why: string): Outlook {
  return { runs: null, why, opinion: 'open' };
}

/** The tool call that matchers are held against. */
export function findToolCall(hook: LifecycleName, args: readonly unknown[]): ToolCallView | undefined {
  const call = lifecycleRow(hook).toolCall?.(args);
  return call && { name: call.function.name, input: parseArguments(call) ?? {} };
}
