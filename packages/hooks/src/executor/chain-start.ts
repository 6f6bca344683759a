import type { ChainMember, Scope } from '../define/scope.ts';
import type { AnyRow } from '../lifecycle/row.ts';
import type { MatchEnvironment } from '../match/matcher.ts';
import type { LifecycleName } from '../vocabulary/lifecycle.ts';
import type { RunDetails, RunRecord } from '../vocabulary/record.ts';
import type { ThreadState } from '../vocabulary/state.ts';
import type { Aborts } from './aborts.ts';
import type { Clock } from './clock.ts';
import type { Deadlines } from './deadlines.ts';
import type { HookPermit, LateWrite } from './permit.ts';
import type { RestoredCalls } from './restored-calls.ts';

/** An executor's options with their defaults, and what its chains share. */
export interface ExecutorSettings {
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  readonly aborts: Aborts;
  readonly environment: MatchEnvironment | undefined;
  readonly view: (state: ThreadState, permit: HookPermit) => ThreadState;
  readonly onRun: ((record: RunRecord, details: RunDetails<ThreadState>) => void) | undefined;
  readonly onLateWrite: ((late: LateWrite) => void) | undefined;
  readonly admit: ((state: ThreadState) => Promise<void> | undefined) | undefined;
  readonly checkInput: CheckInput | undefined;
}

/** Whether an input that a decide hook rewrote fits; the reason why not, naming fields and rules, never values. */
export type CheckInput<State = ThreadState> = (
  hook: LifecycleName,
  subject: unknown,
  state: State,
) => Promise<string | undefined> | string | undefined;

export interface ChainStart {
  readonly settings: ExecutorSettings;
  readonly hook: LifecycleName;
  readonly row: AnyRow;
  readonly members: readonly ChainMember[];
  /** All hooks of the thread. */
  readonly scope?: Scope;
  readonly state: ThreadState;
  /** The argument before the subject, if the hook has one. */
  readonly context: unknown;
  readonly subject: unknown;
  /** Tool calls with the values that their tools will get, if hooks decide on such. */
  readonly restored?: RestoredCalls;
}

/** What the chain's promise waits for, and how the chain continues after its running hook is ended from outside. */
export interface ChainEnd {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly walkOn: () => void;
}
