import { windowOf } from '../../counts.ts';
import { withFields } from '../../message-fields.ts';
import type { Store } from '../../store.ts';
import { decodeMessage, encodeMessage, losesText } from '../tables/message-row.ts';
import { type OpenFile, threadReader } from '../tables/tables.ts';
import { encodeAppend, storeAppend } from './append.ts';

type MessageMethods = Pick<
  Store,
  | 'append'
  | 'getMessage'
  | 'listMessages'
  | 'countMessages'
  | 'updateMessage'
  | 'deleteMessage'
  | 'listToolCalls'
>;

/** The methods over what a turn appends: messages and tool calls. */
export function messageMethods(file: OpenFile): MessageMethods {
  const { tables, commits } = file;
  const { threads, messages, calls } = tables;
  const { write, erases } = commits;
  const readOf = threadReader(file);

  return {
    // Not `async`: most of what a turn waits for are appends, and a promise for the promise is three more ticks.
    append(threadId, fence, append) {
      try {
        const encoded = encodeAppend(threadId, append);
        return write(() => storeAppend(tables, { threadId, fence }, encoded));
      } catch (error) {
        return Promise.reject(error);
      }
    },
    getMessage: async (threadId, id) =>
      readOf(threadId, null, (thread) => {
        const row = messages.find(thread, id);
        return row ? decodeMessage(row, threadId) : null;
      }),
    async listMessages(threadId, query = {}) {
      const window = windowOf(query);
      return readOf(threadId, [], (thread) => {
        const { before, after } = query;
        const below = before === undefined ? Number.MAX_SAFE_INTEGER : messages.seqOf(thread, before);
        const above = after === undefined ? 0 : messages.seqOf(thread, after);
        if (below === undefined || above === undefined) return [];
        return messages.list(thread, { ...window, above, below }).map((row) => decodeMessage(row, threadId));
      });
    },
    countMessages: async (threadId) => readOf(threadId, 0, (thread) => messages.count(thread)),
    async updateMessage(threadId, fence, { id, fields }) {
      const given = { ...fields };
      return write(() => {
        const thread = threads.writable(threadId, fence);
        const found = messages.find(thread, id);
        if (!found) return null;
        const row = encodeMessage(withFields(decodeMessage(found, threadId), given, threadId), threadId);
        messages.replace(thread, row);
        if (losesText(found, row)) erases();
        return decodeMessage(row, threadId);
      });
    },
    deleteMessage: async (threadId, fence, id) =>
      write(() => {
        const removed = messages.remove(threads.writable(threadId, fence), id);
        if (removed) erases();
        return removed;
      }),

    listToolCalls: async (threadId, filter) =>
      readOf(threadId, [], (thread) => calls.list({ key: thread, id: threadId }, { ...filter })),
  };
}
