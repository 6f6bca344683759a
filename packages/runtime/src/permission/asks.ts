import type { PausableClock } from '@spec/hooks';
import { isAborted, unlessAborted } from '../aborted.ts';
import type { PermissionAsk } from '../definitions/permission-ask.ts';
import type { EventOf } from '../events/thread-event.ts';
import type { ThreadView } from '../thread/core.ts';
import { mark } from '../thread/mark.ts';
import { notify } from '../writes/notifications.ts';

type Ask<A> = A extends unknown ? Omit<A, 'id' | 'threadId' | 'abortSignal'> : never;

/**
 * Why a person does not allow it; nothing where one does. An ask that nobody can answer is a deny. While the person
 * decides, the clocks of all hooks that wait for it stand still (design §4.2).
 *
 * @param ask as everybody may see it, who listens to the thread
 * @param seen as the person sees it: the call with the values that its tool gets
 * @throws {RunError} `aborted`
 */
export async function askPerson(
  view: ThreadView,
  ask: Ask<PermissionAsk>,
  seen: Ask<PermissionAsk> = ask,
): Promise<string | undefined> {
  const { events } = view.core;
  const { about } = ask;
  const askId = crypto.randomUUID();
  const call = ask.about === 'tool_call' ? { toolCallId: ask.toolCallId } : {};
  const began = performance.now();
  let allowed = false;
  events.ask(askedEvent(askId, ask));
  try {
    const refusal = await putToPerson(view, askId, seen);
    allowed = refusal === undefined;
    return refusal;
  } finally {
    events.answer({ type: 'permission_answered', askId, about, ...call, allowed });
    const subject = ask.about === 'tool_call' ? { call: ask.toolCallId } : {};
    mark(view, { kind: 'ask', ms: performance.now() - began, about, allowed, ...subject });
  }
}

function askedEvent(askId: string, { reason, ...ask }: Ask<PermissionAsk>): EventOf<'permission_asked'> {
  const why = reason === undefined ? {} : { reason };
  if (ask.about !== 'tool_call') return { type: 'permission_asked', askId, about: ask.about, ...why };
  const { toolCallId, tool, input } = ask;
  return {
    type: 'permission_asked',
    askId,
    about: 'tool_call',
    toolCallId,
    tool,
    input: JSON.stringify(input) ?? '',
    ...why,
  };
}

async function putToPerson(
  view: ThreadView,
  id: string,
  ask: Ask<PermissionAsk>,
): Promise<string | undefined> {
  const { onAsk } = view.core.runtime;
  if (onAsk === undefined)
    return because('It needs permission, and there is nobody to ask (onAsk is not set)', ask.reason);
  const { abortSignal } = view.execution;
  const question = { ...ask, id, threadId: view.threadId, abortSignal } as PermissionAsk;
  const resume = clocksAround(view).pauseClock();
  const notifying = notify(view, { kind: 'permission', message: describeAsk(ask) });
  notifying.catch(() => {});
  try {
    const answer = await unlessAborted(abortSignal, 'a person was asked', () => onAsk(question));
    await notifying;
    if (answer === true || (typeof answer === 'object' && answer?.allow === true)) return undefined;
    return because('Permission was refused', readReason(answer) ?? ask.reason);
  } catch (error) {
    if (isAborted(error)) throw error;
    return because('Asking for permission failed', ask.reason);
  } finally {
    resume();
  }
}

/** The clocks of the hooks that wait for what happens in a view, in the threads above it too. */
export function clocksAround({ permit, core }: ThreadView): PausableClock {
  return {
    pauseClock() {
      const resumes = [permit?.pauseClock(), core.session.caller?.clock.pauseClock()];
      return () => {
        for (const resume of resumes) resume?.();
      };
    },
  };
}

function describeAsk(ask: Ask<PermissionAsk>): string {
  const { reason, userMessage } = ask;
  return userMessage ?? because(describeSubject(ask), reason);
}

function describeSubject(ask: Ask<PermissionAsk>): string {
  if (ask.about === 'tool_call') return `The tool "${ask.tool}" needs permission`;
  if (ask.about === 'model_call') return `A call of the model "${ask.model}" needs permission`;
  return 'A message needs permission to be sent';
}

function readReason(answer: unknown): string | undefined {
  const reason = (answer as { reason?: unknown } | null | undefined)?.reason;
  return typeof reason === 'string' && reason !== '' ? reason : undefined;
}

function because(what: string, reason: string | undefined): string {
  return reason === undefined ? `${what}.` : `${what}: ${reason}`;
}
