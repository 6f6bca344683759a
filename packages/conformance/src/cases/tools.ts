import type { Case } from '../case.ts';
import { attachmentCases } from './tools-attachments.ts';
import { deniedEverywhereCases } from './tools-denied.ts';
import { executedCases } from './tools-executed.ts';
import { toolOrderCases } from './tools-order.ts';
import { restoredCases } from './tools-restored.ts';

/** Every way in which a tool is reached, what is run, and how its result is stored (design §7.1, steps 3 and 4). */
export const toolCases: readonly Case[] = [
  ...deniedEverywhereCases,
  ...executedCases,
  ...toolOrderCases,
  ...attachmentCases,
  ...restoredCases,
];
