import type { HookMessage } from '@spec/hooks';
import type { StoredMessage } from '../stores/store.ts';
import { readToolCalls } from './exchanges.ts';

export interface CutOptions {
  /** The tokens of each message. */
  readonly tokens: readonly number[];
  /** So many tokens of the newest messages stay as they are, where that can be. */
  readonly keepTokens: number;
  /** Whether a turn is under way, which needs what it has begun with or done last. */
  readonly inTurn: boolean;
}

/**
 * How many of the oldest messages a summary may take the place of: as many as leave `keepTokens`, never a part of an exchange. 0
 * where there is nothing to take.
 *
 * X1 A message with tool calls and all the results of its calls stay together.
 * X2 In a turn the newest exchange stays: the message to be answered, or the last calls with their results and all after them.
 */
export function findCut(
  messages: readonly StoredMessage[],
  { tokens, keepTokens, inTurn }: CutOptions,
): number {
  const last = inTurn ? lastCutInTurn(messages) : messages.length;
  const allowed = safeCuts(messages).filter((cut) => cut <= last);
  let kept = 0;
  let wanted = messages.length;
  while (wanted > 0 && kept + (tokens[wanted - 1] ?? 0) <= keepTokens) kept += tokens[--wanted] ?? 0;
  if (wanted === 0) return 0;
  return allowed.find((cut) => cut >= wanted) ?? allowed.at(-1) ?? 0;
}

/** The positions at which no exchange is cut, in ascending order (X1). A result counts for the nearest call above it. */
export function safeCuts(messages: readonly HookMessage[]): number[] {
  const callerOf = new Map<string, number>();
  const endOf = new Map<number, number>();
  for (const [at, message] of messages.entries()) {
    if (message.role === 'assistant') for (const { id } of readToolCalls(message)) callerOf.set(id, at);
    const caller = message.role === 'tool' ? callerOf.get(String(message.tool_call_id)) : undefined;
    if (caller !== undefined) endOf.set(caller, at);
  }
  const cuts: number[] = [];
  let openUntil = -1;
  for (let at = 0; at < messages.length; at++) {
    openUntil = Math.max(openUntil, endOf.get(at) ?? -1);
    if (at >= openUntil) cuts.push(at + 1);
  }
  return cuts;
}

/** The newest position that leaves the turn what it needs (X2). */
function lastCutInTurn(messages: readonly StoredMessage[]): number {
  const answer = messages.findLastIndex(({ role }) => role === 'assistant');
  const isToBeAnswered = answer === messages.length - 1;
  if (answer < 0) return messages.length - 1;
  return isToBeAnswered || readToolCalls(messages[answer] as StoredMessage).length > 0 ? answer : answer + 1;
}
