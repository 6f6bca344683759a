import type { Case } from '../../case.ts';
import { lateControlCases } from '../chains/late.ts';
import { batchCases } from './batch.ts';
import { compactionCases } from './compaction.ts';
import { modelCallCases } from './model-call.ts';
import { notificationCases } from './notifications.ts';
import { permissionCases } from './permission.ts';
import { stopCases } from './stop.ts';
import { toolCallCases } from './tool-call.ts';
import { userMessageCases } from './user-message.ts';

/** Every control hook's row (design §4.2): when it runs, what it may return, and what its failure does. */
export const controlCases: readonly Case[] = [
  ...userMessageCases,
  ...toolCallCases,
  ...permissionCases,
  ...modelCallCases,
  ...batchCases,
  ...stopCases,
  ...compactionCases,
  ...notificationCases,
  ...lateControlCases,
];
