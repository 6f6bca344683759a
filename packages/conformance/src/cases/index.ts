import type { Case } from '../case.ts';
import { chainCases } from './chains.ts';
import { controlCases } from './control.ts';
import { crashCases } from './crashes.ts';
import { createCases } from './create.ts';
import { decisionCases } from './decisions.ts';
import { definitionCases } from './definition.ts';
import { errorCases } from './errors.ts';
import { exampleCases } from './examples.ts';
import { failureCases } from './failures.ts';
import { filteringCases } from './filtering.ts';
import { hookOptionCases } from './hook-options.ts';
import { invariantCases } from './invariants.ts';
import { lateCases } from './late.ts';
import { ledgerCases } from './ledger.ts';
import { lifecycleCases } from './lifecycle.ts';
import { messageCases } from './messages.ts';
import { prefilterCases } from './prefilter.ts';
import { scopeCases } from './scope.ts';
import { scopePlaceCases } from './scope-places.ts';
import { sessionCases } from './sessions.ts';
import { shapeCases } from './shapes.ts';
import { stateCases } from './state.ts';
import { streamingCases } from './streaming.ts';
import { subagentCases } from './subagents.ts';
import { systemMessageCases } from './system-message.ts';
import { timeoutCases } from './timeouts.ts';
import { toolCallResultCases } from './tool-calls.ts';
import { toolFileCases } from './tool-files.ts';
import { toolResultCases } from './tool-results.ts';
import { toolCases } from './tools.ts';
import { updateCases } from './update.ts';

/** Every requirement on a runtime; their ids are unique. */
export const cases: readonly Case[] = [
  ...definitionCases,
  ...scopeCases,
  ...scopePlaceCases,
  ...stateCases,
  ...lifecycleCases,
  ...systemMessageCases,
  ...filteringCases,
  ...prefilterCases,
  ...createCases,
  ...updateCases,
  ...messageCases,
  ...toolCases,
  ...toolResultCases,
  ...toolCallResultCases,
  ...toolFileCases,
  ...shapeCases,
  ...exampleCases,
  ...timeoutCases,
  ...errorCases,
  ...hookOptionCases,
  ...chainCases,
  ...failureCases,
  ...lateCases,
  ...controlCases,
  ...decisionCases,
  ...subagentCases,
  ...sessionCases,
  ...streamingCases,
  ...crashCases,
  ...invariantCases,
  ...ledgerCases,
];
