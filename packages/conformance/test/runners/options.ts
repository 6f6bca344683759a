import type { ConformanceOptions } from '../../src/test-plan.ts';
import { tinyCases, tinySubject } from '../tiny.ts';

/** What the suites of this folder are run with, as the test that starts them says. */
export const options: ConformanceOptions = {
  subject: tinySubject(),
  cases: tinyCases,
  baseline: JSON.parse(process.env.BASELINE ?? '{}') as Record<string, string>,
};
