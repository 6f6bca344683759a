import { describe, expect, test } from 'vitest';
import { failing, needing, passing, tinyCases, tinySubject } from '../test/tiny.ts';
import type { Case } from './case.ts';
import { cases } from './cases/index.ts';
import { casesNamed, judge } from './judge.ts';
import { scoresOf, summaryOf, toJson, toMarkdown } from './report.ts';
import { planTests } from './test-plan.ts';

const judged = (options: Parameters<typeof judge>[1] = {}): ReturnType<typeof judge> =>
  judge(tinySubject(), { cases: tinyCases, ...options });

describe('judging', () => {
  test('a case passes, fails or does not apply', async () => {
    const { subject, ok, verdicts, unknown } = await judged();
    expect({ subject, ok, unknown }).toEqual({ subject: 'tiny', ok: false, unknown: [] });
    expect(verdicts.map(({ id, outcome, message }) => [id, outcome, message])).toEqual([
      ['storage.keeps', 'passed', undefined],
      ['storage.answers', 'failed', 'expected 2 messages,\ngot 1'],
      ['streaming.waits', 'not_applicable', 'needs streaming, files'],
    ]);
  });

  test('a failure that the baseline knows is none', async () => {
    const { ok, verdicts } = await judged({ baseline: { 'storage.answers': 'there are no answers' } });
    expect(ok).toBe(true);
    expect(verdicts[1]).toMatchObject({ outcome: 'known_failure', reason: 'there are no answers' });
  });

  test.each([
    ['passes', { 'storage.keeps': 'why' }, passing],
    ['is not applicable', { 'streaming.waits': 'why' }, needing],
  ])('an entry of the baseline whose case %s is stale', async (_, baseline, one) => {
    const { ok, verdicts } = await judged({ baseline, cases: [one] });
    expect([ok, verdicts[0]?.outcome]).toEqual([false, 'stale']);
  });

  test('an entry of the baseline that no case has is stale', async () => {
    const { ok, unknown } = await judged({ baseline: { 'storage.gone': 'why' }, cases: [passing] });
    expect([ok, unknown]).toEqual([false, ['storage.gone']]);
  });

  test('it says how many cases were not asked for, where only a part was', async () => {
    const part = await judged({ only: 'storage.keeps' });
    expect(part).toMatchObject({ ok: true, notJudged: 2 });
    const words = 'only a part was judged, and is conformant: 1 of 1 · MUST 1/1 · not judged 2';
    expect([summaryOf(part), JSON.parse(toJson(part)).notJudged]).toEqual([words, 2]);
    expect(summaryOf(await judged({ only: 'storage.answers' }))).toBe(
      'not conformant: 0 of 1 · ours 0/1 · not judged 2',
    );
    expect(await judged({ only: '*' })).not.toHaveProperty('notJudged');
    expect(toMarkdown(part)).toContain(`**${words}**`);
  });

  test('an entry is not unknown because other cases were asked for', async () => {
    const { ok } = await judged({ baseline: { 'storage.answers': 'why' }, only: 'streaming' });
    expect(ok).toBe(true);
  });

  test.each([
    ['storage', ['storage.keeps', 'storage.answers']],
    ['storage.keeps', ['storage.keeps']],
    ['*.a*', ['storage.answers']],
    ['s*', ['storage.keeps', 'storage.answers', 'streaming.waits']],
    ['storage.k', []],
    ['[s]torage', []],
  ])('only %s', (pattern, ids) => {
    expect(casesNamed(tinyCases, pattern).map(({ id }) => id)).toEqual(ids);
  });

  test('verdicts are told as they come, and stand in the order of the cases', async () => {
    let finish: (value?: unknown) => void = () => {};
    const fastEnds = new Promise((resolve) => {
      finish = resolve;
    });
    const slow: Case = { ...passing, id: 'storage.slow', run: async () => void (await fastEnds) };
    const fast: Case = { ...passing, id: 'storage.fast', run: async () => void setTimeout(finish, 5) };
    const told: string[] = [];
    const { verdicts } = await judged({
      cases: [slow, fast],
      concurrency: 2,
      onVerdict: ({ id }) => told.push(id),
    });
    expect(told).toEqual(['storage.fast', 'storage.slow']);
    expect(verdicts.map(({ id }) => id)).toEqual(['storage.slow', 'storage.fast']);
  });

  test('a case that fails is run again where that is asked for', async () => {
    let runs = 0;
    const shaky: Case = {
      ...passing,
      async run() {
        if (++runs < 3) throw new Error('not yet');
      },
    };
    expect((await judged({ cases: [shaky], retries: 1 })).verdicts[0]).toMatchObject({
      outcome: 'failed',
      tries: 2,
    });
    runs = 0;
    expect((await judged({ cases: [shaky], retries: 2 })).verdicts[0]).toMatchObject({
      outcome: 'passed',
      tries: 3,
    });
  });

  test.each([0, 1.5, Number.NaN])(
    'a concurrency of %s is refused: it would judge nothing',
    async (concurrency) => {
      await expect(judged({ concurrency })).rejects.toMatchObject({ code: 'bad_option' });
    },
  );

  test('a topic that there is not is refused', async () => {
    await expect(judged({ only: 'nothing' })).rejects.toThrow('No case has the id or the topic "nothing".');
    const options = { subject: tinySubject(), cases: tinyCases, only: 'nothing' };
    expect(() => planTests(options)).toThrow('No case has the id or the topic "nothing".');
  });

  test('a case that does not end fails', async () => {
    const endless: Case = { ...passing, run: () => new Promise(() => {}) };
    const { verdicts } = await judged({ cases: [endless], timeLimit: 20 });
    expect(verdicts[0]).toMatchObject({ outcome: 'failed', message: 'the case did not end within 20 ms' });
  });
});

