import type { Case } from '../../case.ts';
import { answerCases } from './answers.ts';
import { failedDecisionCases } from './failures.ts';
import { orderCases } from './orders.ts';
import { rewriteCases } from './rewrites.ts';

/** Who wins, who is asked again, and what an answer's fields do (design §4.2). */
export const decisionCases: readonly Case[] = [
  ...orderCases,
  ...rewriteCases,
  ...answerCases,
  ...failedDecisionCases,
];
