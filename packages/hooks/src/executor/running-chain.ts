import type { AnyHook } from '../define/define.ts';
import type { AnyRow } from '../lifecycle/row.ts';
import type { ThreadState } from '../vocabulary/state.ts';
import type { ChainArguments } from './arguments.ts';
import type { ExecutorSettings } from './chain-start.ts';

/** A chain of which a hook is running, as those see it who take the hook's answer and record the run. */
export interface RunningChain {
  readonly row: AnyRow;
  readonly settings: ExecutorSettings;
  readonly state: ThreadState;
  readonly args: ChainArguments;
  /** The running hook. */
  readonly hook: AnyHook;
  /** How long it took to answer. */
  readonly ms: number;
  /** How long it has had, without what a person took. */
  readonly elapsedMs: number;
}
