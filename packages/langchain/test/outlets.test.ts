// All ways out of an agent, whatever its way in: what hooks mask must come out nowhere, but where the table of exceptions says so. The tables
// are typed by LangChain's own types, so what a newer version adds has to be looked at.

import { findCanaries } from '@spec/test-helpers';
import { describe, expect, test } from 'vitest';
import { Bench } from './outlets/bench.ts';
import { exceptions } from './outlets/exceptions.ts';
import { type Inlet, inlets } from './outlets/inlets.ts';

const origins = [
  ...['user', 'attached', 'named', 'system', 'later'],
  ...['text', 'reasoning', 'args', 'badargs', 'kwargs', 'metadata'],
  ...['result', 'error', 'artifact', 'command'],
];
const used = new Set<unknown>();

async function readRun({ script, run }: Inlet): Promise<string[]> {
  const bench = new Bench(script);
  const agent = await run(bench);
  expect(bench.model.sent).not.toEqual([]);
  const leaks = await findCanaries(await bench.readOutlets(agent), { origins, apart: bench.apart });
  return [...leaks.keys()];
}

function isAllowed(leak: string, inlet: string): boolean {
  const [origin = '', outlet = ''] = leak.split(' > ');
  const found = exceptions.filter(
    ({ origins, outlets, inlets: only = /./ }) =>
      origins.test(origin) && outlets.test(outlet) && only.test(inlet),
  );
  for (const exception of found) used.add(exception);
  return found.length > 0;
}

describe('what hooks mask comes out nowhere', () => {
  test.each(Object.entries(inlets))('%s', async (name, inlet) => {
    const leaks = await readRun(inlet);
    expect(leaks.filter((leak) => !isAllowed(leak, name))).toEqual([]);
  });

  test('and no exception is there that none of them needs', () => {
    expect(exceptions.filter((exception) => !used.has(exception)).map(({ why }) => why)).toEqual([]);
  });
});
