import { guardState, type HookPermit, type ThreadState } from '@spec/hooks';
import { LiveView } from '../state/live-view.ts';

/**
 * A thread's state as the runtime shows it to one hook: writes are checked at their instant, and count how deep they are
 * within hooks. For an executor of one's own over real threads: `createExecutor({ view: hookView })`.
 */
export function hookView(state: ThreadState, permit: HookPermit): ThreadState {
  return state instanceof LiveView ? state.for(permit) : guardState(state, permit);
}
