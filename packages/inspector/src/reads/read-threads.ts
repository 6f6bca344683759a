import type { MessageCard, Records, ThreadCard, ThreadQuery } from '@spec/hooks';
import type { MessagePreview, ThreadDetail, ThreadPage, ThreadRow } from '../api.ts';

/** Runs that are counted for a thread in a list. */
const runsCounted = 100;
/** Characters of a message in a list. */
const previewSize = 120;
const childrenShown = 50;

/** What is read, and how much of it may be shown. */
export interface Source {
  readonly records: Records;
  readonly showsContent: boolean;
}

/** A page of threads, the newest first. */
export async function readThreads(source: Source, query: ThreadQuery): Promise<ThreadPage> {
  const { items, next } = await source.records.threads(query);
  return { items: await Promise.all(items.map((card) => describeThread(source, card))), next };
}

/** One thread; `null` where there is none. */
export async function readThread(source: Source, id: string): Promise<ThreadDetail | null> {
  const [card] = (await source.records.threads({ size: 1, id })).items;
  if (card === undefined) return null;
  const { items: children } = await source.records.threads({ size: childrenShown, parentId: id });
  return { ...(await describeThread(source, card)), children };
}

async function describeThread({ records, showsContent }: Source, card: ThreadCard): Promise<ThreadRow> {
  const clip = showsContent ? previewSize : 0;
  const [newest] = await records.messages(card.id, { size: 1, clip });
  const recent = await records.recent(card.id, { size: runsCounted });
  return { ...card, newest: newest === undefined ? null : makePreview(newest), recent };
}

function makePreview({ role, content, toolCalls, createdAt }: MessageCard): MessagePreview {
  return { role, text: content || nameCalls(toolCalls ?? ''), createdAt };
}

/** The tools that a message calls; the text of its calls may be cut. */
function nameCalls(toolCalls: string): string {
  const names = Array.from(
    toolCalls.matchAll(/"function":\{"name":"((?:[^"\\]|\\.)*)"/g),
    ([, name]) => `→ ${name}`,
  );
  return names.length === 0 ? toolCalls : names.join(' ');
}
