import type { Promisable } from 'type-fest';
import type { NewMessage } from '../vocabulary/state.ts';

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
