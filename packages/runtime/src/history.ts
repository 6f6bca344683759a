import type { HookMessage, LLMMessage, Scope } from '@spec/hooks';
import { toLLMMessage, validExchanges } from './messages.ts';
import type { ThreadCore } from './thread-core.ts';
import type { ThreadView } from './thread-view.ts';

/** How many messages more are looked at to find the start of an exchange that the window would cut. */
const LOOK_BACK = 16;

/** What the model is to see of a thread: loaded, filtered, valid, in the model's form, and filtered again. */
export async function modelHistory(view: ThreadView): Promise<LLMMessage[]> {
  const { core } = view;
  const { executor } = core.runtime;
  const { scope } = core;
  const loaded = await loadHistory(core, scope);
  const filtered = await executor.run('filter_messages', scope, view, loaded);
  return executor.run('prefilter_llm_history', scope, view, validExchanges(filtered).map(toLLMMessage));
}

/**
 * The messages that `filter_messages` gets. Where the first hook of the chain says how many it reads, no more than
 * those are loaded (design §7.3): the newest ones, back to the start of the exchange they would cut, and the system
 * messages that open the thread. So a step does not cost more because the thread is long.
 */
async function loadHistory({ store, id }: ThreadCore, scope: Scope): Promise<HookMessage[]> {
  const last = (scope.filter_messages?.[0]?.hook as { reads?: { last: number } } | undefined)?.reads?.last;
  if (last === undefined) return store.listMessages(id);
  const window: HookMessage[] = await store.listMessages(id, { last });
  if (window.length < last) return window;
  while (window[0]?.role === 'tool') {
    const earlier = await store.listMessages(id, { last: LOOK_BACK, before: window[0].id });
    const start = earlier.findLastIndex(({ role }) => role !== 'tool');
    window.unshift(...earlier.slice(Math.max(0, start)));
    if (earlier.length === 0) break;
  }
  return [...(await openingSystemMessages(store, id, window)), ...window];
}

async function openingSystemMessages(
  store: ThreadCore['store'],
  id: string,
  window: readonly HookMessage[],
): Promise<HookMessage[]> {
  const inWindow = new Set(window.map((message) => message.id));
  for (let first = 4; ; first *= 4) {
    const opening = await store.listMessages(id, { first });
    const end = opening.findIndex((row) => row.role !== 'system' || inWindow.has(row.id));
    if (end >= 0) return opening.slice(0, end);
    if (opening.length < first) return opening;
  }
}
