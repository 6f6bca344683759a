// Three nodes of Restate, of which any one may be lost: real servers, one after the other killed while turns run.

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePorts, installServers, type RestateServer, startRestate } from '@spec/local-services';
import { createRuntime, defineAgent, definePrompt, memoryStore, type Runtime } from '@spec/runtime';
import { scriptedModel } from '@spec/runtime/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type RestateWorker,
  registerWorkers,
  restateConfig,
  restateEngine,
  restateWorker,
} from '../src/index.ts';

interface Node {
  readonly ports: { readonly ingress: number; readonly admin: number; readonly node: number };
  server: RestateServer;
  start(): Promise<RestateServer>;
}

const store = memoryStore();
let nodes: Node[] = [];
let worker: RestateWorker;
let sender: Runtime;

beforeAll(async () => {
  installServers();
  const free = await findFreePorts(9);
  const ports = [0, 3, 6].map((at) => {
    const [ingress = 0, admin = 0, node = 0] = free.slice(at, at + 3);
    return { ingress, admin, node };
  });
  const folder = mkdtempSync(join(tmpdir(), 'restate-nodes-'));
  const addresses = ports.map(({ node }) => `http://127.0.0.1:${node}`);
  nodes = await Promise.all(
    ports.map(async (own, n) => {
      const home = join(folder, `node-${n}`);
      const config = restateConfig({
        ...{ folder: join(home, 'state'), ports: own, name: `node-${n}`, memory: 64 },
        ...{ nodes: addresses, makesCluster: n === 0 },
      });
      const start = () => startRestate({ folder: home, config, ports: own });
      return { ports: own, start, server: await start() };
    }),
  );
  worker = await restateWorker({ runtime: makeRuntime(), port: 0 });
  await registerWorkers({
    admin: nodes[1]?.server.admin ?? '',
    address: `http://127.0.0.1:${worker.port}`,
  });
  sender = makeRuntime({ engine: restateEngine({ ingress: nodes.map(({ server }) => server.ingress) }) });
}, 180_000);

afterAll(async () => {
  await worker?.close();
  await sender?.close();
  await Promise.all(nodes.map(({ server }) => server.stop().catch(() => {})));
});

function makeRuntime(more: { engine?: ReturnType<typeof restateEngine> } = {}): Runtime {
  return createRuntime({
    store,
    lease: '300ms',
    models: { scripted: scriptedModel(Array.from({ length: 20_000 }, () => 'Here.')) },
    prompts: [definePrompt({ name: 'desk' })],
    agents: [defineAgent({ name: 'desk', prompt: 'desk' })],
    ...more,
  });
}

test('of three nodes any one is lost without a turn', { timeout: 180_000 }, async () => {
  const sent = new Map<string, string[]>();
  let [ended, isEnding] = [0, false];
  const sendAll = async (threadId: string): Promise<void> => {
    const thread = await sender.createThread({ agent: 'desk', id: threadId });
    const texts: string[] = [];
    sent.set(threadId, texts);
    while (!isEnding) {
      texts.push(`${threadId} ${texts.length}`);
      expect(await thread.send(texts.at(-1) ?? '')).toMatchObject({ status: 'completed', text: 'Here.' });
      ended++;
    }
  };
  const sending = Promise.all(['a', 'b', 'c'].map(sendAll));
  let failure: unknown;
  sending.catch((error) => {
    failure = error;
  });
  const isPast = async (turns: number, where: string) => {
    await expect.poll(() => failure ?? ended > turns, { timeout: 60_000, message: where }).toBe(true);
  };
  for (const [n, node] of nodes.entries()) {
    await isPast(5, 'before');
    process.kill(node.server.pid, 'SIGKILL');
    await isPast(ended + 10, `without node ${n}`);
    await node.server.stop().catch(() => {});
    node.server = await node.start();
  }
  isEnding = true;
  await sending;
  for (const [threadId, texts] of sent) {
    const messages = await store.listMessages(threadId);
    expect(messages.map(({ content }) => content)).toEqual(texts.flatMap((text) => [text, 'Here.']));
  }
});
