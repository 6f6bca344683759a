import { expect, test } from 'vitest';
import { harness, kinds, makeHook, samples, settled } from '../../test/chain.ts';
import { RunError } from '../errors.ts';

const taken = new RunError('thread_busy', 'taken');

const refusals: ReadonlyArray<[string, () => Promise<void> | undefined]> = [
  ['throws', () => throwTaken()],
  ['rejects', () => Promise.reject(taken)],
];

function throwTaken(): never {
  throw taken;
}

test.each(refusals)('a chain whose admission %s runs no hook, and ends with that error', async (_, admit) => {
  for (const kind of kinds) {
    const { run, outcomes } = harness({ admit });
    const { hook, args } = samples[kind];
    let ran = 0;
    const hooks = [1, 2].map(() => makeHook(hook, () => void ran++, { onError: 'continue' }));
    expect((await settled(run(hooks, ...args()))).error).toBe(taken);
    expect([ran, outcomes()]).toEqual([0, ['skipped', 'skipped']]);
  }
});

test.each(refusals)(
  'a chain whose admission %s after the first hook runs no second one',
  async (_, refuse) => {
    for (const kind of kinds) {
      let ran = 0;
      const { run, outcomes } = harness({ admit: () => (ran === 0 ? undefined : refuse()) });
      const { hook, args } = samples[kind];
      const hooks = [1, 2].map(() => makeHook(hook, () => void ran++, { onError: 'continue' }));
      expect((await settled(run(hooks, ...args()))).error).toBe(taken);
      expect([ran, outcomes()]).toEqual([1, [expect.any(String), 'skipped']]);
    }
  },
);

test('a chain waits for its admission before each hook', async () => {
  const order: string[] = [];
  const admit = async (): Promise<void> => {
    await Promise.resolve();
    order.push('admitted');
  };
  const { run } = harness({ admit });
  const { hook, args } = samples.observe;
  const hooks = [1, 2].map(() => makeHook(hook, () => void order.push('hook')));
  await run(hooks, ...args());
  expect(order).toEqual(['admitted', 'hook', 'admitted', 'hook', 'admitted']);
});
