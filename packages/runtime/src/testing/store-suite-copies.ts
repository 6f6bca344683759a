import { same } from '@spec/hooks/testing';
import type { Store } from '../stores/store.ts';
import type { StoreCase } from './store-suite-case.ts';
import { call, file, item, message, noFence, run, t, thread } from './store-suite-samples.ts';

export const copyCases: readonly StoreCase[] = [
  {
    name: 'what goes in and what comes out are copies',
    async run(store) {
      const given = sample();
      const pending = storeAll(store, given);
      spoil(given);
      await Promise.all(pending);
      const first = await readAll(store);
      same(first, sample(), 'what was read');
      const others = [
        await store.listMessages(t),
        await store.listThreads(),
        await store.listFiles(t),
        await store.pageRuns(t, { size: 1 }),
      ];
      const updated = await store.updateMessage(t, noFence, { id: 'm1', fields: {} });
      spoil([first, others, updated]);
      same(await readAll(store), sample(), 'what was read again');
      same(await store.listMessages(t), [sample().message], 'listMessages');
    },
  },
];

const sample = () => ({
  record: thread({
    metadata: { list: [1] },
    turn: { id: 'turn' },
    compaction: { summaryId: 's', throughId: 'm' },
  }),
  message: message('m1', { list: [{ deep: 1 }], metadata: { deep: [1] } }),
  call: call('m1'),
  item: item('q1', { payload: { list: [1] } }),
  posted: item('q2', { payload: { list: [1] } }),
  run: run('redact', { values: { before: [1] } }),
  value: { list: [1] },
  entry: { key: 'k2', value: { list: [1] } },
  file: file('f1', [1, 2]),
});

function storeAll(store: Store, given: ReturnType<typeof sample>): Promise<unknown>[] {
  return [
    store.createThread(given.record),
    store.append(t, noFence, {
      messages: [given.message],
      toolCalls: [given.call],
      runs: [given.run],
      enqueue: [given.item],
      values: [given.entry],
    }),
    store.post(t, given.posted),
    store.setValue(t, noFence, { key: 'k', value: given.value }),
    store.writeFile(t, noFence, given.file),
  ];
}

async function readAll(store: Store): Promise<Record<keyof ReturnType<typeof sample>, unknown>> {
  const [item, posted] = await store.listQueue(t);
  return {
    record: await store.getThread(t),
    message: await store.getMessage(t, 'm1'),
    call: (await store.listToolCalls(t))[0],
    item,
    posted,
    run: (await store.listRuns())[0],
    value: await store.getValue(t, 'k'),
    entry: (await store.listValues(t))[1],
    file: await store.readFile(t, 'f1'),
  };
}

/** Changes everything in a value that can be changed, at every depth. */
function spoil(value: unknown): void {
  if (value instanceof Uint8Array) value.fill(0xff);
  else if (Array.isArray(value)) for (const inside of value.splice(0)) spoil(inside);
  else if (typeof value === 'object' && value !== null) {
    const record = value as Record<string, unknown>;
    for (const [name, inside] of Object.entries(record)) {
      spoil(inside);
      record[name] = 'spoilt';
    }
  }
}
