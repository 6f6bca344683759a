import { createReadStream, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { newFile } from '../../test/kit.ts';
import { memoryStore } from '../stores/memory/index.ts';
import { sqliteStore } from '../stores/sqlite/index.ts';
import type { Store } from '../stores/store.ts';
import { item, message, thread } from '../testing/store-suite-samples.ts';
import { type ExportText, exportThread, importThread } from './index.ts';

const owner = 'test';
const hard = 'ünï 🎉 \ud800 end';

async function exportText(store: Store, threadId: string): Promise<string> {
  let text = '';
  for await (const line of exportThread(store, threadId)) text += line;
  return text;
}

/** A thread `a` with a child, and a grandchild. */
async function filled(): Promise<Store> {
  const store = memoryStore();
  await store.createThread(thread({ id: 'a' }));
  await store.append('a', 0, { messages: [message('m1', { content: hard })], enqueue: [item('q')] });
  await store.createThread(thread({ id: 'b', parentId: 'a', depth: 1 }));
  await store.createThread(thread({ id: 'c', parentId: 'b', depth: 2 }));
  return store;
}

const stores: [string, () => Store][] = [
  ['memory', memoryStore],
  ['sqlite', () => sqliteStore({ path: ':memory:' })],
];

describe.for(stores)('an import into %s', ([, open]) => {
  test('puts no thread under one that is there, under itself or under none', async () => {
    const text = (await exportText(await filled(), 'a')).replaceAll('"parentId":"a"', '"parentId":"n"');
    const target = open();
    await target.createThread(thread({ id: 'there' }));
    for (const parent of ['there', 'n', 'nowhere']) {
      const moved = text.replace('"id":"a"', '"id":"n"').replace('"parentId":null', `"parentId":"${parent}"`);
      await expect(importThread(target, moved, { owner })).rejects.toMatchObject({
        code: 'invalid_input',
        message: 'import, line 2: the first thread must have no parent; nothing was imported',
      });
    }
    for (const parent of ['b', 'c', 'there']) {
      const moved = text.replace('"id":"a"', '"id":"n"').replace('"parentId":"n"', `"parentId":"${parent}"`);
      await expect(importThread(target, moved, { owner })).rejects.toThrow('is no child of one before it');
    }
    expect((await target.listThreads()).map(({ id }) => id)).toEqual(['there']);
    await target.close();
  });

  test('makes a thread of its own of a child that was exported for itself', async () => {
    const text = await exportText(await filled(), 'b');
    const target = open();
    expect(await importThread(target, text, { owner })).toBe('b');
    expect(await target.listThreads()).toEqual([
      thread({ id: 'b' }),
      thread({ id: 'c', parentId: 'b', depth: 1 }),
    ]);
    expect(await exportText(target, 'b')).toBe(text);
    await target.close();
  });

  test('takes bytes and text, with a mark at the start, blank lines at the end, and Windows line ends', async () => {
    const text = await exportText(await filled(), 'a');
    const bytes = new TextEncoder().encode(text);
    const path = newFile();
    writeFileSync(path, text);
    const byByte = Array.from(bytes, (byte) => Uint8Array.of(byte));
    const given: Record<string, ExportText> = {
      'the text': text,
      'the bytes': bytes,
      'a file': createReadStream(path),
      'a file in odd pieces': createReadStream(path, { highWaterMark: 7 }),
      'one byte at a time': byByte,
      'a mark': [`\ufeff${text}`],
      'a mark in bytes': [Uint8Array.of(0xef), Uint8Array.of(0xbb), Uint8Array.of(0xbf), bytes],
      'blank lines': [`${text}\n \r\n\n`],
      'Windows line ends': [text.replaceAll('\n', '\r\n')],
    };
    for (const [name, pieces] of Object.entries(given)) {
      const target = open();
      expect(await importThread(target, pieces, { owner }), name).toBe('a');
      expect(await exportText(target, 'a'), name).toBe(text);
      expect((await target.getMessage('a', 'm1'))?.content).toBe(hard);
      await target.close();
    }
  });

  test('reads an export of format 1 as a release wrote it, and writes the same bytes', async () => {
    const path = new URL('../../test/exports/format-1.jsonl', import.meta.url);
    const target = open();
    expect(await importThread(target, createReadStream(path), { owner })).toBe('root');
    expect(await exportText(target, 'root')).toBe(readFileSync(path, 'utf8'));
    await target.close();
  });

  test('needs no options, and refuses those that do not exist', async () => {
    const text = await exportText(await filled(), 'a');
    const target = open();
    for (const options of [{ owners: 'x' }, { owner: '' }, { owner: 7 }, null])
      await expect(importThread(target, text, options as object)).rejects.toMatchObject({
        name: 'RunError',
        code: 'invalid_input',
      });
    expect(await importThread(target, text)).toBe('a');
    await target.close();
  });

  test.each(['id', 'agentId'])('refuses a thread whose %s is empty: nobody could open it', async (field) => {
    const text = await exportText(await filled(), 'a');
    const target = open();
    const moved = text.replace(new RegExp(`"${field}":"[^"]*"`), `"${field}":""`);
    await expect(importThread(target, moved)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('line 2'),
    });
    await target.close();
  });

  test.each([
    ['runtime/usage', 0],
    ['runtime/usage', { total: {}, turnId: null, turn: {} }],
    ['runtime/permission-mode', 'everything'],
    ['runtime/skills', 'careful'],
  ])('refuses a damaged %s, with which nobody could open the thread, nor delete it', async (key, value) => {
    const text = await exportText(await filled(), 'a');
    const target = open();
    const lines = text.trimEnd().split('\n');
    const end = JSON.stringify({ end: lines.length + 1 });
    const damaged = [...lines.slice(0, -1), JSON.stringify({ value: { key, value } }), end].join('\n');
    await expect(importThread(target, damaged)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining(`the value ${key}`),
    });
    await target.close();
  });

  test('refuses what is no UTF-8 text, and a blank line in the middle', async () => {
    const text = await exportText(await filled(), 'a');
    const bytes = new TextEncoder().encode(text);
    const target = open();
    const bad: unknown[] = [
      [bytes.subarray(0, 300), Uint8Array.of(0xff), bytes.subarray(300)],
      [text, Uint8Array.of(0xf0, 0x9f)],
      [Array.from(bytes)],
      text.replace('\n{"message"', '\n\n{"message"'),
      `${text}\n{}`,
    ];
    for (const pieces of bad) {
      await expect(importThread(target, pieces as ExportText, { owner })).rejects.toMatchObject({
        name: 'RunError',
        code: 'invalid_input',
        message: expect.stringMatching(/; nothing was imported$/),
      });
      expect(await target.listThreads()).toEqual([]);
    }
    await target.close();
  });

  test('that dies while it gives the threads their state leaves the first one terminated', async () => {
    const text = await exportText(await filled(), 'a');
    for (let lived = 0; lived < 3; lived++) {
      const target = open();
      const { append, deleteThread } = target;
      let given = 0;
      target.append = (threadId, fence, what) =>
        what.thread?.terminated === null && given++ === lived ? dead() : append(threadId, fence, what);
      target.deleteThread = () => dead();
      await expect(importThread(target, text, { owner })).rejects.toThrow('dead');
      expect((await target.getThread('a'))?.terminated).toMatch('its import did not end');
      expect((await target.listThreads()).filter(({ terminated }) => terminated === null)).toHaveLength(
        lived,
      );
      target.append = append;
      target.deleteThread = deleteThread;
      await target.close();
    }
  });
});

const dead = (): Promise<never> => Promise.reject(new Error('dead'));
