import { describe, test } from 'vitest';
import { type ConformanceOptions, planTests } from './test-plan.ts';

export type { ConformanceOptions } from './test-plan.ts';

/** Defines a vitest suite with one test for each case: `conformance({ subject: ourRuntime() })`. Those not applicable are skipped. */
export function conformance(options: ConformanceOptions): void {
  describe(`conformance of ${options.subject.name}`, () => {
    for (const { name, run } of planTests(options)) {
      test(name, { timeout: 0 }, async ({ skip }) => {
        const notApplicable = await run();
        if (notApplicable !== undefined) skip(notApplicable);
      });
    }
  });
}
