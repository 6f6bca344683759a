import type { Scope } from '../define/scope.ts';
import { describeDenial } from '../denial.ts';
import { RunError } from '../errors.ts';
import type { Executor } from '../executor/executor.ts';
import { guardState } from '../executor/guard-state.ts';
import type { HookPermit } from '../executor/permit.ts';
import { readGivenMessage } from '../user-content.ts';
import type { ChainResult, HookArgs, LifecycleName } from '../vocabulary/lifecycle.ts';
import type { HookToolCall, HookToolResult } from '../vocabulary/messages.ts';
import type { ThreadState } from '../vocabulary/state.ts';
import { type FakeState, getFakeMessages, isFakeState } from './fake-state.ts';
import { toolCall, toolError } from './fixtures.ts';

/** Runs chains for the writes of hooks. */
export interface ChainSource {
  readonly scope: Scope;
  executor(): Executor;
}

type ChainedWrites = Pick<ThreadState, 'injectMessage' | 'updateMessage' | 'queueMessage' | 'invokeTool'>;

/** The fake states behind the views of them. */
const behind = new WeakMap<object, FakeState>();

/**
 * A hook's view of a fake state: guarded as everywhere (C4, C5), and its writes run the chains again as a runtime's do
 * (C8), so that a hook that sets itself off is found out.
 */
export function chainedView(state: ThreadState, permit: HookPermit, chains: ChainSource): ThreadState {
  const fake = behind.get(state) ?? (isFakeState(state) ? state : undefined);
  if (fake === undefined) return guardState(state, permit);
  const run: RunChain = async (hook, ...args) => chains.executor().run(hook, chains.scope, view, ...args);
  const restore: Restore = async (call) => chains.executor().restore(chains.scope, view, call);
  const writes = chainedWrites(fake, permit, { run, restore });
  const parts = { ...Object.getOwnPropertyDescriptors(fake), ...Object.getOwnPropertyDescriptors(writes) };
  const view = guardState(Object.defineProperties({}, parts) as FakeState, permit);
  behind.set(view, fake);
  return view;
}

type Restore = (call: HookToolCall) => Promise<HookToolCall>;
type RunChain = <K extends LifecycleName>(hook: K, ...args: HookArgs<K>) => Promise<ChainResult<K>>;

function chainedWrites(
  fake: FakeState,
  permit: HookPermit,
  { run, restore }: { readonly run: RunChain; readonly restore: Restore },
): ChainedWrites {
  return {
    async injectMessage(message) {
      const existing = message.id === undefined ? null : await fake.getMessage(message.id);
      if (existing !== null) return existing;
      const complete = getFakeMessages(fake).complete(readGivenMessage(message));
      const returned = await run('before_create_message', complete);
      permit.assertOpen('injectMessage');
      const stored = await fake.injectMessage({ ...complete, ...returned });
      await run('after_create_message', { ...stored });
      return stored;
    },
    async updateMessage(id, updates) {
      const existing = await fake.getMessage(id);
      const fields = existing === null ? updates : await run('before_update_message', id, updates);
      permit.assertOpen('updateMessage');
      const stored = await fake.updateMessage(id, fields);
      await run('after_update_message', stored);
      return stored;
    },
    async queueMessage(message) {
      const complete = getFakeMessages(fake).complete(readGivenMessage(message));
      const returned = await run('before_create_message', complete);
      permit.assertOpen('queueMessage');
      await fake.queueMessage({ ...complete, ...returned });
    },
    invokeTool: (name, input) =>
      throughToolChains(toolCall(name, input), run, async (call) => {
        permit.assertOpen('invokeTool');
        const given = await restore(call).catch(notRun);
        permit.assertOpen('invokeTool');
        if ('status' in given) return given;
        return fake.invokeTool(given.function.name, JSON.parse(given.function.arguments));
      }),
  };
}

async function throughToolChains(
  requested: HookToolCall,
  run: RunChain,
  execute: (call: HookToolCall) => Promise<HookToolResult>,
): Promise<HookToolResult> {
  const { decision, reason, result: answer, subject: call } = await run('before_tool_call', requested);
  if (decision === 'deny' || decision === 'ask') {
    return toolError(describeDenial({ reason }));
  }
  if (answer !== undefined) return answer;
  const result = await execute(call);
  return run(
    result.status === 'success' ? 'after_tool_call_success' : 'after_tool_call_failure',
    call,
    result,
  );
}

/** The answer to a call into which values could not be put back. */
function notRun(error: unknown): HookToolResult {
  if (!(error instanceof RunError) || error.code === 'aborted') throw error;
  return toolError(error.message);
}
