import { expect, test } from 'vitest';
import { cases } from '../src/cases/index.ts';
import { missingAbilities } from '../src/run-case.ts';
import { conformance } from '../src/vitest.ts';
import { ourRuntime } from './our-runtime.ts';

const subject = ourRuntime('sqlite');

test('our runtime is judged by every case', () => {
  expect(cases.filter((one) => missingAbilities(one, subject).length > 0)).toEqual([]);
});

conformance({ subject, concurrency: 4 });
