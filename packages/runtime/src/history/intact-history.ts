import type { HookToolCall, LLMMessage } from '@spec/hooks';
import { hasPartFields, type WholeAnswer } from '../answer-parts/index.ts';
import { type IntactParts, keepIntact } from '../answer-parts/keep-intact.ts';
import { sayDropped } from '../answer-parts/say-dropped.ts';
import type { StoredMessage } from '../stores/store.ts';
import type { ThreadCore } from '../thread/core.ts';
import { readAnswer } from './exchanges.ts';

interface FilteredHistory {
  /** As hooks left it. */
  readonly sent: LLMMessage[];
  readonly stored: readonly StoredMessage[];
}

/** A history without the signed parts that hooks have changed on the way to the model. Messages that are fine stay the same objects. */
export function keepIntactInHistory(core: ThreadCore, { sent, stored }: FilteredHistory): LLMMessage[] {
  if (!sent.some(hasPartFields)) return sent;
  const { filter_messages: filters, prefilter_llm_history: prefilters } = core.scope;
  if (filters === undefined && prefilters === undefined) return sent;
  const originals = findOriginals(stored);
  return sent.map((message) => (hasPartFields(message) ? keepIn(core, { message, originals }) : message));
}

/** Stored answers by what is told of their parts: of a message on its way to the model nobody knows which it was. */
type Originals = ReadonlyMap<string, readonly StoredMessage[]>;

function findOriginals(stored: readonly StoredMessage[]): Originals {
  const found = new Map<string, StoredMessage[]>();
  for (const message of stored) {
    if (!hasPartFields(message)) continue;
    const key = makeKey(message);
    found.set(key, [...(found.get(key) ?? []), message]);
  }
  return found;
}

function makeKey(message: object): string {
  return JSON.stringify((message as Partial<WholeAnswer>).provider_metadata) ?? '';
}

interface SentAnswer {
  readonly message: LLMMessage;
  readonly originals: Originals;
}

function keepIn(core: ThreadCore, { message, originals }: SentAnswer): LLMMessage {
  const candidates = originals.get(makeKey(message)) ?? [];
  const now = readSent(message);
  let worst: { readonly kept: IntactParts; readonly messageId: string | undefined } | undefined;
  for (const original of candidates) {
    const kept = keepIntact(now, readAnswer(original));
    if (!kept.hasDropped) return message;
    worst ??= { kept, messageId: original.id };
  }
  const { kept, messageId } = worst ?? {
    kept: keepIntact(now, { content: null, calls: [] }),
    messageId: undefined,
  };
  if (kept.hasDropped) sayOnce(core, messageId);
  const { reasoning: _, provider_metadata: __, ...rest } = message as LLMMessage & Partial<WholeAnswer>;
  return { ...rest, ...kept.fields };
}

function readSent(message: LLMMessage & Partial<WholeAnswer>): WholeAnswer {
  const { content, tool_calls: calls, reasoning, provider_metadata } = message;
  return {
    content,
    calls: Array.isArray(calls) ? (calls as HookToolCall[]) : [],
    reasoning,
    provider_metadata,
  };
}

const said = new WeakMap<ThreadCore, Set<string>>();

/** Each step sends the history again. */
function sayOnce(core: ThreadCore, id: string | undefined): void {
  const messageId = id ?? 'of an unknown id';
  const ids = said.get(core) ?? new Set<string>();
  said.set(core, ids);
  if (ids.has(messageId)) return;
  ids.add(messageId);
  sayDropped({ threadId: core.id, messageId, what: 'is not sent' });
}
