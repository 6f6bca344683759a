import { answerFaults } from './answers.ts';
import { decisionFaults } from './decisions.ts';
import { failureFaults } from './failures.ts';
import type { Fault } from './fault.ts';
import { messageFaults } from './messages.ts';
import { recordFaults } from './record.ts';
import { scopeFaults } from './scope.ts';

export type { Fault } from './fault.ts';

/** Broken runtimes, each with one deliberate fault: what a suite must be able to find. */
export const faults: readonly Fault[] = [
  ...scopeFaults,
  ...answerFaults,
  ...failureFaults,
  ...messageFaults,
  ...decisionFaults,
  ...recordFaults,
];
