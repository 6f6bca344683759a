import type { Case } from '../case.ts';
import { batchCases } from './control-batch.ts';
import { compactionCases } from './control-compaction.ts';
import { lateControlCases } from './control-late.ts';
import { notificationCases } from './control-notifications.ts';
import { permissionCases } from './control-permission.ts';
import { stopCases } from './control-stop.ts';
import { toolCallCases } from './control-tool-call.ts';
import { userMessageCases } from './control-user-message.ts';

/** Every control hook's row (design §4.2): when it runs, what it may return, and what its failure does. */
export const controlCases: readonly Case[] = [
  ...userMessageCases,
  ...toolCallCases,
  ...permissionCases,
  ...batchCases,
  ...stopCases,
  ...compactionCases,
  ...notificationCases,
  ...lateControlCases,
];
