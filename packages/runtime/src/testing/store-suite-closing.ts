import { holds, refused, same } from '@spec/hooks/testing';
import type { StoreCase } from './store-suite-case.ts';
import { call, calls, file, item, message, run, t, thread, withMessages } from './store-suite-samples.ts';

const long = 60_000;

export const closingCases: readonly StoreCase[] = [
  {
    name: 'after close every call is refused with closed',
    async run(store) {
      await withMessages(store, 'm1');
      await store.close();
      await store.close();
      for (const [method, invoke] of calls(store)) await refused(invoke(), 'closed', method);
    },
  },
  {
    name: 'everything is there after closing and opening again',
    needsReopen: true,
    async run(store, reopen) {
      await store.createThread(thread({ metadata: { a: 1 } }));
      const lease = await store.acquireLease({ threadId: t, owner: 'a', ttlMs: long });
      const append = {
        messages: [message('m1', { tags: [1] })],
        toolCalls: [call('m1')],
        runs: [run('r')],
        enqueue: [item('q')],
      };
      await store.append(t, lease.fence, append);
      await store.setValue(t, lease.fence, { key: 'k', value: [1] });
      await store.writeFile(t, lease.fence, file('f1', [1]));
      const next = await reopen(store);
      same(await next.getThread(t), thread({ metadata: { a: 1 } }), 'thread');
      same(await next.listMessages(t), append.messages, 'messages');
      same(await next.listToolCalls(t), append.toolCalls, 'tool calls');
      same(await next.listRuns(), append.runs, 'runs');
      same(await next.listQueue(t), append.enqueue, 'queue');
      same(await next.getValue(t, 'k'), [1], 'value');
      same(await next.readFile(t, 'f1'), file('f1', [1]), 'file');
      await refused(next.acquireLease({ threadId: t, owner: 'b', ttlMs: long }), 'thread_busy', 'the lease');
      await next.releaseLease(lease);
      const second = await next.acquireLease({ threadId: t, owner: 'b', ttlMs: long });
      holds(second.fence > lease.fence, 'the fence must go on counting');
      await next.close();
    },
  },
];
