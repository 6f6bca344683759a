import { readFileSync } from 'node:fs';
import { parseBaseline } from '@spec/conformance';
import { findBrokenClaims, findUnclaimed } from '@spec/conformance/host';
import { pickShare } from '@spec/test-helpers';
import { expect, test } from 'vitest';
import { honoursWithStore as honours } from '../src/honours.ts';
import { openaiAgentsSubject } from './subject.ts';

const baseline = parseBaseline(readFileSync(new URL('baseline.json', import.meta.url), 'utf8'));

test('the OpenAI Agents SDK keeps what its table claims, but for what its baseline says', {
  timeout: 600_000,
}, async () => {
  const pick = <Item>(cases: readonly Item[]) => pickShare(cases, 32);
  expect(await findBrokenClaims(openaiAgentsSubject('run'), { honours, baseline, pick })).toEqual([]);
});

test('the baseline is about claims', () => expect(findUnclaimed(honours, baseline)).toEqual([]));
