import type { FamilyEvent } from '../events/hub.ts';
import { makeSignal, type Signal } from '../events/signals.ts';
import type { ThreadCore } from '../thread/core.ts';
import type { Flow } from '../thread/flow.ts';

/** Tells other processes what happens in a turn here, and hears from them that it is to stop. @returns what ends it */
export function tellOthers(core: ThreadCore, flow: Flow): () => void {
  const { signals, owner: from } = core.runtime;
  if (signals === undefined) return () => {};
  const forget = core.events.on(
    (event: FamilyEvent) => {
      const signal = makeSignal(event);
      if (signal !== undefined) signals.publish(core.id, { ...signal, from });
    },
    { children: true },
  );
  const hear = (signal: Signal): void => {
    if (signal.type === 'stop' && signal.turnId === flow.turnId) flow.abort();
  };
  const unsubscribe = signals.subscribe(core.id, hear, () => {});
  return () => {
    forget();
    unsubscribe();
  };
}

/** Has the listeners of a thread hear what happens in turns that run elsewhere, from now on. */
export function hearOthers(core: ThreadCore): void {
  const { signals, owner } = core.runtime;
  if (signals === undefined) return;
  core.events.whileOpen(() => {
    let last: Promise<void> = Promise.resolve(); // Messages are read: the rest waits for them.
    const hear = (signal: Signal & { readonly from: string }): void => {
      if (signal.from !== owner && signal.type !== 'stop')
        last = last.then(() => deliver(core, signal)).catch(() => {});
    };
    const tellGap = (): void => core.events.hear({ type: 'events_dropped', count: 1, threadId: core.id });
    return signals.subscribe(core.id, hear, tellGap);
  });
}

async function deliver(
  core: ThreadCore,
  { from: _, ...signal }: Signal & { readonly from: string },
): Promise<void> {
  if (signal.type === 'stop' || isKnown(core, signal)) return;
  if (!('messageId' in signal) || !isOfMessage(signal)) return core.events.hear(signal as FamilyEvent);
  const message = await core.store.getMessage(signal.threadId, signal.messageId);
  if (message !== null) core.events.hear({ type: signal.type, message, threadId: signal.threadId });
}

function isOfMessage(signal: Signal): signal is Extract<Signal, { type: 'message' | 'message_updated' }> {
  return signal.type === 'message' || signal.type === 'message_updated';
}

/** The start and the end of a turn that this process has sent are told once; another attempt at it starts again. */
function isKnown({ id, turns }: ThreadCore, signal: Signal): boolean {
  if (signal.type !== 'turn_started' && signal.type !== 'turn_ended') return false;
  const heard = signal.threadId === id ? turns.away.find(signal.turnId)?.heard : undefined;
  if (heard === undefined) return false;
  const { startElsewhere = false, end } = heard;
  if (signal.type === 'turn_started') {
    heard.startElsewhere = true;
    return !startElsewhere;
  }
  heard.end = true;
  return end;
}
