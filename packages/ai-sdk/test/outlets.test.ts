// All ways out of a run, whatever its way in: what hooks mask must come out nowhere, but where the table of exceptions says so. The tables are
// typed by the AI SDK's own types, so what a newer version adds has to be looked at.

import { tracingChannel } from 'node:diagnostics_channel';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Bench, type Version, versions } from './outlets/bench.ts';
import { findLeaks } from './outlets/canaries.ts';
import { exceptions } from './outlets/exceptions.ts';
import { type Inlet, inlets } from './outlets/inlets.ts';

const used = new Set<unknown>();

/** Runs an inlet, with the events of version 7 for whoever traces a process. */
async function readRun(version: Version, { script, hooks, run }: Inlet): Promise<string[]> {
  const bench = new Bench(version, script, hooks);
  const note = (message: unknown): void => bench.recorder.note('telemetry.channel', message);
  const listeners = { start: note, end: note, asyncStart: note, asyncEnd: note, error: note };
  const channel = tracingChannel('ai:telemetry');
  channel.subscribe(listeners);
  try {
    await run(bench);
  } finally {
    channel.unsubscribe(listeners);
  }
  expect(bench.model.sent).not.toEqual([]);
  return [...(await findLeaks(await bench.readOutlets(), bench.apart))].map(
    ([leak, paths]) => `${leak} ${paths[0]}`,
  );
}

function isAllowed(leak: string, inlet: string): boolean {
  const [origin = '', rest = ''] = leak.split(' > ');
  const outlet = rest.replace(/ \S+$/, '');
  const found = exceptions.filter(
    ({ origins, outlets, inlets: only = /./ }) =>
      (origins as readonly string[]).includes(origin) && outlets.test(outlet) && only.test(inlet),
  );
  for (const exception of found) used.add(exception);
  return found.length > 0;
}

beforeAll(() => {
  globalThis.AI_SDK_LOG_WARNINGS = false;
});
afterAll(() => {
  globalThis.AI_SDK_LOG_WARNINGS = undefined;
});

const cases = versions.flatMap((version) =>
  Object.entries(inlets)
    .filter(([, { only = version.name }]) => only === version.name)
    .map(([name, inlet]) => ({ version, name, inlet, title: `AI SDK ${version.name}, ${name}` })),
);

describe('what hooks mask comes out nowhere', () => {
  test.each(cases)('$title', async ({ version, name, inlet }) => {
    const leaks = await readRun(version, inlet);
    const { origins } = inlet;
    const isOurs = (leak: string): boolean =>
      origins === undefined || origins.some((origin) => leak.startsWith(`${origin} > `));
    expect(leaks.filter((leak) => isOurs(leak) && !isAllowed(leak, name))).toEqual([]);
  });

  test('and no exception is there that none of them needs', () => {
    expect(exceptions.filter((exception) => !used.has(exception)).map(({ why }) => why)).toEqual([]);
  });
});
