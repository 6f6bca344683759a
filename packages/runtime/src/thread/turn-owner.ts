import type { NewMessage, RunError, Scope } from '@spec/hooks';
import type { Engine } from '../engine/engine.ts';
import type { TurnEnding, TurnResult } from '../engine/turn-result.ts';
import type { Store, ThreadRecord } from '../stores/store.ts';
import type { Flow } from './flow.ts';
import type { ThreadLease } from './lease.ts';

/** The thread that the turns are of. */
export interface TurnOwner {
  readonly id: string;
  readonly record: ThreadRecord;
  readonly store: Store;
  readonly lease: ThreadLease;
  /** The hooks that apply now. */
  readonly scope: Scope;
  readonly isOpen: boolean;
  closedError(): RunError;
  readonly engine: Engine;
  readonly runtime: { readonly leaseMs: number };
  /** Runs a turn on a person's message. */
  begin(flow: Flow, input: NewMessage): Promise<TurnResult>;
  /** Announces how a turn ended, if its start was announced but not its end. */
  tellEnd(flow: Flow, end: TurnEnding): Promise<void>;
  /** A turn is over. */
  rest(): void;
}
