import type { ChainMember, HookMessage } from '@spec/hooks';
import type { ThreadView } from '../thread/core.ts';
import { safeCuts } from './cut.ts';

/** How many of the newest messages a hook reads, where it says so (design §7.3). */
export function findWindowSize(member: ChainMember | undefined): number | undefined {
  return (member?.hook as { reads?: { last: number } } | undefined)?.reads?.last;
}

/**
 * Sends what is to be summarised through the `filter_messages` hooks of a thread.
 *
 * F1 A hook that says how many messages it `reads` is shown all of them, so many at a time, no exchange cut: a window keeps what
 *    it would leave out of a step, and whatever else the hook does to messages is done to each of them.
 * F2 What such a hook adds is taken once, with the newest messages.
 *
 * @throws {RunError} as blocking hooks do
 */
export async function filterInWindows(
  view: ThreadView,
  messages: readonly HookMessage[],
): Promise<HookMessage[]> {
  let filtered = [...messages];
  for (const member of view.core.scope.filter_messages ?? []) {
    const size = findWindowSize(member);
    const windows = size === undefined ? [filtered] : splitIntoWindows(filtered, size);
    filtered = await runInWindows(view, member, windows);
  }
  return filtered;
}

async function runInWindows(
  view: ThreadView,
  member: ChainMember,
  windows: readonly HookMessage[][],
): Promise<HookMessage[]> {
  const { executor } = view.core.runtime;
  const scope = { filter_messages: [member] };
  const filtered: HookMessage[] = [];
  for (const [at, window] of windows.entries()) {
    const given = new Set(window.map(({ id }) => id));
    const kept = await executor.run('filter_messages', scope, view, window);
    filtered.push(...(at === windows.length - 1 ? kept : kept.filter(({ id }) => given.has(id))));
  }
  return filtered;
}

/** Parts of at most `size` messages, and no exchange in two of them: one that is longer is a part of its own. */
function splitIntoWindows(messages: readonly HookMessage[], size: number): HookMessage[][] {
  const windows: HookMessage[][] = [];
  let start = 0;
  let end = 0;
  for (const cut of safeCuts(messages)) {
    if (cut - start > size && end > start) {
      windows.push(messages.slice(start, end));
      start = end;
    }
    end = cut;
  }
  windows.push(messages.slice(start));
  return windows;
}
