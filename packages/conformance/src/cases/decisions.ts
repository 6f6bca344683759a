import type { Case } from '../case.ts';
import { answerCases } from './decisions-answers.ts';
import { failedDecisionCases } from './decisions-failures.ts';
import { orderCases } from './decisions-orders.ts';
import { rewriteCases } from './decisions-rewrites.ts';

/** Who wins, who is asked again, and what an answer's fields do (design §4.2). */
export const decisionCases: readonly Case[] = [
  ...orderCases,
  ...rewriteCases,
  ...answerCases,
  ...failedDecisionCases,
];
