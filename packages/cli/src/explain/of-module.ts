import {
  type AnyHook,
  createExecutor,
  lifecycleTable,
  RunError,
  scopeOf,
  type ThreadState,
  type Verdict,
} from '@spec/hooks';
import { hookView } from '@spec/runtime/testing';
import { findToolCall, maybe, no, type Occasion, type Opinion, type Outlook, silent } from './outlook.ts';

/** What a hook module would do. Its matcher is data, and looked at; its schema is code, and is not. */
export async function ofModule(hook: AnyHook, occasion: Occasion): Promise<Outlook> {
  const { matcher, schema } = hook;
  const { environment } = occasion;
  const call = findToolCall(hook.hook, occasion.args);
  let why = 'it has no condition';
  if (matcher !== undefined && call !== undefined) {
    try {
      why = matcher.explain(call, environment);
      if (!matcher.test(call, environment)) return no(why);
    } catch (error) {
      if (error instanceof RunError) return untestable(hook, occasion, error);
      throw error;
    }
  }
  if (schema !== undefined) return maybe(`where its schema, which is code, accepts the subject; ${why}`);
  return { runs: true, why, opinion: lifecycleTable[hook.hook].kind === 'decide' ? 'open' : silent };
}

async function untestable(hook: AnyHook, occasion: Occasion, { message }: RunError): Promise<Outlook> {
  const why = `its matcher cannot be tested, which is a failure: ${message}`;
  return { runs: false, why, opinion: await opinionOnFailure(hook, occasion) };
}

/** What comes of a hook that fails before it runs. The executor says it itself: of a hook with nothing in it that could run. */
async function opinionOnFailure(hook: AnyHook, { state, args, environment }: Occasion): Promise<Opinion> {
  if (lifecycleTable[hook.hook].kind !== 'decide') return silent;
  const { schema: _, ...others } = hook;
  const empty = { ...others, execute: async () => null } as AnyHook;
  const { run } = createExecutor<ThreadState>({ view: hookView, environment });
  const chain = run as (...all: readonly unknown[]) => unknown;
  const scope = scopeOf([{ hook: empty, source: 'policy' }]);
  const { decision, reason = null } = (await chain(hook.hook, scope, state, ...args)) as Verdict;
  return { decision, reason };
}
