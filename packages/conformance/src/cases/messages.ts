import type { Case } from '../case.ts';
import { betweenCases } from './messages-between.ts';
import { keptMessageCases } from './messages-kept.ts';
import { onceCases } from './messages-once.ts';
import { refusedMessageCases } from './messages-refused.ts';
import { updateCases } from './messages-updates.ts';

/** Every way in which a message comes into being or is changed, and what stays of it (design §7.1, §7.3). */
export const messageCases: readonly Case[] = [
  ...onceCases,
  ...betweenCases,
  ...refusedMessageCases,
  ...keptMessageCases,
  ...updateCases,
];
