import type { HookMessage, HookToolCall } from '@spec/hooks';
import { readToolCalls } from '../history/exchanges.ts';
import { readInput } from './json.ts';

/** A tool call of a turn, and what the page knows of it. */
export interface PageCall {
  readonly id: string;
  /** The message that makes it; absent where a hook or a tool calls on its own, and where listening began later. */
  readonly messageId?: string;
  /** The JSON text of its arguments, as its message was stored. */
  readonly stored?: string;
  /** The JSON of the input that the page was shown. */
  shown?: string;
  /** The question to a person that waits, and the name of the tool. */
  asked?: { readonly askId: string; readonly name: string };
  /** The message of its result, once the page was shown it. */
  resultId?: string;
  /** Whether its result was stored before the page was opened. */
  isAnswered?: true;
}

/** The calls of one turn by their id: providers use ids again in every step, and each stands for the last call made with it. */
export class PageCalls {
  readonly #last = new Map<string, PageCall>();

  /** @param shown the stored messages of the turn that the page shows already */
  constructor(shown: readonly HookMessage[] = []) {
    for (const message of shown)
      if (message.role === 'assistant') this.#addShown(message);
      else if (message.role === 'tool') this.#addResult(message);
  }

  #addShown(message: HookMessage): void {
    const calls = readToolCalls(message);
    this.add(message.id, calls);
    for (const { id, function: called } of calls)
      this.of(id).shown = JSON.stringify(readInput(called.arguments));
  }

  #addResult({ id, tool_call_id: callId, ...row }: HookMessage & { refused_by?: unknown }): void {
    const call = this.#last.get(callId ?? '');
    if (call === undefined) return;
    call.isAnswered = true;
    if (row.refused_by !== 'person') call.resultId = id;
  }

  /** Whether a call that the page was shown before has no result yet. */
  get hasUnanswered(): boolean {
    for (const { isAnswered = false } of this.#last.values()) if (!isAnswered) return true;
    return false;
  }

  /** A message that makes calls was stored; one that was announced before changes nothing. */
  add(messageId: string, calls: readonly HookToolCall[]): void {
    for (const { id, function: called } of calls) {
      if (this.#last.get(id)?.messageId === messageId) continue;
      this.#last.set(id, { id, messageId, stored: called.arguments });
    }
  }

  /** Whether the page was shown a message as the result of the last call made with an id. */
  isAnsweredBy(id: string, messageId: string): boolean {
    return this.#last.get(id)?.resultId === messageId;
  }

  /** The call with an id; one that no message of the turn has told of becomes known. */
  of(id: string): PageCall {
    const known = this.#last.get(id);
    if (known !== undefined) return known;
    const call: PageCall = { id };
    this.#last.set(id, call);
    return call;
  }
}
