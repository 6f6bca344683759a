import { expect, test } from 'vitest';
import { afterCrash, hangAt } from '../../test/after-crash.ts';
import { createKit, fields, gate, newFile } from '../../test/kit.ts';
import {
  type AskPerson,
  askThroughStore,
  defineTool,
  memoryStore,
  type Store,
  type StoredAsk,
  storedAsks,
} from '../index.ts';
import { sqliteStore } from '../stores/sqlite/index.ts';

const refund = defineTool({ name: 'refund', permission: 'ask', execute: () => 'refunded' });
const call = { toolCalls: [{ name: 'refund', input: { amount: 80 } }] };

/** The question, once it stands in the store. */
async function waitForAsk(store: Store): Promise<StoredAsk> {
  for (;;) {
    const [ask] = await storedAsks(store).list();
    if (ask !== undefined) return ask;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const opened = (): [name: string, open: () => [Store, Store]][] => [
  [
    'one process',
    () => {
      const store = memoryStore();
      return [store, store];
    },
  ],
  [
    'another process',
    () => {
      const path = newFile();
      return [sqliteStore({ path }), sqliteStore({ path })];
    },
  ],
];

test.each(opened())('a question is answered once, as it was asked, from %s', async (_, open) => {
  const [store, other] = open();
  const kit = createKit(store);
  const onAsk = askThroughStore({ store, everyMs: 5 });
  const { thread } = await kit.thread({ script: [call, 'done'], tools: [refund], onAsk });
  const sent = thread.send('Refund me.');
  const ask = await waitForAsk(other);
  expect(ask).toMatchObject({
    about: 'tool_call',
    tool: 'refund',
    input: { amount: 80 },
    threadId: thread.id,
  });
  const asks = storedAsks(other);
  expect(await asks.answer({ ...ask, input: { amount: 1 } }, { allow: true })).toBe(false);
  expect(await asks.answer(ask, { allow: true })).toBe(true);
  expect(await asks.answer(ask, { allow: false })).toBe(false);
  await sent;
  expect(await fields(thread, 'content')).toContain('refunded');
  expect(await asks.list()).toEqual([]);
  expect(JSON.stringify(await other.listValues(thread.id))).not.toContain('amount');
  if (other !== store) await other.close();
  await kit.close();
});

test('a refusal says why, a stopped turn takes its question along, and one of a dead process waits for nobody', async () => {
  const store = memoryStore();
  const kit = createKit(store);
  const onAsk = askThroughStore({ store, everyMs: 5 });
  const { thread } = await kit.thread({
    script: [call, 'ok', call, call, 'ok'],
    tools: [refund],
    onAsk,
  });
  const asks = storedAsks(store);
  const denied = thread.send('Refund me.');
  await asks.answer(await waitForAsk(store), { allow: false, reason: 'Too much.' });
  await denied;
  expect(JSON.stringify(await fields(thread, 'content'))).toContain('Too much.');
  const stopped = thread.send('Again.');
  const ask = await waitForAsk(store);
  await thread.stop();
  await stopped.catch(() => {});
  expect(await asks.list()).toEqual([]);
  expect(await asks.answer(ask, { allow: true })).toBe(false);
  const key = 'runtime/ask/left';
  const left = { fence: 0, ask: { ...ask, id: 'left' } };
  await store.setValuesIf(thread.id, { key, value: undefined }, [{ key, value: left }]);
  const again = thread.send('Once more.');
  const next = await waitForAsk(store);
  expect(next.id).not.toBe('left');
  expect(await asks.answer(left.ask, { allow: true })).toBe(false);
  await asks.answer(next, { allow: true });
  await again;
  expect(await store.getValue(thread.id, key)).toBeUndefined();
  await kit.close();
});

test('a question that a crash left goes when its turn goes on, whoever is asked then', async () => {
  const store = memoryStore();
  const kit = createKit(store);
  const key = 'runtime/ask/left';
  const { opened: reached, open } = gate();
  const onAsk: AskPerson = async ({ abortSignal: _, ...given }) => {
    const left = { fence: 1, ask: { ...given, at: 1 } };
    await store.setValuesIf('t', { key, value: undefined }, [{ key, value: left }]);
    return hangAt(open)();
  };
  const dying = { script: [call], tools: [refund], onAsk, reached };
  const thread = await afterCrash(kit, dying, { script: ['done'], tools: [refund], onAsk: () => true });
  expect(await store.getValue('t', key)).toMatchObject({ ask: { input: { amount: 80 } } });
  await thread.resume();
  expect(await store.getValue('t', key)).toBeUndefined();
  await kit.close();
});
