import type { MessageCard, ModelMark } from '@spec/hooks';
import type { SentBesideStored } from '../api.ts';
import { hideText } from './read-messages.ts';
import type { Source } from './read-threads.ts';

/** Characters of a message in a list. */
const clip = 400;
const pageSize = 200;
/** Messages that are shown, and those that are gone through to find the end of what was there then. */
const shownAtMost = 200;
const passedAtMost = 20_000;

/** Which call of a model: the step of the turn that it was in. */
export interface SentQuestion {
  readonly thread: string;
  readonly turn: string;
  readonly step: number;
}

/** What was stored when a model was called, and which of it was sent; `null` where no such call is recorded. */
export async function readSent(
  source: Source,
  { thread, turn, step }: SentQuestion,
): Promise<SentBesideStored | null> {
  const { marks } = await source.records.turn(thread, turn);
  const mark = marks.findLast((one): one is ModelMark => one.kind === 'model' && one.step === step);
  if (mark?.sent === undefined) return null;
  const { stored, leftOut, left, request } = mark.sent;
  const began = mark.at - mark.ms * 1_000;
  const messages = await readBefore(source, {
    thread,
    began,
    count: Math.min(stored + leftOut, shownAtMost),
  });
  const isLeft = new Set(left);
  let sent = stored;
  const rows = messages.map((message) => {
    const isSent = !isLeft.has(message.id) && sent-- > 0;
    return { ...hideText(message, source), isSent };
  });
  return {
    mark,
    rows: rows.reverse(),
    added: Math.max(0, request - stored),
    isAll: stored + leftOut <= shownAtMost,
  };
}

interface Before {
  readonly thread: string;
  /** Microseconds since the epoch. */
  readonly began: number;
  readonly count: number;
}

/** The newest messages that were there at a moment, the newest first. */
async function readBefore({ records }: Source, { thread, began, count }: Before): Promise<MessageCard[]> {
  const found: MessageCard[] = [];
  let before: string | undefined;
  for (let passed = 0; passed < passedAtMost && found.length < count; passed += pageSize) {
    const place = before === undefined ? {} : { before };
    const page = await records.messages(thread, { size: pageSize, clip, ...place });
    found.push(...page.filter(({ createdAt }) => createdAt <= began).toReversed());
    if (page.length < pageSize) break;
    before = page[0]?.id;
  }
  return found.slice(0, count);
}
