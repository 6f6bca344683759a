import { describe, expect } from 'vitest';
import { defineTool } from '../src/index.ts';
import { afterCrash, hangAt } from './after-crash.ts';
import { gate, type Kit, onBothStores, thrownBy } from './kit.ts';

const HIGHEST = Number.MAX_SAFE_INTEGER;

function damage({ store }: Kit, key: string, value: unknown): Promise<void> {
  return store.setValue('t', HIGHEST, { key, value });
}

const refused = (key: string) => ({
  code: 'store_unreadable',
  message: expect.stringContaining(`The value ${key} of thread t is damaged`),
});

/** What a turn that goes on reads again, and forms that none of it has. */
const ofTurns: ReadonlyArray<[key: string, values: readonly unknown[]]> = [
  ['runtime/deleted-answer', ['one', { turnId: 'one' }, { turnId: 'one', step: '1' }, null]],
  ['runtime/queued-calls', [[], { turnId: 'one', step: 1 }, { turnId: 'one', step: 1, ids: [7] }]],
  ['runtime/results/one.1.result.0', ['paid', { message: {}, told: [] }, { message: null, told: 'x' }]],
  ['runtime/contexts/one.1.batch', [7, [7], { id: 'x' }, null]],
];

/** A thread whose process died in the tool of its turn. */
function leftBehind(kit: Kit, onError: (error: unknown) => void = () => {}) {
  const reached = gate();
  const hanging = defineTool({ name: 'write', onInterrupted: 'retry', execute: hangAt(reached.open) });
  const writing = defineTool({
    name: 'write',
    onInterrupted: 'retry',
    execute: async (_, { state }) => {
      await state.injectMessage({ role: 'user', content: 'written' }).catch(onError);
      return 'done';
    },
  });
  const script = [{ toolCalls: [{ id: 'c', name: 'write' }] }];
  const dying = { reached: reached.opened, turnId: 'one', tools: [hanging], script };
  return afterCrash(kit, dying, { tools: [writing], script: ['Done.'] });
}

describe('a value of the runtime that is damaged is told of, and not taken for one that is absent', () => {
  for (const [key, values] of ofTurns)
    for (const value of values)
      onBothStores(`${key}: ${JSON.stringify(value)}`, async (kit) => {
        const thread = await leftBehind(kit);
        await damage(kit, key, value);
        expect(await thrownBy(thread.resume())).toMatchObject(refused(key));
      });

  for (const value of ['x', { 'one.1.x': 7 }, null])
    onBothStores(`runtime/first-versions: ${JSON.stringify(value)}`, async (kit) => {
      const errors: unknown[] = [];
      const thread = await leftBehind(kit, (error) => errors.push(error));
      await damage(kit, 'runtime/first-versions', value);
      await thread.resume();
      expect(errors).toEqual([expect.objectContaining(refused('runtime/first-versions'))]);
    });

  for (const value of ['strict', 7, null])
    onBothStores(`runtime/permission-mode: ${value}`, async (kit) => {
      const { runtime } = kit.start();
      await (await runtime.createThread({ agent: 'agent', id: 't', permissionMode: 'deny' })).close();
      await damage(kit, 'runtime/permission-mode', value);
      expect(await thrownBy(runtime.openThread('t'))).toMatchObject(refused('runtime/permission-mode'));
    });

  for (const value of ['a', [7], {}])
    onBothStores(`runtime/skills: ${JSON.stringify(value)}`, async (kit) => {
      await leftBehind(kit).then((thread) => thread.close());
      await damage(kit, 'runtime/skills', value);
      const { runtime } = kit.start({ skills: async () => ({ name: 'a', instructions: 'b', hooks: [] }) });
      expect(await thrownBy(runtime.openThread('t'))).toMatchObject(refused('runtime/skills'));
    });
});
