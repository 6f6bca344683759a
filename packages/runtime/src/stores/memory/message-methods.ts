import type { Store } from '../store.ts';
import { applyAppend, postItem } from './append.ts';
import { deleteMessage, findMessage, listCalls, listMessages, updateMessage } from './messages.ts';
import { type Memory, readable, writable } from './thread.ts';

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
export function messageMethods(memory: Memory): MessageMethods {
  return {
    append: async (threadId, fence, append) => applyAppend(memory, writable(memory, threadId, fence), append),
    post: async (threadId, item, runs = []) => postItem(memory, threadId, { item, runs }),
    getMessage: async (threadId, id) => findMessage(readable(memory, threadId), id),
    listMessages: async (threadId, query) => listMessages(readable(memory, threadId), query),
    countMessages: async (threadId) => readable(memory, threadId)?.entries.length ?? 0,
    updateMessage: async (threadId, fence, update) =>
      updateMessage(writable(memory, threadId, fence), update),
    deleteMessage: async (threadId, fence, id) => deleteMessage(writable(memory, threadId, fence), id),
    listToolCalls: async (threadId, filter) => listCalls(readable(memory, threadId), filter),
    listQueue: async (threadId) => structuredClone([...(readable(memory, threadId)?.queue.values() ?? [])]),
  };
}
