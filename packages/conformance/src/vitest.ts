import { describe, test, vi } from 'vitest';
import { type ConformanceOptions, planTests } from './test-plan.ts';

export type { ConformanceOptions } from './test-plan.ts';

/**
 * Defines a vitest suite with one test for each case: `conformance({ subject: ourRuntime() })`. Those not applicable are skipped.
 * A `concurrency` above 1 holds for all concurrent tests of the file.
 */
export function conformance(options: ConformanceOptions): void {
  const { subject, concurrency = 1 } = options;
  const concurrent = concurrency > 1;
  if (concurrent) vi.setConfig({ maxConcurrency: concurrency });
  describe(`conformance of ${subject.name}`, { concurrent }, () => {
    for (const { name, run } of planTests(options)) {
      test(name, { timeout: 0 }, async ({ skip }) => {
        const notApplicable = await run();
        if (notApplicable !== undefined) skip(notApplicable);
      });
    }
  });
}
