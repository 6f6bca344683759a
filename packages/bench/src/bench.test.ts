import { describe, expect, test } from 'vitest';
import { type Bench, isMissed, runBench } from './bench.ts';
import { measure, median } from './measure.ts';
import { renderJson, renderMarkdown, renderTables } from './report.ts';

const bench: Bench = {
  name: 'example',
  about: 'one against another',
  unit: 'ns',
  comparisons: [{ of: 'a', against: 'b', atMost: 2 }],
  run: async () => ({ a: [10, 20, 300], b: [5, 20, 100] }),
};

describe('a bench', () => {
  test('compares round with round, so that a slow one counts no more than the others', async () => {
    const result = await runBench(bench);
    expect(result.figures).toEqual({ a: 20, b: 20 });
    expect(result.ratios).toEqual([{ of: 'a', against: 'b', atMost: 2, ratio: 2 }]);
    expect(isMissed({ of: 'a', against: 'b', atMost: 2, ratio: 2 })).toBe(false);
    expect(isMissed({ of: 'a', against: 'b', atMost: 2, ratio: 2.01 })).toBe(true);
    expect(isMissed({ of: 'a', against: 'b', ratio: 99 })).toBe(false);
  });

  test('is reported as a table and as JSON', async () => {
    const missed = await runBench({ ...bench, comparisons: [{ of: 'a', against: 'b', atMost: 1 }] });
    expect(renderTables([missed])).toContain('missed');
    expect(JSON.parse(renderJson([missed]))).toMatchObject({
      benches: [{ name: 'example', ratios: [{ ratio: 2, ok: false }] }],
    });
  });

  test('with rows and columns is a table of them', async () => {
    const matrix: Bench = {
      ...bench,
      unit: '%',
      comparisons: [],
      run: async () => ({ 'cards | ours': [99.5], 'cards | peer': [80], 'mail | ours': [100] }),
    };
    const result = await runBench(matrix);
    expect(renderTables([result])).toMatch(/cards +│ +99\.5 +│ +80\.0/);
    expect(renderMarkdown([result])).toBe(
      '| % | ours | peer |\n| --- | ---: | ---: |\n| cards | 99.5 | 80.0 |\n| mail | 100.0 |  |',
    );
  });

  test('that compares what it does not measure says so', async () => {
    const wrong = { ...bench, comparisons: [{ of: 'c', against: 'b' }] };
    await expect(runBench(wrong)).rejects.toThrow('the bench example has no figure "c"');
  });
});

test('measuring gives a figure for each contender and round', async () => {
  const waits = () => new Promise((resolve) => setTimeout(resolve, 2));
  const { quick, slow } = await measure({ quick: () => 1, slow: waits }, { batch: 1, rounds: 3, time: 5 });
  expect(quick).toHaveLength(3);
  expect(median(slow)).toBeGreaterThan(1e6);
  expect(median(quick)).toBeLessThan(median(slow));
});

test('the median is the middle, or between the two in the middle', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 2, 3])).toBe(2.5);
});
