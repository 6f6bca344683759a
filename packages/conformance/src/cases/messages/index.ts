import type { Case } from '../../case.ts';
import { betweenCases } from './between.ts';
import { keptMessageCases } from './kept.ts';
import { onceCases } from './once.ts';
import { refusedMessageCases } from './refused.ts';
import { messageUpdateCases } from './updates.ts';

/** Every way in which a message comes into being or is changed, and what stays of it (design §7.1, §7.3). */
export const messageCases: readonly Case[] = [
  ...onceCases,
  ...betweenCases,
  ...refusedMessageCases,
  ...keptMessageCases,
  ...messageUpdateCases,
];
