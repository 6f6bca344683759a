import { join } from 'node:path';
import { createInspector } from '@spec/inspector';
import { sqliteReader, sqliteStore } from '@spec/runtime/sqlite';
import Database from 'better-sqlite3';
import type { Bench, Comparison } from './bench.ts';
import { fill } from './fill.ts';
import { measure, type TimedCall } from './measure.ts';
import { inFolder } from './scratch.ts';

const LARGE = 'of 1,000,000 messages and 5,000,000 runs';
const SMALL = 'of 10,000 messages and 50,000 runs';
const messagesIn = { [LARGE]: 1_000_000, [SMALL]: 10_000 } as const;

const MESSAGES_IN_THREAD = 100;
const MICROS_BETWEEN = 1_000_000;
const START = 1_760_000_000_000_000;

/** What the page asks for, by the view; paths of a thread are those of the newest. */
const views = {
  'list of threads': '/api/threads',
  'end of a conversation': '/api/threads/THREAD/messages',
  'a turn': '/api/threads/THREAD/turns?size=20',
  'newest runs': '/api/runs?size=100',
  'runs of one hook': '/api/runs?size=100&id=guard',
  'first hits of a search': '/api/search?text=parcel&size=50',
  'the newest hour': '/api/series?since=SINCE&until=UNTIL&size=60',
} as const;

type View = keyof typeof views;
const names = Object.keys(views) as View[];

/** What a view needs must not grow with what is stored. */
export const inspectorViews: Bench = {
  name: 'inspector',
  about: 'what a view of the inspector asks for, over HTTP',
  unit: 'ns',
  comparisons: names.map(
    (name): Comparison => ({ of: `${name}, ${LARGE}`, against: `${name}, ${SMALL}`, atMost: 3 }),
  ),
  notes: [
    'Targets of the large file on two cores: the list of threads 500 ms, a conversation 300 ms, first hits 200 ms.',
  ],
  run: () =>
    inFolder(async (folder) => {
      const [large, small] = [await serve(folder, LARGE), await serve(folder, SMALL)];
      const calls = names.flatMap((name): [string, TimedCall][] => [
        [`${name}, ${LARGE}`, () => large.ask(views[name])],
        [`${name}, ${SMALL}`, () => small.ask(views[name])],
      ]);
      const series = await measure(Object.fromEntries(calls), { batch: 1, rounds: 5 });
      await Promise.all([large.close(), small.close()]);
      return series;
    }),
};

interface Served {
  ask(path: string): Promise<void>;
  close(): Promise<void>;
}

async function serve(folder: string, size: keyof typeof messagesIn): Promise<Served> {
  const messages = messagesIn[size];
  const path = join(folder, `${messages}.db`);
  await seed(path, messages);
  const records = sqliteReader({ path });
  const running = await createInspector({ records }).listen();
  const origin = `http://127.0.0.1:${running.port}`;
  const session = await fetch(`${origin}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ key: new URL(running.makeLink()).hash.slice('#key='.length) }),
  });
  const { token } = (await session.json()) as { token: string };
  const end = START + messages * MICROS_BETWEEN;
  const fillIn = (view: string): string =>
    view
      .replace('THREAD', `t${messages / MESSAGES_IN_THREAD}`)
      .replace('SINCE', String(end - 3_600_000_000))
      .replace('UNTIL', String(end));
  return {
    async ask(view) {
      const answer = await fetch(origin + fillIn(view), { headers: { authorization: `Bearer ${token}` } });
      const text = await answer.text();
      if (!answer.ok || text.length < 100) throw new Error(`${view} answered ${answer.status} ${text}`);
    },
    async close() {
      await running.close();
      await records.close();
    },
  };
}

/** Rows as the store writes them: a million messages would take an hour through it. Five runs come with each message, and every twentieth is changed. */
async function seed(path: string, messages: number): Promise<void> {
  const store = sqliteStore({ path, synchronous: 'NORMAL' });
  await fill(store, 'first', 0);
  await store.close();
  const client = new Database(path);
  client.pragma('synchronous = OFF');
  client
    .prepare(`with recursive n(i) as (select 1 union all select i + 1 from n where i < :count)
    insert into threads (key, id, agent_id, depth, created_at, current_side, metadata)
    select i + 1, 't' || i, 'support', 0, :start + i * ${MESSAGES_IN_THREAD} * ${MICROS_BETWEEN}, 'a', '{}' from n`)
    .run({ count: messages / MESSAGES_IN_THREAD, start: START });
  client
    .prepare(`with recursive n(i) as (select 1 union all select i + 1 from n where i < :count)
    insert into messages (key, thread, id, role, flags, created_at, content)
    select i, 2 + (i - 1) / ${MESSAGES_IN_THREAD}, printf('m%09d', i), iif(i % 2, 'user', 'assistant'), 0, :start + i * ${MICROS_BETWEEN},
      'Where is the parcel of order ' || i || '? ' || hex(randomblob(200)) from n`)
    .run({ count: messages, start: START });
  client
    .prepare(`with recursive n(i) as (select 1 union all select i + 1 from n where i < :count)
    insert into hook_runs (key, thread, stored_at, longest, turn_id, step, alone, runs)
    select i, 2 + (i - 1) / ${MESSAGES_IN_THREAD}, :start + i * ${MICROS_BETWEEN}, 1000, 'turn-' || ((i - 1) / 10), 1, 0,
      '[3,["bcm","stamp","policy",0,"ok",0,0.25,20,20,' || (:start + i * ${MICROS_BETWEEN}) || ']'
        || ',["bcm","redact","policy",0,"' || iif(i % 20, 'ok', 'c') || '",' || (i % 20 = 0) || ',0.4,20,18,3]'
        || ',["acm","log","policy",0,"ok",0,0.1,20,20,1],["btc","guard","policy",0,"ok",0,0.1,9,9,2],["atb","tell","policy",0,"ok",0,0.1,9,9,3]]'
    from n`)
    .run({ count: messages, start: START });
  client.close();
}
