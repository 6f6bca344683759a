import type { Promisable } from 'type-fest';
import type { HookToolCall } from '../vocabulary/messages.ts';
import type { NewMessage, ThreadState } from '../vocabulary/state.ts';

/** A question for a person: whether a tool call may run, a message may be sent, or a model may be called. */
export type HostAsk = {
  readonly threadId: string;
  /** Why a hook asks. */
  readonly reason?: string | undefined;
  /** What a hook has for the person to read. */
  readonly userMessage?: string | undefined;
  /** Aborted with the turn: nobody waits for the answer any more. */
  readonly abortSignal: AbortSignal;
} & (
  | {
      readonly about: 'tool_call';
      readonly toolCallId: string;
      readonly tool: string;
      /** The arguments that the tool would get. */
      readonly input: Readonly<Record<string, unknown>> | undefined;
    }
  | { readonly about: 'user_message'; readonly message: NewMessage }
  | { readonly about: 'model_call'; readonly model: string }
);

/** What a person answers; anything else than `true` and `allow: true` refuses. */
export type HostAnswer = boolean | { readonly allow: boolean; readonly reason?: string };

/** Asks a person. */
export type AskPerson = (ask: HostAsk) => Promisable<HostAnswer>;

/** Why a person does not allow something; nothing where one does. A question that nobody can answer is refused. */
export async function askPerson(onAsk: AskPerson | undefined, ask: HostAsk): Promise<string | undefined> {
  if (onAsk === undefined)
    return because('It needs permission, and there is nobody to ask (onAsk is not set)', ask.reason);
  try {
    const answer = await onAsk(ask);
    if (answer === true || (typeof answer === 'object' && answer?.allow === true)) return undefined;
    return because('Permission was refused', readReason(answer) ?? ask.reason);
  } catch {
    return because('Asking for permission failed', ask.reason);
  }
}

function readReason(answer: unknown): string | undefined {
  const reason = (answer as { reason?: unknown } | null | undefined)?.reason;
  return typeof reason === 'string' && reason !== '' ? reason : undefined;
}

function because(what: string, reason: string | undefined): string {
  return reason === undefined ? `${what}.` : `${what}: ${reason}`;
}

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
