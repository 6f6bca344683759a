import type { AskMark, Records } from '@spec/hooks';
import type { EarlierAnswer, OpenAsk } from '../asks.ts';
import { readCalls } from './make-event.ts';

/** How far back is looked: turns, and messages for the names of their tools. */
const turnsLooked = 20;
const messagesLooked = 200;
const clip = 4_096;

/** What persons answered to questions like this one on its thread, the newest first. */
export async function readAnswers(records: Records, ask: OpenAsk): Promise<readonly EarlierAnswer[]> {
  const { threadId, about, tool } = ask;
  const messages = await records.messages(threadId, { size: messagesLooked, clip });
  const tools = new Map(messages.flatMap(readCalls).map(({ id, name }) => [id, name]));
  const isAlike = (mark: AskMark): boolean =>
    mark.about === about && (tool === undefined || tools.get(mark.call ?? '') === tool);
  const { items } = await records.turns(threadId, { size: turnsLooked });
  const turns = await Promise.all(items.map(({ turnId }) => records.turn(threadId, turnId)));
  return turns
    .flatMap(({ marks }) => marks.filter((mark) => mark.kind === 'ask' && isAlike(mark)))
    .map((mark) => ({ at: mark.at, ms: mark.ms, allowed: (mark as AskMark).allowed }))
    .toSorted((a, b) => b.at - a.at);
}
