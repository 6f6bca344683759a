import { readFileSync } from 'node:fs';
import { parseBaseline } from '@spec/conformance';
import { findBrokenClaims, findUnclaimed } from '@spec/conformance/host';
import { pickShare } from '@spec/test-helpers';
import * as v6 from 'ai';
import * as v7 from 'ai-v7';
import { expect, test } from 'vitest';
import { honoursWithStore as honours } from '../src/honours.ts';
import { aiSdkSubject } from './subject.ts';

const baseline = parseBaseline(readFileSync(new URL('baseline.json', import.meta.url), 'utf8'));

const subjects = [
  { name: 'AI SDK 6', ai: v6, specificationVersion: 'v3', way: 'generateText' },
  { name: 'AI SDK 7', ai: v7 as unknown as typeof v6, specificationVersion: 'v4', way: 'streamText' },
] as const;

test.each(subjects)(
  '$name keeps what its table claims, but for what its baseline says',
  { timeout: 600_000 },
  async (given) => {
    const pick = <Item>(cases: readonly Item[]) => pickShare(cases, 16);
    expect(await findBrokenClaims(aiSdkSubject(given), { honours, baseline, pick })).toEqual([]);
  },
);

test('the baseline is about claims', () => expect(findUnclaimed(honours, baseline)).toEqual([]));
