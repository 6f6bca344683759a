import { isRecord } from '@spec/hooks';
import { readToolCalls } from '../history/exchanges.ts';
import { isText, readKept } from '../stores/kept-value.ts';
import type { Store, StoredMessage } from '../stores/store.ts';
import type { ThreadCore } from '../thread/core.ts';
import { readTextOfPart } from '../thread/ids.ts';

/**
 * What a message was when a hook or tool wrote it. Who writes again after a crash is known by what it wrote (see
 * `repeated-writes.ts`), also where another hook has edited or deleted it since. No text is kept, for it may be what the edit
 * takes out; only a digest too short to find it by.
 */

/** The digests by the messages' ids, in one value of the thread: what of it can go goes when the next one is kept. */
type FirstVersions = Readonly<Record<string, string>>;

const KEY = 'runtime/first-versions';

/** Makes a digest of a message, by which it is recognised. */
export function saidBy(message: StoredMessage): string {
  const called = readToolCalls(message).map(({ function: call }) => call);
  return JSON.stringify([message.role, message.content, called, ...listFiles(message)]);
}

/** What a user's files are known by, whether they are stored yet or not. */
function listFiles({ role, attachments }: StoredMessage): unknown[] {
  if (role !== 'user' || !Array.isArray(attachments)) return [];
  return attachments.map((file: unknown) => {
    if (!isRecord(file)) return null;
    const { name, mimeType, size, url, data } = file;
    const bytes = typeof data === 'string' ? countBytes(data) : size;
    return [name, mimeType, bytes ?? url];
  });
}

/** How many bytes a base64 text stands for. */
function countBytes(text: string): number {
  return Math.floor((text.length * 3) / 4) - (/=*$/.exec(text)?.[0].length ?? 0);
}

/** FNV-1a in 32 bits: at once, so that it changes nothing in the order of what is written side by side. */
export function digestText(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16);
}

export async function firstVersions({ store, id }: ThreadCore): Promise<FirstVersions> {
  return (await readVersions(store, id)) ?? {};
}

function readVersions(store: Store, threadId: string): Promise<FirstVersions | undefined> {
  return readKept(store, { threadId, key: KEY }, areVersions);
}

function areVersions(value: unknown): value is FirstVersions {
  return isRecord(value) && Object.values(value).every(isText);
}

/** Call before a message is edited or deleted: keeps its digest if its writer may write it again. */
export async function keepFirstVersion(core: ThreadCore, message: StoredMessage): Promise<void> {
  const { store, id } = core;
  if (!(await mayBeWrittenAgain(core, message.id))) return;
  const version = digestText(saidBy(message));
  for (;;) {
    const value = await readVersions(store, id);
    if (value?.[message.id] !== undefined) return;
    const next = { ...(await stillNeeded(core, value ?? {})), [message.id]: version };
    if (await store.setValuesIf(id, { key: KEY, value }, [{ key: KEY, value: next }])) return;
  }
}

async function stillNeeded(core: ThreadCore, versions: FirstVersions): Promise<FirstVersions> {
  const needed: Record<string, string> = {};
  for (const [id, version] of Object.entries(versions))
    if (await mayBeWrittenAgain(core, id)) needed[id] = version;
  return needed;
}

/** The id of what a hook or tool writes in a turn: of which thread, where it is another one, and of which turn. */
const WRITTEN = /^(?:(?<threadId>.+)~)?(?<turn>[^.~]+)\.\d+\..+\.i\d+$/s;

/** Whether the turn that wrote a message is under way, or was left behind. */
export async function mayBeWrittenAgain(core: ThreadCore, id: string): Promise<boolean> {
  const { turn, threadId = core.id } = WRITTEN.exec(id)?.groups ?? {};
  if (turn === undefined) return false;
  const turnId = readTextOfPart(turn);
  if (core.runtime.find(threadId)?.turns.find(turnId) !== undefined) return true;
  const record = threadId === core.id ? core.record : await core.store.getThread(threadId);
  return record?.turn?.id === turnId;
}
