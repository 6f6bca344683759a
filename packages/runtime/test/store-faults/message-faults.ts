import { RunError } from '@spec/hooks';
import type { StoredMessage } from '../../src/stores/store.ts';
import { any, appending, type Fault, reading } from './fault.ts';

/** Faults in what an append, an update or a listing of messages does. */
export const messageFaults: readonly Fault[] = [
  {
    fault: 'a message that is there is replaced',
    noticed: 'a message whose id is in the thread changes nothing',
    broken: (good) => ({
      async append(threadId, fence, append) {
        await good.append(threadId, fence, append);
        for (const { id, ...fields } of append.messages ?? [])
          await good.updateMessage(threadId, fence, { id, fields });
      },
    }),
  },
  {
    fault: 'a message that is to be new is stored where its id waits in the queue',
    noticed: 'an append whose message is to be new is refused where its id is stored or waits',
    broken: (good) => ({
      async append(threadId, fence, { newIds = [], ...append }) {
        const known = await Promise.all(newIds.map((id) => good.getMessage(threadId, id)));
        const taken = newIds.filter((_, at) => known[at] !== null);
        await good.append(threadId, fence, { ...append, newIds: taken });
      },
    }),
  },
  {
    fault: 'the queue is looked through before the append of a message that is to be new, and not in it',
    noticed: 'of a message that is to be new and one that is posted under its id, one is there',
    broken: (good) => ({
      async append(threadId, fence, { newIds = [], ...append }) {
        const waiting = (await good.listQueue(threadId)).map(({ id }) => id);
        const taken = newIds.filter((id) => waiting.includes(id));
        await good.append(threadId, fence, { ...append, newIds: taken });
      },
    }),
  },
  {
    fault: 'a repeated append records its runs again',
    noticed: 'an append that is repeated changes nothing a second time',
    broken: (good) => ({
      async append(threadId, fence, { runs = [], ...append }) {
        await good.append(threadId, fence, append);
        await good.append(threadId, fence, { runs });
      },
    }),
  },
  {
    fault: 'a message of another role under an id that is there is taken for the same one again',
    noticed: 'an id that a message of another role has is refused, with all that came with it',
    broken: (good) => ({
      append: (threadId, fence, append) =>
        good.append(threadId, fence, append).catch((error) => {
          if (error.code !== 'invalid_message') throw error;
        }),
    }),
  },
  {
    fault: 'a repeated append resets its tool calls',
    noticed: 'an append that is repeated changes nothing a second time',
    broken: (good) => ({
      async append(threadId, fence, append) {
        await good.append(threadId, fence, append);
        await good.append(threadId, fence, { toolCalls: append.toolCalls ?? [] });
      },
    }),
  },
  {
    fault: 'a repeated append leaves the queue as it is',
    noticed: 'a repeated message still takes its item off the queue and moves the thread on',
    broken: (good) => ({
      async append(threadId, fence, append) {
        const known = await Promise.all(
          (append.messages ?? []).map(({ id }) => good.getMessage(threadId, id)),
        );
        if (known.length === 0 || known.includes(null)) await good.append(threadId, fence, append);
      },
    }),
  },
  {
    fault: 'the fence is ignored',
    noticed: 'a writer whose lease was taken over cannot write any more',
    broken: (good) => ({
      append: (threadId, _fence, append) => good.append(threadId, any, append),
      setValue: (threadId, _fence, entry) => good.setValue(threadId, any, entry),
    }),
  },
  {
    fault: 'messages are ordered by time',
    noticed: 'messages are listed in the order in which they were appended',
    broken: (good) => ({
      listMessages: async (...args) =>
        (await good.listMessages(...args)).sort((a, b) => a.created_at - b.created_at),
    }),
  },
  {
    fault: 'before is ignored',
    noticed: 'first, last and before choose a window',
    broken: (good) => ({
      listMessages: (threadId, { last } = {}) =>
        good.listMessages(threadId, last === undefined ? {} : { last }),
    }),
  },
  {
    fault: 'last takes the oldest',
    noticed: 'first, last and before choose a window',
    broken: (good) => ({
      listMessages: async (threadId, { last, ...query } = {}) =>
        (await good.listMessages(threadId, query)).slice(0, last),
    }),
  },
  {
    fault: 'first takes the newest',
    noticed: 'first, last and before choose a window',
    broken: (good) => ({
      listMessages: (threadId, { first, ...query } = {}) =>
        good.listMessages(threadId, first === undefined ? query : { ...query, last: first }),
    }),
  },
  {
    fault: 'metadata that is text is parsed',
    noticed: 'metadata comes back as it was given, text or JSON',
    broken: (good) =>
      reading(good, ({ metadata, ...rest }) => {
        if (metadata === undefined) return rest;
        return { ...rest, metadata: metadata === '{"a":1}' ? JSON.parse(metadata) : metadata };
      }),
  },
  {
    fault: 'unknown fields are dropped',
    noticed: 'fields that are not of the specification are kept',
    broken: (good) =>
      reading(good, (message) => {
        const { attachments: _, ...rest } = message;
        return rest;
      }),
  },
  {
    fault: 'absent fields come back as null',
    noticed: 'a message comes back as it was given: absent fields absent, null fields null',
    broken: (good) => reading(good, (message) => ({ name: null, ...message })),
  },
  {
    fault: 'lone surrogates are replaced',
    noticed: 'any text comes back exactly, also in ids',
    broken: (good) =>
      reading(good, (message) => ({
        ...message,
        content: message.content && new TextDecoder().decode(new TextEncoder().encode(message.content)),
      })),
  },
  {
    fault: 'texts end at NUL',
    noticed: 'any text comes back exactly, also in ids',
    broken: (good) =>
      reading(good, (message) => ({ ...message, content: message.content?.split('\0')[0] ?? null })),
  },
  {
    fault: 'what comes out is not a copy',
    noticed: 'what goes in and what comes out are copies',
    broken: (good) => {
      const known = new Map<string, StoredMessage | null>();
      return {
        async getMessage(threadId, id) {
          if (!known.has(id)) known.set(id, await good.getMessage(threadId, id));
          return known.get(id) ?? null;
        },
      };
    },
  },
  {
    fault: 'what goes in is not copied',
    noticed: 'what goes in and what comes out are copies',
    broken: (good) => ({
      append: async (threadId, fence, append) => {
        await Promise.resolve();
        return good.append(threadId, fence, append);
      },
    }),
  },
  {
    fault: 'items leave the queue in a commit of their own',
    noticed: 'an append is stored whole or not at all',
    broken: (good) => ({
      async append(threadId, fence, { dequeue = [], ...append }) {
        await good.append(threadId, fence, { dequeue });
        await good.append(threadId, fence, append);
      },
    }),
  },
  {
    fault: 'messages are stored one by one',
    noticed: 'an append is stored whole or not at all',
    broken: (good) => ({
      async append(threadId, fence, { messages = [], ...append }) {
        for (const message of messages) await good.append(threadId, fence, { messages: [message] });
        await good.append(threadId, fence, append);
      },
    }),
  },
  {
    fault: 'values that are not JSON are stored as something else',
    noticed: 'what cannot be stored as JSON is refused, naming the field and not its value',
    broken: (good) =>
      appending(good, (append) => ({
        ...append,
        messages: (append.messages ?? []).map((message) =>
          typeof message.big === 'bigint' ? { ...message, big: String(message.big) } : message,
        ),
      })),
  },
  {
    fault: 'a refusal quotes the value',
    noticed: 'what cannot be stored as JSON is refused, naming the field and not its value',
    broken: (good) => ({
      append: (threadId, fence, append) =>
        good.append(threadId, fence, append).catch((error: RunError) => {
          throw new RunError(error.code, `${error.message}: ${String(append.messages?.[0]?.big)}`);
        }),
    }),
  },
  {
    fault: 'an update moves the message to the end',
    noticed: 'an update replaces the fields given and keeps the others',
    broken: (good) => ({
      async updateMessage(threadId, fence, update) {
        const updated = await good.updateMessage(threadId, fence, update);
        if (updated && (await good.deleteMessage(threadId, fence, update.id))) {
          await good.append(threadId, fence, { messages: [updated] });
        }
        return updated;
      },
    }),
  },
];
