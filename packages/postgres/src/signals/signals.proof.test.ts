import type { Signal } from '@spec/runtime';
import { expect, vi } from 'vitest';
import { serverTest as test, testDatabase } from '../../test/database.ts';
import { serverUrl } from '../../test/server.ts';
import { postgresSignals } from './signals.ts';

const { newSchema, sql } = testDatabase();

const text = (number: number, size = 1): Signal & { readonly from: string } => ({
  type: 'text',
  messageId: 'm',
  threadId: 't',
  from: 'other',
  text: `${number} ${'ä'.repeat(size)}`,
});

test('signals reach who listens in another process, in order, however many; a large one is told as dropped', async () => {
  const schema = newSchema();
  const [one, other] = [1, 2].map(() => postgresSignals({ url: serverUrl(), schema }));
  const heard: Signal[] = [];
  const forget = other?.subscribe(
    't',
    (signal) => heard.push(signal),
    () => {},
  );
  other?.subscribe(
    'another',
    () => heard.push(text(-1)),
    () => {},
  );
  await vi.waitFor(() => {
    one?.publish('t', text(0));
    expect(heard.length).toBeGreaterThan(0);
  }, 20_000);
  heard.splice(0);
  for (let number = 1; number <= 300; number++) one?.publish('t', text(number, 100));
  one?.publish('t', text(301, 5_000));
  await vi.waitFor(() => expect(heard.at(-1)?.type).toBe('events_dropped'), 20_000);
  const numbers = heard.flatMap((signal) =>
    signal.type === 'text' ? [Number.parseInt(signal.text, 10)] : [],
  );
  expect(numbers.filter((number) => number > 0)).toEqual(Array.from({ length: 300 }, (_, at) => at + 1));
  forget?.();
  await one?.close();
  await other?.close();
});

test('whoever listens is told of a gap where the connection was lost, and hears again', async () => {
  const schema = newSchema();
  const signals = postgresSignals({ url: serverUrl(), schema });
  const heard: Signal[] = [];
  let gaps = 0;
  signals.subscribe(
    't',
    (signal) => heard.push(signal),
    () => gaps++,
  );
  const hear = () =>
    vi.waitFor(() => {
      signals.publish('t', text(0));
      expect(heard.length).toBeGreaterThan(0);
    }, 20_000);
  await hear();
  const cut = `select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen sh_%' and pid <> pg_backend_pid()`;
  await vi.waitFor(async () => {
    await sql(cut);
    expect(gaps).toBeGreaterThan(0);
  }, 20_000);
  heard.splice(0);
  await hear();
  await signals.close();
});
