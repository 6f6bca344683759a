import type { Case } from '../case.ts';
import { abortCases } from './invariants-abort.ts';
import { begunWriteCases } from './invariants-begun-writes.ts';
import { chainRuleCases } from './invariants-chains.ts';
import { executionCases } from './invariants-execution.ts';
import { writeCases } from './invariants-writes.ts';

/** The executor's invariants that no single hook's cases hold (design §6). */
export const invariantCases: readonly Case[] = [
  ...chainRuleCases,
  ...abortCases,
  ...writeCases,
  ...begunWriteCases,
  ...executionCases,
];
