import type { HookToolCall, Scope } from '@spec/hooks';
import type { AnyTool } from '../definitions/tool.ts';
import type { ThreadView } from '../thread/core.ts';

/**
 * A call with the values that hooks put back for its tool (`restore`). Only the tool, its schema, the hooks that decide on the call and
 * the person who is asked about it get it: what is stored, sent, recorded and told is the call as it was. An agent gets that one, too;
 * what its thread's own tools need is put back there.
 *
 * @throws {RunError} where a hook that blocks could not put them back; the tool must not run then
 */
export function restoreForTool(
  view: ThreadView,
  tool: AnyTool,
  call: HookToolCall,
): HookToolCall | Promise<HookToolCall> {
  const { runtime, scope } = view.core;
  return 'agent' in tool ? call : runtime.executor.restore(scope, view, call);
}

/** The hooks that decide on a call: they see it as its tool will get it. An agent gets no values, and where there is no tool nobody does. */
export function findGuards({ core: { scope, runtime } }: ThreadView, call: HookToolCall): Scope {
  const tool = runtime.catalog.tools.get(call.function.name);
  if (scope.restoring === undefined || (tool !== undefined && !('agent' in tool))) return scope;
  const { restoring: _, ...others } = scope;
  return others;
}