describe('reports', () => {
  test('the summary counts what applies, by level', async () => {
    expect(summaryOf(await judged())).toBe('not conformant: 1 of 2 · MUST 1/1 · ours 0/1 · not applicable 1');
    expect(summaryOf(await judged({ cases: [passing] }))).toBe('conformant: 1 of 1 · MUST 1/1');
    expect(summaryOf(await judged({ cases: [failing], baseline: { 'storage.answers': 'why' } }))).toBe(
      'as its baseline says: 0 of 1 · ours 0/1 · known failures 1',
    );
    expect(
      summaryOf(await judged({ cases: [passing], baseline: { 'storage.keeps': 'a', 'storage.gone': 'b' } })),
    ).toBe('not conformant: 1 of 1 · MUST 1/1 · stale in the baseline 2');
  });

  test('a stale entry about a case that does not apply is no pass', async () => {
    const judgement = await judged({ cases: [passing, needing], baseline: { 'streaming.waits': 'why' } });
    expect(scoresOf(judgement)).toEqual({
      all: { passed: 1, of: 1 },
      levels: { MUST: { passed: 1, of: 1 } },
    });
    expect(summaryOf(judgement)).toBe(
      'not conformant: 1 of 1 · MUST 1/1 · stale in the baseline 1 · not applicable 1',
    );
  });

  test('the page says what failed and why, in whole tables', async () => {
    const page = toMarkdown(await judged({ baseline: { 'storage.gone': 'why' } }));
    expect(page).toContain('# Conformance of tiny\n\n**not conformant: 1 of 2');
    expect(page).toContain(
      '| storage.answers | ours | C9 | The answer \\| is stored. | expected 2 messages, got 1 |',
    );
    expect(page).toContain('| storage.gone | no case has this id |');
    expect(page).toContain('| streaming.waits | needs streaming, files |');
    expect(page).toContain('| storage | 1 |');
    expect(page).not.toContain('## Known failures');
  });

  test('the page shows texts as they are', async () => {
    const run = (): Promise<never> =>
      Promise.reject(new Error('got <b>*x*</b> \\| `y` [z](u) __proto__ a_b\r\nc'));
    const page = toMarkdown(await judged({ cases: [{ ...failing, run }] }));
    expect(page).toContain('| got \\<b>\\*x\\*\\</b> \\\\\\| \\`y\\` \\[z\\](u) \\_\\_proto\\_\\_ a_b c |');
  });

  test('the JSON holds the summary, the scores and every verdict', async () => {
    const judgement = await judged();
    expect(JSON.parse(toJson(judgement))).toEqual({
      ...{ subject: 'tiny', ok: false, unknown: [], summary: summaryOf(judgement) },
      scores: JSON.parse(JSON.stringify(scoresOf(judgement))),
      verdicts: JSON.parse(JSON.stringify(judgement.verdicts)),
    });
  });
});

test('the cases of this package have ids of their own, all of one form', () => {
  const ids = cases.map(({ id }) => id);
  expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([]);
  expect(ids.filter((id) => !/^[a-z0-9_]+\.[a-z0-9_]+$/.test(id))).toEqual([]);
});
