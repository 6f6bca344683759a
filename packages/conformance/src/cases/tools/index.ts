import type { Case } from '../../case.ts';
import { attachmentCases } from './attachments.ts';
import { deniedEverywhereCases } from './denied.ts';
import { executedCases } from './executed.ts';
import { toolOrderCases } from './order.ts';
import { restoredCases } from './restored.ts';

/** Every way in which a tool is reached, what is run, and how its result is stored (design §7.1, steps 3 and 4). */
export const toolCases: readonly Case[] = [
  ...deniedEverywhereCases,
  ...executedCases,
  ...toolOrderCases,
  ...attachmentCases,
  ...restoredCases,
];
