import { setTimeout as wait } from 'node:timers/promises';
import { postgresStore } from '@spec/postgres';
import type { Runtime } from '@spec/runtime';
import { restateEngine } from '../src/index.ts';
import { startAgent } from './agent.ts';
import { type Cluster, SCHEMA } from './cluster.ts';

/** Messages that are sent to a cluster, one after another on each of some threads. */
export interface Load {
  /** What was sent, by thread; sending goes on until {@link Load.end}. */
  readonly sent: ReadonlyMap<string, readonly string[]>;
  /** How many turns have ended. */
  turns(): number;
  /** Sends no more, and waits for what was sent. @throws what a turn threw */
  end(): Promise<void>;
}

/** Sends as an application does: by a runtime of its own over the same store, each turn under an id, and again where a call failed. */
export async function startLoad(cluster: Cluster, threads: number): Promise<Load> {
  const store = await postgresStore({ url: cluster.postgres.url, schema: SCHEMA, patienceMs: 30_000 });
  const runtime = startAgent({ store, engine: restateEngine({ ingress: cluster.ingress }) });
  const sent = new Map<string, string[]>();
  let ended = 0;
  let isEnding = false;

  async function sendAll(threadId: string): Promise<void> {
    const texts: string[] = [];
    sent.set(threadId, texts);
    await again(async () => {
      if ((await store.getThread(threadId)) === null)
        await runtime.createThread({ agent: 'worker', id: threadId });
    });
    for (let n = 1; !isEnding; n++) {
      texts.push(`${threadId}-${n}`);
      await again(() => sendOne(runtime, threadId, `${threadId}-${n}`));
      ended++;
    }
  }

  const sending = Promise.all(Array.from({ length: threads }, (_, n) => sendAll(`t${n}`)));
  sending.catch(() => {});
  return {
    sent,
    turns: () => ended,
    async end() {
      isEnding = true;
      await sending;
      await runtime.close();
    },
  };
}

async function sendOne(runtime: Runtime, threadId: string, text: string): Promise<void> {
  const thread = await runtime.openThread(threadId);
  const { status, text: said } = await thread.send(text, { id: `turn-${text}` });
  if (status !== 'completed' || said !== `answer to ${text}`)
    throw new Error(`turn ${text}: ${status}, ${said}`);
}

/** The servers are killed: a call may fail for it, and is made again. */
async function again<T>(call: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await call();
    } catch (error) {
      const { code } = error as { code?: string };
      if (tries > 20 || (code !== 'engine_failed' && code !== 'store_failed')) throw error;
      await wait(500);
    }
  }
}
