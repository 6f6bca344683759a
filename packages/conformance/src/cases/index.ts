import type { Case } from '../case.ts';
import { chainCases } from './chains/chains.ts';
import { errorCases } from './chains/errors.ts';
import { failureCases } from './chains/failures.ts';
import { hookOptionCases } from './chains/hook-options.ts';
import { lateCases } from './chains/late.ts';
import { shapeCases } from './chains/shapes.ts';
import { timeoutCases } from './chains/timeouts.ts';
import { controlCases } from './control/index.ts';
import { crashCases } from './crashes.ts';
import { createCases } from './create.ts';
import { decisionCases } from './decisions/index.ts';
import { definitionCases } from './definition.ts';
import { exampleCases } from './examples.ts';
import { filteringCases } from './filtering.ts';
import { invariantCases } from './invariants/index.ts';
import { ledgerCases } from './ledger/index.ts';
import { lifecycleCases } from './lifecycle.ts';
import { messageCases } from './messages/index.ts';
import { prefilterCases } from './prefilter.ts';
import { scopeCases } from './scope/index.ts';
import { scopePlaceCases } from './scope/places.ts';
import { sessionCases } from './sessions/index.ts';
import { stateCases } from './state.ts';
import { streamingCases } from './streaming.ts';
import { subagentCases } from './subagents/index.ts';
import { systemMessageCases } from './system-message.ts';
import { toolCallResultCases } from './tools/call-results.ts';
import { toolFileCases } from './tools/files.ts';
import { toolCases } from './tools/index.ts';
import { toolResultCases } from './tools/results.ts';
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
