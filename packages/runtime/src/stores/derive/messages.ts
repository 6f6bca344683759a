import { windowOf } from '../counts.ts';
import type { StoreDriver } from '../driver.ts';
import { copyMessage, copyOut, withFields } from '../message-fields.ts';
import type { Store, StoredMessage } from '../store.ts';
import { copyAppend, copyCall, copyFields, copyItem, copyRuns } from './copies.ts';
import type { OpenedDriver } from './opened.ts';

type MessageMethods = Pick<
  Store,
  | 'append'
  | 'post'
  | 'getMessage'
  | 'listMessages'
  | 'countMessages'
  | 'updateMessage'
  | 'deleteMessage'
  | 'listToolCalls'
  | 'listQueue'
>;

/** The methods over what a turn appends: messages, tool calls and the queue. */
export function messageMethods({ ask, alone, driver }: OpenedDriver): MessageMethods {
  const isCopy = driver.answersAreCopies === true;
  return {
    async append(threadId, fence, append) {
      const commit = copyAppend(threadId, append);
      await ask(threadId, (use) => use.commit(threadId, fence, commit));
    },
    async post(threadId, item, runs = []) {
      const commit = { posted: copyItem(threadId, item), runs: copyRuns(threadId, runs) };
      await ask(threadId, (use) => use.commit(threadId, null, commit));
    },
    async getMessage(threadId, id) {
      const message = await ask(threadId, (use) => use.findMessage(threadId, id));
      return message && !isCopy ? copyOut(message) : message;
    },
    async listMessages(threadId, query = {}) {
      const { before, after } = query;
      const { count, from } = windowOf(query);
      const range = { count, from, before, after };
      const messages = await ask(threadId, (use) => use.listMessages(threadId, range));
      return isCopy ? [...messages] : messages.map(copyOut);
    },
    countMessages: async (threadId) => ask(threadId, (use) => countAll(use, threadId)),
    async updateMessage(threadId, fence, { id, fields }) {
      const given = copyFields(threadId, { id, fields });
      return alone(threadId, (use) => update(use, { threadId, fence }, { id, fields: given }));
    },
    async deleteMessage(threadId, fence, id) {
      return (await ask(threadId, (use) => use.commit(threadId, fence, { remove: [id] }))).applied;
    },
    async listToolCalls(threadId, filter) {
      const calls = await ask(threadId, (use) => use.listToolCalls(threadId, { ...filter }));
      return calls.map((call) => (isCopy ? call : copyCall(call)));
    },
    async listQueue(threadId) {
      const items = await ask(threadId, (use) => use.listQueue(threadId));
      return isCopy ? [...items] : structuredClone([...items]);
    },
  };
}

async function countAll(driver: StoreDriver, threadId: string): Promise<number> {
  if (driver.countMessages) return driver.countMessages(threadId);
  return (await driver.listMessages(threadId, { count: -1, from: 'start' })).length;
}

/** Only who has the lease changes messages, so what was read is still there when the fence is found to be good. */
async function update(
  driver: StoreDriver,
  { threadId, fence }: { threadId: string; fence: number },
  { id, fields }: { id: string; fields: Record<string, unknown> },
): Promise<StoredMessage | null> {
  const found = await driver.findMessage(threadId, id);
  const replace = found && copyMessage(withFields(found, fields, threadId), threadId);
  const { applied } = await driver.commit(threadId, fence, replace ? { replace } : {});
  return replace && applied ? copyOut(replace) : null;
}
