import type { Case } from '../../case.ts';
import { recordedOnceCases } from './once.ts';
import { outcomeCases } from './outcomes.ts';
import { secretCases } from './secrets.ts';

/** The record of the runs of hooks, and what nothing may tell (design §10, C9, C10). */
export const ledgerCases: readonly Case[] = [...outcomeCases, ...recordedOnceCases, ...secretCases];
