import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { bundleCore, expected, program } from './core-bundle.ts';

const makeModule = (source: string): string => `data:text/javascript,${encodeURIComponent(source)}`;

/** What Node has and neither a browser nor a web worker has. */
const nodeOnly = [
  'process',
  'Buffer',
  'global',
  'setImmediate',
  'clearImmediate',
  'require',
  'module',
  '__dirname',
];

test('the core is one script that imports nothing, and runs in a worker without the globals of Node', async () => {
  const { code, imports } = await bundleCore();
  expect(imports).toEqual([]);
  const script = `
    const { parentPort } = require('node:worker_threads');
    const post = parentPort.postMessage.bind(parentPort);
    for (const name of ${JSON.stringify(nodeOnly)}) delete globalThis[name];
    ${program}
    import(${JSON.stringify(makeModule(code))})
      .then(async (core) => post({ result: await tryCore(core), globals: ${JSON.stringify(nodeOnly)}.filter((name) => name in globalThis) }))
      .catch((error) => post({ error: String(error && error.stack) }));
  `;
  const worker = new Worker(script, { eval: true });
  const answer = await new Promise((resolve, reject) =>
    worker.once('message', resolve).once('error', reject),
  );
  await worker.terminate();
  expect(answer).toEqual({ result: expected, globals: [] });
}, 30_000);
