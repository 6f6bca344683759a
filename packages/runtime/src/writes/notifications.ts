import type { NotificationInfo } from '@spec/hooks';
import type { TurnStatus } from '../events/thread-event.ts';
import type { ThreadView } from '../thread/core.ts';
import { flushRuns } from './commit.ts';

/**
 * Tells a person something, through the thread's events and `after_notification`. The runtime's own kinds are:
 *
 * - `permission`: an ask waits for the person's answer.
 * - `notice`: a hook's decision has a `userMessage`.
 * - `failed`: a turn ended with an error.
 * - `waiting`: a turn has ended and no other waits, so the person can go on. Not sent for child threads.
 *
 * @throws {RunError} `aborted`
 */
export async function notify(view: ThreadView, notification: NotificationInfo): Promise<void> {
  const { runtime, scope, events } = view.core;
  events.emit({ type: 'notification', notification });
  if (scope.after_notification !== undefined)
    await runtime.executor.run('after_notification', scope, view, notification);
}

/** Notifies the person of how a turn ended. The end of a child's turn goes to its parent. */
export async function notifyEnd(view: ThreadView, { status, code }: TurnEnd): Promise<void> {
  const { core } = view;
  const notification = describeEnd(status, code);
  if (notification === undefined || core.record.depth > 0 || core.turns.othersWait) return;
  await notify(view.afterAbort(), notification).catch(() => {}); // What the turn came to stands.
  await flushRuns(core)?.catch(() => {}); // They wait for the next commit.
}

export interface TurnEnd {
  readonly status: TurnStatus;
  /** Of the error that ended it. */
  readonly code?: string;
}

function describeEnd(status: TurnEnd['status'], code: string | undefined): NotificationInfo | undefined {
  if (status === 'failed') return { kind: 'failed', message: `The turn ended with an error: ${code}.` };
  if (status === 'aborted' || status === 'denied') return undefined;
  return { kind: 'waiting', message: 'The turn has ended: you may go on.' };
}
