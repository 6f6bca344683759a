import type { HookToolCall } from '../vocabulary/messages.ts';
import type { ThreadState } from '../vocabulary/state.ts';

// Some places show a person a call as the model gave it, and bring the approval in a later turn. What hooks had made of the call by then, which is
// what the approval is for, is kept with the thread meanwhile.

interface AskedCall {
  /** The arguments as the model gave them, as JSON. */
  readonly given: string;
  /** What hooks had made of them. */
  readonly made: string;
}

const nameKey = (id: string): string => `asked_call/${id}`;

type Thread = Pick<ThreadState, 'getValue' | 'setValue'>;

/** A person is asked about a call. Asked about again, the call stays what it was the first time: that is what they may have approved. */
export async function noteAsked(thread: Thread, requested: HookToolCall, asked: HookToolCall): Promise<void> {
  const [given, made] = [requested, asked].map((call) => call.function.arguments) as [string, string];
  if (given === made || (await read(thread, requested)) !== undefined) return;
  const call: AskedCall = { given, made };
  await thread.setValue(nameKey(requested.id), call);
}

/** A person has approved a call. @returns the arguments that it may run with, as JSON: as the model gave them where hooks had not changed them */
export async function takeApproved(thread: Thread, requested: HookToolCall): Promise<string> {
  const asked = await read(thread, requested);
  if (asked === undefined) return requested.function.arguments;
  await thread.setValue(nameKey(requested.id), undefined);
  return asked.made;
}

async function read(thread: Thread, requested: HookToolCall): Promise<AskedCall | undefined> {
  const kept = (await thread.getValue(nameKey(requested.id))) as AskedCall | undefined;
  return kept?.given === requested.function.arguments ? kept : undefined;
}
