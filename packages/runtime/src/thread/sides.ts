import type { HookMessage } from '@spec/hooks';
import type { AgentDefinition, AgentSide, SideName } from '../definitions/agent.ts';
import type { StopCondition } from '../definitions/stop-conditions.ts';

/** Which side a message belongs to; `undefined` if it belongs to both. */
export function readSide(message: object): SideName | undefined {
  const { side } = message as { side?: unknown };
  return side === 'a' || side === 'b' ? side : undefined;
}

/** Marks a side's messages with the side. User messages, and messages from outside a turn, belong to both. */
export function signMessage(message: HookMessage, agent: AgentDefinition, flow: SideFlow): void {
  const { role } = message;
  if (flow.turnId === null || (role !== 'assistant' && role !== 'tool')) return;
  const { side, name } = sideFields(agent, flow.currentSide, role);
  const signed = message as HookMessage & { side?: unknown };
  signed.side = role === 'tool' ? side : (signed.side ?? side); // A tool has no say in whose call it answers.
  if (name !== undefined) signed.name ??= name;
}

interface SideFlow {
  readonly turnId: string | null;
  readonly currentSide: SideName;
}

/** What a message of one side is stored with: the side it belongs to, and the side's label on what the side says. */
export function sideFields(
  agent: AgentDefinition,
  side: SideName,
  role: HookMessage['role'],
): { side?: SideName; name?: string } {
  if (agent.type !== 'dual_ai') return {};
  const { label } = agent.sides[side];
  return role === 'assistant' && label !== undefined ? { side, name: label } : { side };
}

/**
 * The conversation as one side sees it: what the other side says are user messages; its tool calls, their results and
 * what was written for it alone are left out.
 */
export function seenBy(side: SideName, messages: readonly HookMessage[]): HookMessage[] {
  const seen: HookMessage[] = [];
  for (const message of messages) {
    const owner = readSide(message);
    if (owner === undefined || owner === side) seen.push(message);
    else if (message.role === 'assistant' && message.content && !isErrorRow(message))
      seen.push(asUser(message));
  }
  return seen;
}

function isErrorRow(message: object): boolean {
  return typeof (message as { error_code?: unknown }).error_code === 'string';
}

function asUser({ tool_calls: _, ...message }: HookMessage): HookMessage {
  return { ...message, role: 'user' };
}

/** Whose go it is in a turn, and how much of the limits is used. */
export interface Talk {
  side: SideName;
  /** Steps of the go that runs. */
  stepsOfGo: number;
  /** Goes of each side, the one that runs included. */
  readonly goes: Record<SideName, number>;
}

export function newTalk(side: SideName): Talk {
  return { side, stepsOfGo: 0, goes: { a: 0, b: 0, [side]: 1 } };
}

/** A step is over. An answer without tool calls ends the go of a side: the other one has the next. */
export function countStep(agent: AgentDefinition, talk: Talk, callCount: number): void {
  talk.stepsOfGo++;
  if (agent.type !== 'dual_ai' || callCount > 0) return;
  talk.side = otherSide(talk.side);
  talk.stepsOfGo = 0;
  talk.goes[talk.side]++;
}

export function otherSide(side: SideName): SideName {
  return side === 'a' ? 'b' : 'a';
}

const DEFAULT_MAX_STEPS = 50;

/** Whether the model may not be called any more in this turn. */
export function hasReachedLimit(agent: AgentDefinition, talk: Talk, stepCount: number): boolean {
  if (stepCount >= (agent.maxSteps ?? DEFAULT_MAX_STEPS)) return true;
  if (agent.type !== 'dual_ai') return false;
  const { maxSteps = Number.POSITIVE_INFINITY, maxTurns = Number.POSITIVE_INFINITY } = agent.sides[talk.side];
  return talk.stepsOfGo >= maxSteps || talk.goes[talk.side] > maxTurns;
}

/** The stop conditions that are asked after a step of a side: the agent's, then the side's. */
export function listStopConditions(agent: AgentDefinition, side: SideName): readonly StopCondition[] {
  if (agent.type !== 'dual_ai') return toList(agent.stopWhen);
  return [...toList(agent.stopWhen), ...toList(agent.sides[side].stopWhen)];
}

const none: readonly StopCondition[] = [];

function toList(stopWhen: AgentSide['stopWhen']): readonly StopCondition[] {
  if (stopWhen === undefined) return none;
  return typeof stopWhen === 'function' ? [stopWhen] : stopWhen;
}
