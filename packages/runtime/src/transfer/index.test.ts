import type { RunError } from '@spec/hooks';
import { describe, expect, test } from 'vitest';
import { tempFiles } from '../../test/sqlite/temp-files.ts';
import { memoryStore } from '../stores/memory/index.ts';
import { sqliteStore } from '../stores/sqlite/index.ts';
import type { Store } from '../stores/store.ts';
import { call, file, hardTexts, item, message, run, thread } from '../testing/store-suite-samples.ts';
import { exportThread, importThread } from './index.ts';

const newFile = tempFiles();
const owner = 'test';
const root = 'root';
const large = 'dir/large \ud83d';
const empty = new Uint8Array();

async function exportLines(store: Store, threadId = root): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of exportThread(store, threadId)) lines.push(line);
  return lines;
}

/** A thread with one of everything, hard texts included, a child and a grandchild; and a stranger. */
async function fill(store: Store): Promise<void> {
  await store.createThread(thread({ id: 'stranger' }));
  await store.append('stranger', 0, { messages: [message('m1', { content: 'of a stranger' })] });
  await store.createThread(
    thread({
      id: root,
      userId: 'u',
      currentSide: 'b',
      turn: { id: 'turn-9' },
      metadata: { b: 1, a: [...hardTexts] },
    }),
  );
  const messages = hardTexts.map((text, n) =>
    message(`m${n} ${text}`, {
      content: text,
      depth: 0,
      z: { b: 1, a: null },
      a: text,
      name: null,
      metadata: n % 2 ? text : { text, list: [1, 2.5, { deep: true }] },
    }),
  );
  const [first, second] = messages;
  const calls = [
    call(first?.id ?? ''),
    call(first?.id ?? '', { position: 1, status: 'done' }),
    call(second?.id ?? ''),
  ];
  const runs = hardTexts.map((text, n) =>
    run(`r${n}`, {
      threadId: root,
      about: n % 2 ? { message: text } : { call: text },
      source: text,
      turnId: n % 3 ? text : null,
    }),
  );
  await store.append(root, 0, {
    messages,
    toolCalls: calls,
    runs: [...runs, run('why', { threadId: root, why: 'a rule', code: 'hook_failed', outcome: 'failed' })],
    enqueue: [
      item('q1'),
      item('q2', { kind: 'stop', payload: {} }),
      item('q3', { kind: 'tool' }),
      item('q4', { kind: 'inject' }),
    ],
    values: hardTexts.map((text, n) => ({ key: text, value: { n, text } })),
    thread: { compaction: { summaryId: 'm5', throughId: 'm3' } },
  });
  await store.writeFile(root, 0, file('empty', []));
  const bytes = new Uint8Array(400_003).map((_, at) => (at * 31) % 256);
  await store.writeFile(root, 0, { ...file(large, []), data: bytes, size: bytes.length });
  await store.createThread(thread({ id: 'child', parentId: root, depth: 1, terminated: 'done' }));
  await store.append('child', 0, { messages: [message('m1')], runs: [run('r', { threadId: 'child' })] });
  await store.createThread(thread({ id: 'grandchild', parentId: 'child', depth: 2 }));
  await store.append('grandchild', 0, { messages: [message('m1'), message('m2')] });
  await store.createThread(thread({ id: 'second', parentId: root, depth: 1 }));
}

const stores: Record<string, () => Store> = {
  memory: memoryStore,
  sqlite: () => sqliteStore({ path: newFile(), synchronous: 'NORMAL' }),
};

