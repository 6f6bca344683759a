import type { HookPermit } from '../executor/permit.ts';
import type { HookMessage } from '../vocabulary/messages.ts';
import type { NewMessage, ThreadState } from '../vocabulary/state.ts';
import type { ApplyUpdates, InsertMessage, MessageUpdates } from './thread-port.ts';
import { completeMessage } from './thread-recorder.ts';
import type { TurnChains } from './turn-chains.ts';

interface Writing {
  /** Of the hook that writes. One that has ended by now has lost its right to. */
  readonly permit?: HookPermit | undefined;
}

/** Sends a message through its chains. */
export async function storeMessage<Stored extends object>(
  chains: TurnChains,
  state: ThreadState,
  {
    message,
    insert,
    permit,
  }: Writing & { readonly message: NewMessage; readonly insert: InsertMessage<Stored> },
): Promise<Stored> {
  const checked = await chains.passNewMessage(state, message);
  permit?.assertOpen('injectMessage');
  const { recorder } = chains;
  const row = checked as unknown as NewMessage;
  const stored = await insert(recorder === undefined ? row : { ...completeMessage(row) });
  const kept = await recorder?.keep(stored as unknown as HookMessage);
  if (kept?.isKnown === true) return stored;
  await chains.runOn(state, 'after_create_message', { ...(stored as object), ...kept?.message });
  return stored;
}

/** Sends changes of a stored message through their chains. */
export async function updateMessage(
  chains: TurnChains,
  state: ThreadState,
  { id, updates, apply, permit }: Writing & MessageUpdates & { readonly apply: ApplyUpdates },
): Promise<HookMessage> {
  const checked = await chains.runOn(state, 'before_update_message', id, { ...updates });
  permit?.assertOpen('updateMessage');
  const stored = await apply(id, checked);
  await chains.runOn(state, 'after_update_message', stored);
  return stored;
}
