import { answerFaults } from './answers.ts';
import { failureFaults } from './failures.ts';
import type { Fault } from './fault.ts';
import { optionFaults } from './options.ts';

export type { Fault } from './fault.ts';

/** Broken runtimes, each with one deliberate fault of a class of its own: what a suite must be able to find. */
export const faults: readonly Fault[] = [...optionFaults, ...answerFaults, ...failureFaults];