describe('an export', () => {
  for (const from of Object.keys(stores))
    for (const to of Object.keys(stores))
      test(`of ${from} is the same after an import into ${to}`, async () => {
        const [source, target] = [stores[from]?.() as Store, stores[to]?.() as Store];
        await fill(source);
        const lines = await exportLines(source);
        expect(await importThread(target, lines, { owner })).toBe(root);
        expect(await exportLines(target)).toEqual(lines);
        const ids = [root, 'child', 'grandchild', 'second'];
        expect((await target.listThreads()).map(({ id }) => id)).toEqual(ids);
        for (const id of ids) {
          const lists = async (store: Store) => [
            await store.getThread(id),
            await store.listMessages(id),
            await store.listToolCalls(id),
            await store.listValues(id),
            await store.listFiles(id),
            await store.listQueue(id),
            await store.listRuns({ threadId: id }),
          ];
          expect(await lists(target)).toEqual(await lists(source));
        }
        const [given, got] = [await source.readFile(root, large), await target.readFile(root, large)];
        expect(Buffer.compare(given?.data ?? empty, got?.data ?? empty)).toBe(0);
        await target.acquireLease({ threadId: root, owner: 'next', ttlMs: 1000 }); // it was left free
        await Promise.all([source.close(), target.close()]);
      });

  test('is JSON lines that name their format and their number', async () => {
    const store = memoryStore();
    await fill(store);
    const lines = await exportLines(store);
    expect(lines[0]).toBe('{"format":"spec-thread","version":1}\n');
    expect(lines[1]).toMatch(/^\{"thread":\{"id":"root","agentId":"agent"/);
    expect(lines.at(-1)).toBe(`{"end":${lines.length}}\n`);
    expect(lines.every((line) => line.indexOf('\n') === line.length - 1)).toBe(true);
    expect(lines.join('')).not.toContain('of a stranger');
  });

  test('of a thread that is not there, or that changes meanwhile, is refused', async () => {
    const store = memoryStore();
    await fill(store);
    await expect(exportLines(store, 'unknown')).rejects.toMatchObject({ code: 'not_found' });
    const changes: ((id: string) => Promise<unknown>)[] = [
      (id) => store.updateMessage(root, 0, { id, fields: { content: 'other' } }),
      () => store.setValue(root, 0, { key: 'k', value: 'other' }),
      () => store.writeFile(root, 0, file('empty', [1])),
      () => store.post(root, item('posted')),
      () => store.append(root, 0, { runs: [run('late', { threadId: root })] }),
      () => store.append('grandchild', 0, { thread: { currentSide: 'b' } }),
      () => store.createThread(thread({ id: 'late', parentId: 'child', depth: 2 })),
      (id) => store.append(root, 0, { messages: [message('late')], thread: { metadata: { id } } }),
      (id) => store.deleteMessage(root, 0, id),
      () => store.deleteThread(root, 0),
    ];
    for (const change of changes) {
      const lines = exportThread(store, root);
      const pulled = (async () => {
        for await (const line of lines) if (line.includes('"id":"second"')) await change('m0 ');
      })();
      await expect(pulled).rejects.toMatchObject({ code: expect.stringMatching('thread_busy') });
    }
  });
});

describe('an import', () => {
  test('takes text in pieces of any length', async () => {
    const source = memoryStore();
    await fill(source);
    const lines = await exportLines(source);
    const text = lines.join('');
    for (const size of [61, 65_536, text.length]) {
      const target = memoryStore();
      const pieces = function* () {
        for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
      };
      await importThread(target, pieces(), { owner });
      expect(await exportLines(target)).toEqual(lines);
    }
    const target = memoryStore();
    await importThread(target, [text.trimEnd()], { owner });
    expect(await exportLines(target)).toEqual(lines);
  });

  test('is refused where an id is taken, and leaves what is there alone', async () => {
    const source = memoryStore();
    await fill(source);
    const lines = await exportLines(source);
    for (const taken of [root, 'child', 'grandchild']) {
      const target = memoryStore();
      await target.createThread(thread({ id: taken, agentId: 'mine' }));
      await target.append(taken, 0, { messages: [message('mine')] });
      await expect(importThread(target, lines, { owner })).rejects.toMatchObject({
        code: 'invalid_input',
        message: expect.stringMatching(
          new RegExp(`^import, line \\d+: thread ${taken}, .* is in the store already`),
        ),
      });
      expect(await target.listThreads()).toEqual([thread({ id: taken, agentId: 'mine' })]);
      expect(await target.countMessages(taken)).toBe(1);
    }
    const target = memoryStore();
    await target.createThread(thread({ id: 'orphan', parentId: root })); // would go with the thread if the import failed
    await expect(importThread(target, lines, { owner })).rejects.toMatchObject({ code: 'invalid_input' });
    expect(await target.listThreads()).toHaveLength(1);
  });

  test('that was cut short anywhere is refused with the line, and leaves nothing behind', async () => {
    const source = memoryStore();
    await fill(source);
    const lines = await exportLines(source);
    const target = memoryStore();
    for (let length = 0; length < lines.length; length += 1) {
      await expect(importThread(target, lines.slice(0, length), { owner })).rejects.toMatchObject({
        code: 'invalid_input',
        message: expect.stringMatching(
          new RegExp(`^import, line ${length + 1}: .*cut short.*nothing was imported$`),
        ),
      });
      expect(await target.listThreads()).toEqual([]);
    }
    const half = [...lines.slice(0, 20), lines[20]?.slice(0, 30) ?? ''];
    await expect(importThread(target, half, { owner })).rejects.toThrow(
      'import, line 21: it is not valid JSON',
    );
    expect(await target.listThreads()).toEqual([]);
    await importThread(target, lines, { owner });
  });

  const broken: [problem: string, at: RegExp, change: (line: string) => string, message: RegExp][] = [
    [
      'a first line of something else',
      /format/,
      () => '{"role":"user"}\n',
      /^import, line 1: this is not an export/,
    ],
    [
      'another version',
      /format/,
      () => '{"format":"spec-thread","version":2}\n',
      /line 1: it is of version 2.*update/,
    ],
    ['no JSON', /"value"/, (line) => line.slice(1), /line \d+: it is not valid JSON/],
    ['a list', /"value"/, () => '[1]\n', /line \d+: it is not an object/],
    [
      'two kinds in a line',
      /"value"/,
      () => '{"value":{},"call":{}}\n',
      /line \d+: it must be an object with one field/,
    ],
    ['an unknown kind', /"value"/, () => '{"secret":{}}\n', /line \d+: it is of a kind/],
    ['a missing line', /"value"/, () => '', /line \d+: the export has \d+ lines; some are missing/],
    [
      'a repeated line',
      /"value"/,
      (line) => line + line,
      /line \d+: the export has \d+ lines; some are missing or were added/,
    ],
    [
      'a bad role',
      /"message"/,
      (line) => line.replace('"role":"user"', '"role":"boss"'),
      /line 3: field "role" of message m0/,
    ],
    [
      'a bad thread',
      /"thread"/,
      (line) => line.replace('"depth":0', '"depth":"0"'),
      /line 2: field "depth" of its thread/,
    ],
    ['a bad turn', /"thread"/, (line) => line.replace('"turn-9"', '7'), /line 2: field "turn"/],
    [
      'a call of no message',
      /"call"/,
      (line) => line.replace('"messageId":"m0', '"messageId":"x'),
      /lines \d+ to \d+: message x.* is not in thread/,
    ],
    [
      'a field that is refused',
      /"message"/,
      (line) => line.replace('"deep"', '"__proto__"'),
      /lines \d+ to \d+: field "metadata" of message/,
    ],
    [
      'a message twice',
      /"id":"m5/,
      (line) => line.replace(/"id":"m5[^"]*"/, '"id":"m0 "'),
      /line 2: thread root.* same id/,
    ],
    [
      'bad bytes',
      /"bytes"/,
      (line) => line.replace('"bytes":"', '"bytes":"é'),
      /line \d+: its bytes are not base64/,
    ],
    [
      'missing bytes',
      /"bytes"/,
      (line) => line.replace(/"bytes":".{400}/, '"bytes":"'),
      /line \d+: the file before it is cut short/,
    ],
    [
      'a child of a stranger',
      /"id":"child"/,
      (line) => line.replace('"parentId":"root"', '"parentId":"x"'),
      /line \d+: its thread is no child/,
    ],
  ];
  test.for(broken)('is refused for %s', async ([, at, change, expected]) => {
    const source = memoryStore();
    await fill(source);
    const lines = await exportLines(source);
    const index = lines.findIndex((line) => at.test(line));
    const bad = lines.with(index, change(lines[index] ?? ''));
    for (const target of [memoryStore(), sqliteStore({ path: ':memory:' })]) {
      const error = (await importThread(target, bad, { owner }).catch((reason) => reason)) as RunError;
      expect(error.code).toBe('invalid_input');
      expect(error.message).toMatch(expected);
      expect(await target.listThreads()).toEqual([]);
      await target.close();
    }
  });

  test('that ended early leaves threads that take no messages', async () => {
    const source = memoryStore();
    await fill(source);
    const lines = await exportLines(source);
    const target = memoryStore();
    let seen: unknown;
    const watched = async function* () {
      for (const [index, line] of lines.entries()) {
        if (index === lines.length - 1) seen = await target.getThread(root);
        yield line;
      }
    };
    await importThread(target, watched(), { owner });
    expect(seen).toMatchObject({
      terminated: expect.stringMatching(/import did not end; delete it/),
      turn: null,
    });
    expect(await target.getThread(root)).toMatchObject({ terminated: null, turn: { id: 'turn-9' } });
  });
});
