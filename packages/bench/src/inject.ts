import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createRuntime, defineAgent, definePrompt, type Runtime } from '@spec/runtime';
import { sqliteStore } from '@spec/runtime/sqlite';
import { scriptedModel } from '@spec/runtime/testing';
import type { Bench } from './bench.ts';
import { type MeasureOptions, measure, type Series } from './measure.ts';
import { rawClient } from './raw-client.ts';
import { inFolder } from './scratch.ts';
import type { Synchronous } from './turn/contender.ts';

const THREAD = 'thread';
const CONTENT = 'Where is my order 1042? It was to be here on Monday, and nothing has come.';
const OURS = 'thread.inject';
const RAW = 'prepared INSERT in a transaction';

export const injectFull: Bench = inject('FULL', 1.3, { batch: 20, time: 60 });
export const injectNormal: Bench = inject('NORMAL', 1.6, { batch: 100 });

/** A message stored by the runtime without any hook, against the physical limit: SQLite's own work for one row. */
function inject(synchronous: Synchronous, atMost: number, options: MeasureOptions): Bench {
  return {
    name: `inject-${synchronous.toLowerCase()}`,
    about: `storing one message without hooks, synchronous=${synchronous}, against SQLite alone on a table like ours`,
    unit: 'ns',
    comparisons: [{ of: OURS, against: RAW, atMost }],
    run: () => inFolder((folder) => measureIn(folder, synchronous, options)),
  };
}

async function measureIn(folder: string, synchronous: Synchronous, options: MeasureOptions): Promise<Series> {
  const warmUp = await contendersIn(join(folder, 'warm-up'), 'NORMAL');
  for (let call = 0; call < WARM_UP; call++) for (const write of Object.values(warmUp.writes)) await write();
  await warmUp.close();

  const { writes, close } = await contendersIn(join(folder, 'measured'), synchronous);
  const series = await measure(writes, options);
  await close();
  return series;
}

/** So many calls until the compiler has seen enough of everything; they wait for no disk. */
const WARM_UP = 10_000;

interface Contenders {
  readonly writes: Readonly<Record<typeof OURS | typeof RAW, () => unknown>>;
  close(): Promise<void>;
}

async function contendersIn(folder: string, synchronous: Synchronous): Promise<Contenders> {
  mkdirSync(folder);
  const runtime = runtimeAt(join(folder, 'ours.db'), synchronous);
  const thread = await runtime.createThread({ agent: 'agent', id: THREAD });
  const raw = await rawAt(join(folder, 'raw.db'), synchronous);
  return {
    writes: {
      [OURS]: () => thread.inject({ role: 'user', content: CONTENT }),
      [RAW]: () => raw.insert(),
    },
    async close() {
      await runtime.close();
      raw.close();
    },
  };
}

function runtimeAt(path: string, synchronous: Synchronous): Runtime {
  return createRuntime({
    models: { scripted: scriptedModel([]) },
    prompts: [definePrompt({ name: 'prompt' })],
    agents: [defineAgent({ name: 'agent', prompt: 'prompt' })],
    store: sqliteStore({ path, synchronous }),
  });
}

/** The same table with the same indexes and pragmas, written to by better-sqlite3 and nothing else. */
async function rawAt(path: string, synchronous: Synchronous): Promise<{ insert(): void; close(): void }> {
  const runtime = runtimeAt(path, synchronous);
  await runtime.createThread({ agent: 'agent', id: THREAD });
  await runtime.close();

  const client = rawClient(path, synchronous);
  const key = client.prepare('select key from threads where id = ?').pluck().get(THREAD);
  const insert = client.prepare(
    'insert into messages (thread, id, role, content, created_at, flags) values (?, ?, ?, ?, ?, 0)',
  );
  const write = client.transaction((id: string, at: number) => insert.run(key, id, 'user', CONTENT, at));
  return {
    insert: () => void write.immediate(crypto.randomUUID(), Date.now() * 1_000),
    close: () => client.close(),
  };
}
