import type { RunRecord } from '@spec/hooks';
import type { Trial } from '../subject.ts';
import { broken, inPlaceOf, stateWithExecution } from './break.ts';
import type { Fault } from './fault.ts';

/** Faults in what is told of hooks, and in what hooks are told. */
export const recordFaults: readonly Fault[] = [
  {
    id: 'ledger_misses_failures',
    says: 'The run of a hook that failed is not in the ledger.',
    foundBy: ['ledger.tells_failed'],
    breaks: ['ledger'],
    breakIt: (good) =>
      broken(good, () => ({
        trial: recording((runs) => runs.filter(({ outcome }) => outcome !== 'failed')),
      })),
  },
  {
    id: 'ledger_misses_skipped',
    says: 'A hook that was passed over is not in the ledger.',
    foundBy: ['ledger.tells_skipped'],
    breaks: ['ledger'],
    breakIt: (good) =>
      broken(good, () => ({
        trial: recording((runs) => runs.filter(({ outcome }) => outcome !== 'skipped')),
      })),
  },
  {
    id: 'ledger_calls_all_ok',
    says: 'The ledger says of a change that nothing was changed.',
    foundBy: ['ledger.tells_changed'],
    breaks: ['ledger'],
    breakIt: (good) =>
      broken(good, () => ({
        trial: recording((runs) =>
          runs.map((run) => (run.outcome === 'changed' ? { ...run, outcome: 'ok', changed: false } : run)),
        ),
      })),
  },
  {
    id: 'steps_not_counted',
    says: 'The step count that hooks see stays 0.',
    foundBy: ['state.step_count_counts_model_calls'],
    breaks: ['state', 'examples.log_tool_calls', 'invariants.execution_*'],
    breakIt: (good) =>
      broken(good, () => ({
        hook: inPlaceOf('all', async ({ state, executeWith }) =>
          executeWith(stateWithExecution(state, { stepCount: 0 })),
        ),
      })),
  },
  {
    id: 'flow_changes_within_a_turn',
    says: 'The flow id is another one for every hook.',
    foundBy: ['state.a_turn_is_one_flow'],
    breaks: ['state', 'invariants.execution_*'],
    breakIt: (good) =>
      broken(good, () => {
        let flow = 0;
        return {
          hook: inPlaceOf('all', async ({ state, executeWith }) =>
            executeWith(stateWithExecution(state, { flowId: `flow-${flow++}` })),
          ),
        };
      }),
  },
  {
    id: 'every_side_is_a',
    says: 'Hooks are told that side a is at work, whichever is.',
    foundBy: ['scope.each_side_has_the_hooks_of_its_prompt'],
    breaks: ['scope', 'invariants.execution_*', 'state'],
    breakIt: (good) =>
      broken(good, () => ({
        hook: inPlaceOf('all', async ({ state, executeWith }) =>
          executeWith(stateWithExecution(state, { currentSide: 'a' })),
        ),
      })),
  },
];

function recording(
  change: (runs: readonly RunRecord[]) => readonly RunRecord[],
): (trial: Trial) => Partial<Trial> {
  return (trial) => ({ runs: async () => change((await trial.runs?.()) ?? []) });
}
