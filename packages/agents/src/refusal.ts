import type { LifecycleName } from '@spec/hooks';
import type { Host } from '@spec/hooks/host';
import type { Answer, Moment } from './agent.ts';

/** An event without what a guard must see. */
export class Unreadable extends Error {}

/** The hooks that can deny at each guarded moment. */
const deciding: Readonly<Partial<Record<Moment, readonly LifecycleName[]>>> = {
  tool_call: ['before_tool_call'],
  permission: ['before_permission_request'],
  prompt: ['before_user_message'],
};

/** Whether a hook can deny at a moment. */
export function decides({ scope }: Pick<Host, 'scope'>, moment: Moment): boolean {
  return (deciding[moment] ?? []).some((name) => (scope[name]?.length ?? 0) > 0);
}

/** If a guard gives no answer, this denies and says so, so that nobody takes it for a judgement. `undefined`: nothing is guarded there. */
export function refuse(
  host: Pick<Host, 'scope'>,
  moment: Moment,
  { error, wayOut }: { readonly error: unknown; readonly wayOut?: string | undefined },
): Answer | undefined {
  const why =
    error instanceof Unreadable
      ? `The agent's message to its hooks cannot be read: ${error.message}. Its version may be newer than what is known of it.`
      : `The hooks failed: ${(error instanceof Error ? error.message : 'no reason was given').replace(/\.?$/, '.')}`;
  if (moment === 'tool_result' || moment === 'tool_failure')
    return { result: `This result was withheld. ${why}`, resultStatus: 'error' };
  return decides(host, moment) ? { decision: 'deny', reason: describeBroken(why, wayOut) } : undefined;
}

const WAY_OUT =
  'A person can look with "spec-hooks agents", and switch the hooks off with "spec-hooks uninstall".';

/** The reason for a deny that no hook gave: what is broken, and what a person can do. */
export function describeBroken(why: string, wayOut: string = WAY_OUT): string {
  return `Nobody has judged this, so it is denied. ${why} ${wayOut}`;
}
