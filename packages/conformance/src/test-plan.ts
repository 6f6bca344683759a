import { checkOptionNames, type OptionNames } from '@spec/hooks';
import { cases as allCases } from './cases/index.ts';
import {
  casesToRun,
  describeComplaint,
  type JudgeOptions,
  judgeAgain,
  judgeOptionNames,
  unknownIds,
} from './judge.ts';
import type { Subject } from './subject.ts';

/** What the runners of test frameworks take. */
export interface ConformanceOptions extends Omit<JudgeOptions, 'onVerdict'> {
  readonly subject: Subject;
}

/** A test, whatever framework runs it. */
export interface PlannedTest {
  readonly name: string;
  /** Throws where the case fails, or the baseline is stale. @returns Why the case is not applicable, where it is not. */
  run(): Promise<string | undefined>;
}

const { onVerdict: _, ...forTests } = judgeOptionNames;
const optionNames: OptionNames<ConformanceOptions> = { subject: true, ...forTests };

/**
 * One test for each case, and one for the baseline.
 *
 * @throws {DefinitionError} `bad_option`, as `judge` does
 */
export function planTests(given: ConformanceOptions): readonly PlannedTest[] {
  checkOptionNames('conformance', given, optionNames);
  const { subject, ...options } = given;
  const { cases = allCases, baseline = {} } = options;
  const tests = casesToRun(options).map((one) => ({
    name: Object.hasOwn(baseline, one.id) ? `${one.id} (known to fail)` : one.id,
    async run() {
      const verdict = await judgeAgain(one, subject, options);
      const complaint = describeComplaint(verdict);
      if (complaint !== undefined) throw plainError(complaint);
      return verdict.outcome === 'not_applicable' ? verdict.message : undefined;
    },
  }));
  return [
    ...tests,
    {
      name: 'the baseline names no case that is not there',
      run: async () => refuseUnknown(unknownIds(baseline, cases)),
    },
  ];
}

function refuseUnknown(unknown: readonly string[]): undefined {
  if (unknown.length === 0) return undefined;
  throw plainError(
    `No case has the id ${unknown.map((id) => `"${id}"`).join(', ')}: take it out of the baseline.`,
  );
}

/** Without a stack: it would lead into the suite, not into the runtime. */
function plainError(message: string): Error {
  const error = new Error(message);
  error.stack = message;
  return error;
}
