import { type HostTurn, passCalls } from '@spec/hooks/host';
import { toCall } from './answers.ts';

/** A call as an application has repaired it. */
interface RepairedCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: string;
}

/** What repairs calls that the AI SDK could not read, by asking another model, say. */
export type RepairCall = (...args: readonly unknown[]) => Promise<RepairedCall | null>;

/** Sends a repaired call through the hooks on messages: the answer that they have seen had another one. */
export function hookRepair(turn: HostTurn, repair: RepairCall): RepairCall {
  return async (...args) => {
    const repaired = await repair(...args);
    return repaired === null || !turn.takesMessages ? repaired : passRepaired(turn, repaired);
  };
}

/** @returns `null` where hooks left nothing of it: then it is not repaired */
async function passRepaired(turn: HostTurn, repaired: RepairedCall): Promise<RepairedCall | null> {
  const { toolCallId, toolName, input } = repaired;
  const [call] = await passCalls(turn, [toCall(toolCallId, toolName, input)]);
  if (call === undefined) return null;
  const { id, function: made } = call;
  return { ...repaired, toolCallId: id, toolName: made.name, input: made.arguments };
}
