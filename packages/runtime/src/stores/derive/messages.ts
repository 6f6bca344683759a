import { readWindow } from '../counts.ts';
import type { StoreDriver } from '../driver.ts';
import { cloneJson } from '../json.ts';
import { copyOut } from '../message-fields.ts';
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
export function messageMethods({ use, answersAreCopies }: OpenedDriver): MessageMethods {
  const toGive = (message: StoredMessage) => (answersAreCopies ? message : copyOut(message));
  return {
    async append(threadId, fence, append) {
      const committing = use().commit(threadId, fence, copyAppend(threadId, append));
      const { waiting } = committing instanceof Promise ? await committing : committing;
      return waiting === undefined ? undefined : { waiting };
    },
    async post(threadId, item, runs = []) {
      const commit = { posted: copyItem(threadId, item), runs: copyRuns(threadId, runs) };
      await use().commit(threadId, null, commit);
    },
    async getMessage(threadId, id) {
      const message = await use().findMessage(threadId, id);
      return message && toGive(message);
    },
    async listMessages(threadId, query = {}) {
      const { before, after } = query;
      const { count, from } = readWindow(query);
      const messages = await use().listMessages(threadId, { count, from, before, after });
      return messages.map(toGive);
    },
    countMessages: async (threadId) => countAll(use(), threadId),
    async updateMessage(threadId, fence, { id, fields }) {
      const update = { id, fields: copyFields(threadId, { id, fields }) };
      const { replaced } = await use().commit(threadId, fence, { update, erases: true });
      return replaced ? toGive(replaced) : null;
    },
    async deleteMessage(threadId, fence, id) {
      return (await use().commit(threadId, fence, { remove: [id], erases: true })).applied;
    },
    async listToolCalls(threadId, filter) {
      const calls = await use().listToolCalls(threadId, { ...filter });
      return calls.map(copyCall);
    },
    async listQueue(threadId) {
      const items = await use().listQueue(threadId);
      return answersAreCopies ? [...items] : items.map(cloneJson);
    },
  };
}

async function countAll(driver: StoreDriver, threadId: string): Promise<number> {
  if (driver.countMessages) return driver.countMessages(threadId);
  return (await driver.listMessages(threadId, { count: -1, from: 'start' })).length;
}
