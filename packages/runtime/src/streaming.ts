import type { Scope } from '@spec/hooks';

/** Whether the text of answers leaves while the model writes, and if not, because of whom. */
export interface Streaming {
  readonly streams: boolean;
  /** Whether the runtime was told to let text out that a hook could still change (`stream: 'raw'`). */
  readonly raw: boolean;
  /** The ids of the hooks that text waits for, in the order in which they run. */
  readonly heldBackBy: readonly string[];
}

/** Text leaves while the model writes only where no hook in scope could still change it (design §7.1). */
export function streamingOf({ before_create_message: chain = [] }: Scope, raw: boolean): Streaming {
  if (raw) return { streams: true, raw, heldBackBy: [] };
  const heldBackBy = chain
    .filter(({ hook }) => mayChangeContent(hook.changes as readonly string[] | undefined))
    .map(({ hook }) => hook.id);
  return { streams: heldBackBy.length === 0, raw, heldBackBy };
}

function mayChangeContent(changes: readonly string[] | undefined): boolean {
  return changes === undefined || changes.includes('content');
}
