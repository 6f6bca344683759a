import { defineHook } from '@spec/hooks';
import { expect } from 'vitest';
import { defineAgent } from '../src/index.ts';
import { message, thread as record } from '../src/testing/store-suite-samples.ts';
import { lines, onBothStores, thrownBy } from './kit.ts';

onBothStores('a thread is not deleted while another process has one below it', async (kit) => {
  let ended = 0;
  const policies = [
    defineHook({ hook: 'after_session_ended', id: 'count', execute: async () => void ended++ }),
  ];
  const { thread } = await kit.thread({ policies, script: ['still here'] });
  await kit.store.createThread(record({ id: 'child', parentId: thread.id, depth: 1 }));
  await kit.store.createThread(record({ id: 'grandchild', parentId: 'child', depth: 2 }));
  const lease = await kit.store.acquireLease({ threadId: 'grandchild', owner: 'another', ttlMs: 60_000 });

  expect(await thrownBy(thread.delete())).toMatchObject({ code: 'thread_busy', threadId: 'grandchild' });
  expect(ended).toBe(0);
  await kit.store.append('grandchild', lease.fence, { messages: [message('m1')] });
  expect(await thread.send('Go')).toMatchObject({ text: 'still here' });
  expect(await lines(thread)).toHaveLength(2);

  await kit.store.releaseLease(lease);
  await thread.delete();
  expect(ended).toBe(1);
  expect(await kit.store.listThreads()).toEqual([]);
});

onBothStores('a handle of a thread that was deleted writes into no other one with its id', async (kit) => {
  const agents = [defineAgent({ name: 'other', prompt: 'prompt' })];
  const one = kit.start({ script: ['mine'], agents, lease: 20 });
  const two = kit.start({ script: ['theirs'], agents });
  const old = await one.runtime.createThread({ agent: 'agent', id: 't' });
  await old.send('Go');
  await new Promise((resolve) => setTimeout(resolve, 30)); // Its lease runs out.
  const deleted = await two.runtime.openThread('t');
  await deleted.delete();
  const fresh = await two.runtime.createThread({ agent: 'other', id: 't', userId: 'bob' });
  await fresh.send('Hello');
  await fresh.close();

  expect(await thrownBy(old.send('Again'))).toMatchObject({ code: 'not_found', threadId: 't' });
  const again = await one.runtime.openThread('t');
  expect([again.agentId, await lines(again)]).toEqual(['other', ['user: Hello', 'assistant: theirs']]);
});
