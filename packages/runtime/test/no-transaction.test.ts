import { type AnyHook, defineHook } from '@spec/hooks';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { sqliteStore } from '../src/stores/sqlite/index.ts';
import { eventfulTurn } from './eventful-turn.ts';
import { createKit, lines, newFile } from './kit.ts';

const answering = ['before_user_message', 'before_tool_call', 'after_tool_batch', 'before_stop'];
const returning = [
  'after_thread_created',
  'after_subagent_created',
  'before_create_message',
  'after_create_message',
  'after_system_message',
  'filter_messages',
  'prefilter_llm_history',
  'after_tool_call_success',
  'before_store_tool_result',
];

test('no hook runs inside a transaction: another connection can write the whole file from within each', async () => {
  const path = newFile();
  const kit = createKit(sqliteStore({ path, synchronous: 'NORMAL' }));
  const other = new Database(path, { timeout: 0 }); // It does not wait: a transaction that is open would refuse it.
  other.exec('create table from_hooks (hook text)');
  const insert = other.prepare('insert into from_hooks values (?)');
  const turn = eventfulTurn();
  const policies = [...answering, ...returning].map((hook) =>
    defineHook({
      hook,
      id: `write_${hook}`,
      execute: async (...args: unknown[]) => {
        insert.run(hook);
        return (answering.includes(hook) ? null : args.at(-1)) as never;
      },
    } as never),
  ) as readonly AnyHook[];
  const { thread } = await kit.thread({ ...turn, policies: [...(turn.policies ?? []), ...policies] });
  await thread.send('Go');
  expect((await lines(thread)).at(-1)).toBe('assistant: Done.');
  const seen = other.prepare('select distinct hook from from_hooks').pluck().all();
  expect(new Set(seen)).toEqual(new Set([...answering, ...returning]));
  other.close();
  await kit.close();
});
