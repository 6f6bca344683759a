import { inspect } from 'node:util';
import { defineHook } from '@spec/hooks';
import { canary, findText, findTexts, maskAll, maskText } from '@spec/test-helpers';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { Bench, type Origin, say } from './outlets/bench.ts';
import { type Exception, exceptions } from './outlets/exceptions.ts';
import { ways } from './outlets/ways.ts';
import { memoryWays } from './outlets/ways-of-memory.ts';
import { otherWays } from './outlets/ways-of-others.ts';

const held = defineHook({
  hook: 'before_create_message',
  id: 'held',
  execute: async (_state, message) => maskAll(message),
});
const inPieces = defineHook({
  hook: 'before_create_message',
  id: 'pieces',
  holdBack: 40,
  stream: maskText,
  execute: async (_state, message) => maskAll(message),
});

const met = new Set<Exception>();

function isExpected(found: { readonly way: string; readonly path: string }): boolean {
  const exception = exceptions.find(({ way, path }) => way.test(found.way) && path.test(found.path));
  if (exception !== undefined) met.add(exception);
  return exception !== undefined;
}

const origins: readonly Origin[] = ['user', 'answer', 'args', 'result', 'later'];

/** The place of each card, behind where it was said. */
async function listPaths({ ear }: Bench): Promise<string[]> {
  const found = await findTexts(ear.heard, origins.map(canary), { apart: [ear] });
  return origins.flatMap((origin) => (found.get(canary(origin)) ?? []).map((path) => `${origin}${path}`));
}

const inEach = [
  ['generate', held],
  ['stream', held],
  ['stream', inPieces],
] as const;
const inTwo = [inEach[0], inEach[2]];
const all = [
  ...Object.entries(ways).flatMap(([name, way]) => inEach.map((how) => [name, way, ...how] as const)),
  ...Object.entries({ ...otherWays, ...memoryWays }).flatMap(([name, way]) =>
    inTwo.map((how) => [name, way, ...how] as const),
  ),
];

test.each(all)('nothing that hooks take out stands anywhere: %s', async (name, way, mode, hook) => {
  const bench = new Bench(mode, [hook], way);
  await way.go(bench);
  await bench.finish();
  const paths = await listPaths(bench);
  expect(paths.filter((path) => !isExpected({ way: name, path }))).toEqual([]);
});

test('a model that only gives the structure is refused: no hook would see its answer', async () => {
  const bench = new Bench('generate', [held]);
  const agent = bench.agent({ steps: [{ text: say('answer') }] });
  const model = bench.model([{ text: JSON.stringify({ text: say('answer') }) }]);
  await bench.ask(agent, { structuredOutput: { schema: z.object({ text: z.string() }), model } });
  await bench.finish();
  const { error, memory, requests } = bench.ear.heard;
  expect(String(error?.[0])).toContain('No hook sees the answer of the model in structuredOutput.');
  expect(await findText([error, memory, requests], canary('answer'))).toEqual([]);
});

test.each(['finds by meaning', 'observes'])('a memory that %s before the hooks is refused', async (what) => {
  const bench = new Bench('generate', [held]);
  await memoryWays[`a memory that ${what}, before the hooks`]?.go(bench);
  const { error, requests } = bench.ear.heard;
  expect(inspect(error, { depth: 9 })).toContain(
    'Give the agent inputProcessors: hooks.beforeMemory(memory).',
  );
  expect(requests?.flat()).toEqual([]);
});

test('every exception is one', () => {
  expect(exceptions.filter((exception) => !met.has(exception))).toEqual([]);
});
