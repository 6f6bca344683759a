import type { StoreDriver } from '../driver.ts';
import { cloneJson } from '../json.ts';
import type { HeadQuery, Store, ThreadHead } from '../store.ts';
import type { OpenedDriver } from './opened.ts';

/** The method that reads what one needs of a thread before one works on it. */
export function headMethods(opened: OpenedDriver): Pick<Store, 'readHead'> {
  return { readHead: (threadId, query = {}) => readHead(opened, threadId, { ...query }) };
}

/** Reads the head of a thread: at once where the driver can, otherwise piece by piece. */
export async function readHead(
  { use, answersAreCopies }: OpenedDriver,
  threadId: string,
  query: HeadQuery,
): Promise<ThreadHead | null> {
  const driver = use();
  const head = driver.readHead
    ? await driver.readHead(threadId, query)
    : await readPieces(driver, threadId, query);
  return head === null || answersAreCopies ? head : cloneJson(head);
}

async function readPieces(
  driver: StoreDriver,
  threadId: string,
  { keys = [], messages = [] }: HeadQuery,
): Promise<ThreadHead | null> {
  const record = await driver.getThread(threadId);
  if (record === null) return null;
  const below = await driver.listThreads({ parentId: threadId });
  const values = await Promise.all(keys.map(async (key) => driver.listValues(threadId, key)));
  const found = await Promise.all(messages.map(async (id) => driver.findMessage(threadId, id)));
  return {
    record,
    children: below.map(({ id }) => id),
    values: values.flat().filter(({ value }) => value !== undefined),
    messages: found.filter((message) => message !== null),
  };
}
