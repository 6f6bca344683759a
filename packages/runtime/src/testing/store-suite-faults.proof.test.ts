import { describe, expect, test } from 'vitest';
import { reading } from '../../test/store-faults/fault.ts';
import { messageFaults } from '../../test/store-faults/message-faults.ts';
import { threadFaults } from '../../test/store-faults/thread-faults.ts';
import { memoryStore } from '../stores/memory/index.ts';
import type { Store } from '../stores/store.ts';
import { runCase, storeCases } from './store-suite.ts';

/** The names of the requirements that a store does not meet. */
async function unmet(open: () => Store): Promise<string[]> {
  const names: string[] = [];
  for (const one of storeCases) {
    if (one.needsReopen) continue;
    await runCase(one, { open }).catch(() => names.push(one.name));
  }
  return names;
}

describe('the store suite', () => {
  test('finds nothing wrong with a good store', async () => {
    expect(await unmet(memoryStore)).toEqual([]);
  });

  test.for([...messageFaults, ...threadFaults])('notices that $fault', async ({ broken, noticed }) => {
    const open = () => {
      const good = memoryStore();
      return { ...good, ...broken(good) };
    };
    expect(await unmet(open)).toContain(noticed);
  });

  test('says what was expected and what came', async () => {
    const one = storeCases.find(({ name }) => name.startsWith('a message comes back'));
    const open = () => {
      const good = memoryStore();
      return { ...good, ...reading(good, (message) => ({ name: null, ...message })) };
    };
    await expect(one && runCase(one, { open })).rejects.toThrow(
      /^listMessages\.0\.name: expected .*"bare".* got .*"name":null/,
    );
  });
});
