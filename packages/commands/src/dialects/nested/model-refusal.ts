import type { EntryAnswer, HandlerAnswer } from '../../normal-form.ts';
import { REFUSES, readAnyText } from '../../run/read-output.ts';
import { type BlockableEvent, type Blocking, blocked } from './blocked.ts';
import { UNREADABLE } from './refusal.ts';

/** Whether something can be refused on an event, so that an answer that cannot be read must not pass for a yes. */
export const FORBIDS: ReadonlySet<Blocking> = new Set(['deny', 'keep-going', 'end-turn']);

/** A no of a model in other words than `{ "ok": false }`. */
const SAYS_NO = /\bok\b["'`]?\s*[:=]\s*["'`]?(?:false|no|0)\b/i;

/**
 * Models think aloud before they answer, and after. So a no of a model counts wherever it stands, where its answer is none that can be read
 * or says nothing.
 */
export function holdModelRefusal(
  event: BlockableEvent,
  { stdout }: Pick<HandlerAnswer, 'stdout'>,
  answer: EntryAnswer,
): EntryAnswer {
  const { failure, uncounted: _, ...said } = answer;
  const isAnswered = Object.keys(said).length > 0;
  if (isAnswered || !FORBIDS.has(event.blocking)) return answer;
  const text = readAnyText(stdout);
  if (!REFUSES.test(text) && !SAYS_NO.test(text)) return answer;
  const why = 'there is other text around its JSON';
  return {
    ...blocked(event, { opinion: {}, reason: UNREADABLE }),
    failure: failure ?? { effect: 'onInvalidOutput', why },
  };
}
