import fc from 'fast-check';
import { expect, test } from 'vitest';
import { harness, makeHook, sampleCall } from '../../test/chain.ts';
import type { Verdict } from '../vocabulary/lifecycle.ts';

type Word = 'deny' | 'ask' | 'allow';

/** What a hook answers to the inputs 0 to 3. */
type Answers = ReadonlyArray<{ readonly decision?: Word; readonly to?: number }>;

interface Asked {
  readonly hook: number;
  readonly input: number;
  readonly answer: Answers[number];
}

const readInput = (call: unknown): number =>
  (JSON.parse((call as { function: { arguments: string } }).function.arguments) as { order: number }).order;

async function deliberate(
  tables: readonly Answers[],
): Promise<{ asked: Asked[]; verdict: Verdict; ids: string[] }> {
  const asked: Asked[] = [];
  const hooks = tables.map((answers, hook) =>
    makeHook('before_tool_call', async (_state, call) => {
      const input = readInput(call);
      const answer = answers[input] ?? {};
      asked.push({ hook, input, answer });
      const { decision, to } = answer;
      return { ...(decision && { decision }), ...(to === undefined ? {} : { input: { order: to } }) };
    }),
  );
  const { run } = harness();
  const call = { ...sampleCall(), function: { name: 'get_order', arguments: '{"order":0}' } };
  return { asked, verdict: (await run(hooks, call)) as Verdict, ids: hooks.map(({ id }) => id) };
}

const answer: fc.Arbitrary<Answers[number]> = fc.record(
  { decision: fc.constantFrom<Word[]>('allow', 'ask', 'allow', 'ask', 'deny'), to: fc.nat(3) },
  { requiredKeys: [] },
);
const tables = fc.array(fc.array(answer, { minLength: 4, maxLength: 4 }), { minLength: 1, maxLength: 5 });

test('V1 to V3: whatever hooks rewrite and decide, the verdict is on an input that all of them saw', async () => {
  await fc.assert(
    fc.asyncProperty(tables, async (given) => {
      const { asked, verdict, ids } = await deliberate(given);
      const denial = asked.findIndex(({ answer: { decision } }) => decision === 'deny');
      expect(asked.length).toBeLessThanOrEqual(given.length * 4);
      expect(verdict.rewrittenBy).toEqual([...new Set(verdict.rewrittenBy)]);
      if (denial >= 0) {
        expect(denial).toBe(asked.length - 1);
        expect(verdict).toMatchObject({ decision: 'deny', by: ids[asked[denial]?.hook as number] });
        return;
      }
      if (verdict.decision === 'deny') {
        expect(verdict.reason).toContain('after 3 rounds it is denied');
        return;
      }
      const final = readInput(verdict.subject);
      const last = given.map((_, hook) => asked.findLast((one) => one.hook === hook) as Asked);
      for (const {
        input,
        answer: { to },
      } of last)
        expect(to ?? input).toBe(final);
      const strictest =
        (['ask', 'allow'] as const).find((word) => last.some((one) => one.answer.decision === word)) ?? null;
      expect(verdict.decision).toBe(strictest);
      const decider = last.findIndex((one) => one.answer.decision === strictest);
      expect(verdict.by).toBe(strictest === null ? null : ids[decider]);
    }),
    { numRuns: 500 },
  );
});

test('V2: a hook that had seen the final input is not asked again', async () => {
  const { asked } = await deliberate([
    [{}, {}],
    [{ to: 1 }, {}],
    [{}, {}],
  ]);
  expect(asked.map(({ hook, input }) => `${hook} saw ${input}`)).toEqual([
    '0 saw 0',
    '1 saw 0',
    '2 saw 1',
    '0 saw 1',
  ]);
});
