import { isDeepStrictEqual } from 'node:util';
import type { AnyHookKind, Outcome } from '@spec/hooks';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runReally } from '../../test/real-chain.ts';
import { type Answer, type Chain, type Member, type ModelledHook, modelled } from './chain.ts';
import { playModel } from './model.ts';

/** A tenth of them in `npm test`. */
const RUNS = process.env.SAMPLE_OF_DAY === undefined ? 10_000 : 1_000;

const letters = ['a', 'b', 'c', 'd', 'e'];
const takeMatchers = new Set<ModelledHook>([
  'after_tool_call_success',
  'before_store_tool_result',
  'before_tool_call',
]);
const takeChanges = new Set<ModelledHook>([
  'after_tool_call_success',
  'before_store_tool_result',
  'before_create_message',
]);

const policiesOf = { observe: ['continue'], decide: ['block', 'continue', 'ask'] } as Readonly<
  Record<string, readonly Member['onError'][]>
>;

/** Mostly the common value, so that chains get far enough for their hooks to meet. */
const rarely = <T>(rare: fc.Arbitrary<T>, common: T, weight = 6): fc.Arbitrary<T> =>
  fc.oneof({ arbitrary: fc.constant(common), weight }, { arbitrary: rare, weight: 1 });

function makeMember(hook: ModelledHook): fc.Arbitrary<Omit<Member, 'id'>> {
  const { kind } = modelled[hook];
  const policy = fc.constantFrom(undefined, ...(policiesOf[kind] ?? ['block', 'continue']));
  return fc.record({
    isPolicy: fc.boolean(),
    priority: fc.constantFrom(0, 0, 5, -5),
    onError: policy,
    onTimeout: policy,
    timeout: fc.constantFrom(undefined, 7),
    refuses: rarely(
      fc.constantFrom(...(takeMatchers.has(hook) ? (['match', 'schema'] as const) : (['schema'] as const))),
      undefined,
      8,
    ),
    mayChangeNothing: takeChanges.has(hook) ? rarely(fc.constant(true), false) : fc.constant(false),
    scribbles: fc.boolean(),
    ms: rarely(fc.constantFrom(5, 9, 14, Number.POSITIVE_INFINITY), 0, 3).chain((ms) =>
      fc.constantFrom(ms, ms === 0 ? 1 : ms),
    ),
    answer: rarely(fc.constantFrom<Answer>('null', 'undefined', 'wrong', 'throws', 'lent'), 'edited', 2),
    edit: fc.constantFrom('appends', 'sets'),
    decision: fc.constantFrom(undefined, undefined, 'allow', 'allow', 'ask', 'deny'),
    onlyAbout: fc.constantFrom(undefined, ...letters),
    aborts: rarely(fc.constant(true), false, 30),
    writesLate: rarely(fc.constant(true), false),
  });
}

const chains: fc.Arbitrary<Chain> = fc
  .constantFrom(...(Object.keys(modelled) as ModelledHook[]))
  .chain((hook) =>
    fc.record({
      hook: fc.constant(hook),
      members: fc
        .array(makeMember(hook), { maxLength: letters.length })
        .map((members) => members.map((member, i) => ({ ...member, id: letters[i] as string }))),
      marks: fc.constantFrom('', 'a', 'bc'),
      abortAt: rarely(fc.constantFrom(-1, 0.5, 4.5, 11.5, 30.5), undefined, 8),
    }),
  );

const always: readonly Outcome[] = ['ok', 'failed', 'timed_out', 'aborted', 'invalid_input', 'skipped'];
const outcomesOf: Readonly<Record<AnyHookKind, readonly Outcome[]>> = {
  observe: always,
  replace: [...always, 'changed', 'invalid_result'],
  transform: [...always, 'changed', 'invalid_result'],
  decide: [...always, 'changed', 'invalid_result', 'denied', 'asked'],
  collect: [...always, 'invalid_result'],
};
const everyOutcome = Object.entries(outcomesOf).flatMap(([kind, some]) =>
  some.map((one) => `${kind} ${one}`),
);

/** Many chains at once, each on its own clock: what takes time is one turn of the event loop for each of a clock's steps. */
test(`what the executor makes of ${RUNS} random chains is what the model says`, {
  timeout: 60_000,
}, async () => {
  let runs = 0;
  const outcomes = new Set<string>();
  const property = fc.asyncProperty(fc.array(chains, { maxLength: 250, size: 'max' }), async (batch) => {
    const seen = await Promise.all(batch.map(runReally));
    for (const [i, chain] of batch.entries()) {
      const expected = { ...playModel(chain), problems: [] };
      if (!isDeepStrictEqual(seen[i], expected)) expect(seen[i], JSON.stringify(chain)).toEqual(expected);
      for (const run of expected.runs) outcomes.add(`${modelled[chain.hook].kind} ${run.slice(2)}`);
    }
    runs += batch.length;
  });
  while (runs < RUNS) await fc.assert(property, { numRuns: 10 });
  expect([...outcomes].sort()).toEqual(everyOutcome.sort());
});
