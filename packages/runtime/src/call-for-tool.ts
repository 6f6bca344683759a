import type { HookToolCall } from '@spec/hooks';
import type { AnyTool } from './definitions.ts';
import type { ThreadView } from './thread-view.ts';

/**
 * A call that was decided on, with the values that hooks put back for its tool (`restore`). Nothing but the tool and its schema may
 * get it: what is stored, sent, recorded and shown is the call as it was. An agent gets that one, too; what its thread's
 * own tools need is put back there.
 *
 * @throws {RunError} where a hook that blocks could not put them back; the tool must not run then
 */
export function callForTool(
  view: ThreadView,
  tool: AnyTool,
  call: HookToolCall,
): HookToolCall | Promise<HookToolCall> {
  const { runtime, scope } = view.core;
  return 'agent' in tool ? call : runtime.executor.restore(scope, view, call);
}
