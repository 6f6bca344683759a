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
  const messages = await readBefore(source, {
    thread,
    began: mark.at - mark.ms * 1_000 + CLOCK_STEP,
    answer: `${turn}.${step}.answer`,
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

/** Stored times are as exact as the system's milliseconds, and the time that a call took is exact. In microseconds. */
const CLOCK_STEP = 1_000;

interface Before {
  readonly thread: string;
  /** At the latest, in microseconds since the epoch. */
  readonly began: number;
  /** The id of the call's own answer, which may have come in the same millisecond. */
  readonly answer: string;
  readonly count: number;
}

/** The newest messages that were there at a moment, the newest first. */
async function readBefore(
  { records }: Source,
  { thread, began, answer, count }: Before,
): Promise<MessageCard[]> {
  const found: MessageCard[] = [];
  let before: string | undefined;
  for (let passed = 0; passed < passedAtMost && found.length < count; passed += pageSize) {
    const place = before === undefined ? {} : { before };
    const page = await records.messages(thread, { size: pageSize, clip, ...place });
    const end = page.findIndex(({ id }) => id === answer);
    if (end !== -1) found.length = 0;
    const older = end === -1 ? page : page.slice(0, end);
    found.push(...older.filter(({ createdAt }) => createdAt <= began).toReversed());
    if (page.length < pageSize) break;
    before = page[0]?.id;
  }
  return found.slice(0, count);
}
