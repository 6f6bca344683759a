import { describe, test } from 'node:test';
import { type ConformanceOptions, planTests } from './test-plan.ts';

export type { ConformanceOptions } from './test-plan.ts';

/** Defines a suite of Node's own test runner, one test for each case: `conformance({ subject: ourRuntime() })`. Those not applicable are skipped. */
export function conformance(options: ConformanceOptions): void {
  const { subject, concurrency = 1 } = options;
  void describe(`conformance of ${subject.name}`, { concurrency }, () => {
    for (const { name, run } of planTests(options)) {
      void test(name, async (context) => {
        const notApplicable = await run();
        if (notApplicable !== undefined) context.skip(notApplicable);
      });
    }
  });
}
