import { createRuntime, memoryStore } from '@spec/runtime';
import { scriptedModel } from '@spec/runtime/testing';
import { expect, test } from 'vitest';
import { registerWorkers, restateConfig, restateEngine, restateWorker } from './index.ts';
import { encodeKey } from './service.ts';

const runtime = createRuntime({ agents: [], prompts: [], models: {}, store: memoryStore() });

test.each<[string, () => unknown, RegExp]>([
  ['no address', () => restateEngine({ ingress: 'restate:8080' }), /ingress must be an address/],
  ['a list without an address', () => restateEngine({ ingress: [] }), /ingress must be an address/],
  [
    'a node without http',
    () => restateConfig({ folder: '/r', nodes: ['10.0.0.1:5122'] }),
    /nodes must be addresses/,
  ],
  [
    'an unknown option',
    () => restateEngine({ ingress: 'http://r', ingres: 1 } as never),
    /"ingres".*"ingress"\?$/,
  ],
  [
    'an option that is misspelt and so missing',
    () => restateEngine({ ingres: 'http://r' } as never),
    /"ingres".*"ingress"/,
  ],
  ['no options of workers', () => registerWorkers(undefined as never), /options must be an object/],
  [
    'an unknown option of workers',
    () => registerWorkers({ admin: 'http://r', adress: 'http://w' } as never),
    /"adress".*"address"/,
  ],
  ['no patience', () => restateEngine({ ingress: 'http://r', patienceMs: -1 }), /patienceMs must be/],
  ['no runtime', () => restateWorker({ runtime: {} as never, port: 0 }), /runtime must be one/],
  ['no port', () => restateWorker({ runtime, port: 70_000 }), /port must be a number/],
  ['no admin', () => registerWorkers({ admin: 'nowhere', address: 'http://w' }), /admin must be an address/],
  ['no folder', () => restateConfig({ folder: '' }), /folder must be the path/],
  [
    'half a partition',
    () => restateConfig({ folder: '/r', partitions: 0.5 }),
    /partitions must be a whole number/,
  ],
])('%s is refused with what to give', async (_name, make, message) => {
  await expect((async () => make())()).rejects.toMatchObject({
    code: 'bad_option',
    message: expect.stringMatching(message),
  });
});

test('a port that is in use is told, and a worker that is closed frees its port', async () => {
  const worker = await restateWorker({ runtime, port: 0 });
  await expect(restateWorker({ runtime, port: worker.port })).rejects.toMatchObject({
    code: 'bad_option',
    message: expect.stringContaining(`${worker.port} of 127.0.0.1`),
  });
  await worker.close();
  await (await restateWorker({ runtime, port: worker.port })).close();
});

test('a server that is not there is told after the patience, without the address', async () => {
  const sender = createRuntime({
    ...{ agents: [{ name: 'a', prompt: 'p' }], prompts: [{ name: 'p' }], models: { m: scriptedModel([]) } },
    store: memoryStore(),
    engine: restateEngine({ ingress: 'http://user:secret@127.0.0.1:1', patienceMs: 50 }),
  });
  const thread = await sender.createThread({ agent: 'a' });
  const error = await thread.send('hi').catch((thrown: Error) => thrown);
  expect(error).toMatchObject({
    code: 'engine_failed',
    message: expect.stringMatching(/Restate cannot be reached/),
  });
  expect(String(error)).not.toContain('secret');
  await sender.close();
});

test('the settings bind loopback, quote what they are given, and hold the ports', () => {
  const config = restateConfig({ folder: '/a "b"\\c', ports: { ingress: 1, admin: 2, node: 3 } });
  expect(config).toContain('base-dir = "/a \\"b\\"\\\\c"');
  expect(config.match(/bind-ip = "127\.0\.0\.1"/g)).toHaveLength(3);
  expect(config.match(/bind-port = \d/g)).toEqual(['bind-port = 3', 'bind-port = 1', 'bind-port = 2']);
});

test('a node of a cluster knows the others, and keeps what it has on a majority of them', () => {
  const nodes = ['http://10.0.0.1:5122', 'http://10.0.0.2:5122', 'http://10.0.0.3:5122'];
  const config = restateConfig({ folder: '/r', name: 'two', nodes });
  expect(config).toContain('auto-provision = false');
  expect(config).toContain('default-replication = 2');
  expect(config).toContain(`[metadata-client]\naddresses = [${nodes.map((node) => `"${node}"`).join(', ')}]`);
  expect(restateConfig({ folder: '/r', nodes, makesCluster: true })).toContain('auto-provision = true');
  expect(restateConfig({ folder: '/r' })).not.toContain('provision');
});

test('each id is one key, and each key one that Restate takes', () => {
  const ids = ['t1', 'a/b', '~t1', 'ä', '\0', '\ud800', '\ud801', 'x'.repeat(500), 'user@example.com:7', ''];
  const keys = ids.map(encodeKey);
  expect(new Set(keys).size).toBe(ids.length);
  for (const key of keys) expect(key).toMatch(/^[\w.:@~-]+$/);
});
