import { AsyncLocalStorage } from 'node:async_hooks';
import { setTraceProcessors, setTracingDisabled } from '@openai/agents';
import { encodeText, findTexts } from '@spec/test-helpers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OpenAIAgentsOptions } from '../src/index.ts';
import type { Ear } from './outlets/ear.ts';
import { type Exception, exceptions } from './outlets/exceptions.ts';
import { Kit, type Mode } from './outlets/kit.ts';
import { listenToTraces, spans } from './outlets/listening.ts';
import { allMasks, CARD } from './outlets/masks.ts';
import { ways } from './outlets/ways.ts';
import type { Way } from './outlets/ways-of-answers.ts';

const ears = new AsyncLocalStorage<Ear>();

beforeAll(() => {
  setTracingDisabled(false);
  setTraceProcessors([listenToTraces(() => ears.getStore())]);
});
afterAll(() => {
  setTraceProcessors([]);
  setTracingDisabled(true);
});

const modes: Readonly<Record<keyof typeof allMasks, readonly Mode[]>> = {
  'on messages': ['run', 'stream'],
  'on messages, in pieces': ['stream', 'texts'],
  'on what the user says': ['run'],
  'on calls': ['run'],
  'on results': ['stream'],
};

/** @returns all places where the card stands when agents have run in one way */
async function listLeaks({ go, options = {} }: Way, maskName: string, mode: Mode): Promise<string[]> {
  const masks = allMasks[maskName];
  if (masks === undefined) throw new Error(maskName);
  let kit: Kit;
  const more: Partial<OpenAIAgentsOptions> = typeof options === 'function' ? options(() => kit) : options;
  kit = new Kit(masks, mode, more);
  await ears.run(kit.ear, () => go(kit));
  const heard = [...(await kit.finish())];
  const looked = heard.filter(([outlet]) => masks.outlets?.includes(outlet) ?? true);
  const encoded = encodeText(CARD).slice(0, 20);
  const apart = [kit.ear, kit.ear.heard, ...spans];
  const found = await findTexts(Object.fromEntries(looked), [CARD, encoded], { apart });
  const ofFiles = (found.get(encoded) ?? []).map((path) => `in base64: ${path}`);
  return [...(found.get(CARD) ?? []), ...ofFiles];
}

const met = new Set<Exception>();

function isExpected(found: { readonly way: string; readonly mask: string; readonly path: string }): boolean {
  const exception = exceptions.find(
    ({ way, mask, outlet }) =>
      found.way.startsWith(way ?? '') && (mask ?? found.mask) === found.mask && outlet.test(found.path),
  );
  if (exception !== undefined) met.add(exception);
  return exception !== undefined;
}

describe.each(Object.entries(ways))('nothing that hooks take out stands anywhere: %s', (way, how) => {
  test.each(Object.entries(modes))('hooks %s', async (mask, all) => {
    for (const mode of all) {
      const paths = await listLeaks(how, mask, mode);
      expect(
        paths.filter((path) => !isExpected({ way, mask, path })),
        mode,
      ).toEqual([]);
    }
  });
});

test('every exception is one', () => {
  expect(exceptions.filter((exception) => !met.has(exception))).toEqual([]);
});
