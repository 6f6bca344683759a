import type { Case } from '../../case.ts';
import { abortCases } from './abort.ts';
import { begunWriteCases } from './begun-writes.ts';
import { chainRuleCases } from './chains.ts';
import { executionCases } from './execution.ts';
import { writeCases } from './writes.ts';

/** The executor's invariants that no single hook's cases hold (design §6). */
export const invariantCases: readonly Case[] = [
  ...chainRuleCases,
  ...abortCases,
  ...writeCases,
  ...begunWriteCases,
  ...executionCases,
];
