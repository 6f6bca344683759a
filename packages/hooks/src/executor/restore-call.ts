import { RunError } from '../errors.ts';
import type { AnyRow } from '../lifecycle/row.ts';
import { lifecycleRow } from '../lifecycle/table.ts';
import type { HookToolCall } from '../vocabulary/messages.ts';
import { runChain } from './chain.ts';
import type { ChainStart } from './chain-start.ts';

/**
 * How the hooks that have a `restore` run it: one after the other on the call so far, each under its own timeout; where one fails,
 * the chain ends unless the hook says `continue`. Every run is recorded, without what it put back (C9, C10).
 */
const restoreRow: AnyRow = { ...lifecycleRow('before_tool_call'), kind: 'replace', restores: true };

/**
 * Restores a call once: the one that was decided on is the one that its tool gets.
 *
 * @throws {RunError} as {@link restoreCall}
 */
export function createRestoring(
  settings: ChainStart['settings'],
): (start: Omit<RestoreStart, 'settings'>) => Promise<HookToolCall> {
  const restored = new WeakMap<HookToolCall, Restored>();
  return async (start) => {
    const { members, toolCall } = start;
    const before = restored.get(toolCall);
    if (before?.members === members) return before.call;
    const call = await restoreCall({ settings, ...start });
    restored.set(toolCall, { members, call });
    return call;
  };
}

/** What came of a call, and by whose hooks. */
interface Restored {
  readonly members: ChainStart['members'];
  readonly call: HookToolCall;
}

interface RestoreStart extends Pick<ChainStart, 'settings' | 'members' | 'state'> {
  readonly toolCall: HookToolCall;
}

/**
 * The call with the arguments that its tool is to get. Its id and its tool are the ones that were decided on.
 *
 * @throws {RunError} where a hook that blocks did not succeed, and `aborted`
 */
async function restoreCall({ toolCall, ...start }: RestoreStart): Promise<HookToolCall> {
  const restored = (await runChain({
    ...start,
    hook: 'before_tool_call',
    row: restoreRow,
    context: undefined,
    subject: toolCall,
  }).catch(notRun)) as HookToolCall;
  return { ...toolCall, function: { ...toolCall.function, arguments: restored.function.arguments } };
}

/** Says what comes of it, in words that may go to the model: codes and names, no data (C9). */
function notRun(error: unknown): never {
  if (!(error instanceof RunError) || error.code === 'aborted') throw error;
  const { code, message, hook = '', id = '', threadId } = error;
  throw new RunError(code, `The tool was not run, because its arguments could not be restored. ${message}`, {
    hook,
    id,
    ...(threadId === undefined ? {} : { threadId }),
  });
}
