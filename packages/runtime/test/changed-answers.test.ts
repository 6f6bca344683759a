import { RunError } from '@spec/hooks';
import { describe, expect } from 'vitest';
import { type AnyTool, defineTool, type Thread } from '../src/index.ts';
import { afterCrash, type Dying, hangAt } from './after-crash.ts';
import { gate, type Kit, lines, onBothStores } from './kit.ts';

const calling = (...names: readonly string[]) => ({
  toolCalls: names.map((name, n) => ({ id: `c${n}`, name })),
});

/** Notes the key of each call that it runs. */
function keyed(
  name: string,
  keys: unknown[],
  run: () => Promise<string> = async () => `${name} done`,
): AnyTool {
  return defineTool({
    name,
    execute: (_, { state }) => {
      keys.push(state.execution.callKey);
      return run();
    },
  });
}

/** A thread whose process died in a batch: the first call has its stored result, the second one was under way. */
async function leftInBatch(kit: Kit, next: Partial<Dying> & { keys: unknown[] }): Promise<Thread> {
  const { open, opened } = gate();
  const { keys, ...setup } = next;
  const dying = [keyed('pay', keys), keyed('slow', keys, hangAt(open))];
  const isStored = async (): Promise<void> => {
    await opened;
    await expect.poll(() => kit.store.getMessage('t', 'turn.1.result.0')).not.toBeNull();
  };
  return afterCrash(
    kit,
    { tools: dying, script: [calling('pay', 'slow')], turnId: 'turn', reached: isStored() },
    setup,
  );
}

describe('an answer that is deleted after a crash in its batch', () => {
  onBothStores('leaves its results to nobody: what is called next has its own', async (kit) => {
    const keys: unknown[] = [];
    const tools = [keyed('refund', keys)];
    const thread = await leftInBatch(kit, { keys, tools, script: [calling('refund'), 'Done.'] });
    await thread.deleteMessage('turn.1.answer');
    expect(await thread.resume()).toMatchObject({ status: 'completed', text: 'Done.' });
    expect(await lines(thread)).toEqual([
      'user: Go',
      'tool: pay done',
      'assistant: null',
      'tool: refund done',
      'assistant: Done.',
    ]);
    expect(keys).toEqual(['t~turn.1.result.0', 't~turn.1.result.1', 't~turn.2.result.0']);
  });

  onBothStores('leaves its keys to nobody where it has no result yet', async (kit) => {
    const { open, opened } = gate();
    const keys: unknown[] = [];
    const thread = await afterCrash(
      kit,
      {
        tools: [keyed('pay', keys, hangAt(open))],
        script: [calling('pay')],
        turnId: 'turn',
        reached: opened,
      },
      { tools: [keyed('pay', keys)], script: [calling('pay'), 'Done.'] },
    );
    await thread.deleteMessage('turn.1.answer');
    await thread.resume();
    expect(await lines(thread)).toEqual([
      'user: Go',
      'assistant: null',
      'tool: pay done',
      'assistant: Done.',
    ]);
    expect(keys).toEqual(['t~turn.1.result.0', 't~turn.2.result.0']);
  });

  onBothStores('leaves them to nobody where the store alone knows that it is gone', async (kit) => {
    const keys: unknown[] = [];
    const tools = [keyed('refund', keys)];
    const thread = await leftInBatch(kit, { keys, tools, script: [calling('refund'), 'Done.'] });
    const lease = await kit.store.acquireLease({ threadId: 't', owner: 'older release', ttlMs: 1_000 });
    await kit.store.deleteMessage('t', lease.fence, 'turn.1.answer');
    await kit.store.releaseLease(lease);
    await thread.resume();
    expect(await lines(thread)).toContain('tool: refund done');
    expect(keys.at(-1)).toBe('t~turn.2.result.0');
  });
});

onBothStores('an answer that could not be deleted has its calls answered', async (kit) => {
  const keys: unknown[] = [];
  const thread = await leftInBatch(kit, { keys, tools: [keyed('slow', keys)], script: ['Done.'] });
  const { deleteMessage } = kit.store;
  kit.store.deleteMessage = () => Promise.reject(new RunError('store_failed', 'The disk is full.'));
  await expect(thread.deleteMessage('turn.1.answer')).rejects.toMatchObject({ code: 'store_failed' });
  kit.store.deleteMessage = deleteMessage;
  await thread.resume();
  expect(await lines(thread)).toEqual([
    'user: Go',
    'assistant: null',
    'tool: pay done',
    expect.stringContaining('It is unknown whether it ran'),
    'assistant: Done.',
  ]);
});

describe('an answer whose calls are changed after a crash in its batch', () => {
  const changed = (...calls: ReadonlyArray<readonly [id: string, name: string]>) => ({
    tool_calls: JSON.stringify(
      calls.map(([id, name]) => ({ id, type: 'function', function: { name, arguments: '{}' } })),
    ),
  });

  onBothStores('takes no result for a call that is new, and makes it', async (kit) => {
    const keys: unknown[] = [];
    const thread = await leftInBatch(kit, { keys, tools: [keyed('refund', keys)], script: ['Done.'] });
    await thread.update('turn.1.answer', changed(['c9', 'refund']));
    await thread.resume();
    expect(await lines(thread)).toEqual([
      'user: Go',
      'assistant: null',
      'tool: pay done',
      'tool: refund done',
      'assistant: Done.',
    ]);
    expect(new Set(keys).size).toBe(3);
  });

  onBothStores('keeps the results of the calls that stay, wherever they stand now', async (kit) => {
    const keys: unknown[] = [];
    const tools = [keyed('pay', keys), keyed('refund', keys)];
    const thread = await leftInBatch(kit, { keys, tools, script: ['Done.'] });
    await thread.update('turn.1.answer', changed(['c9', 'refund'], ['c0', 'pay']));
    await thread.resume();
    expect(await lines(thread)).toEqual([
      'user: Go',
      'assistant: null',
      'tool: pay done',
      'tool: refund done',
      'assistant: Done.',
    ]);
    expect(keys).toEqual(['t~turn.1.result.0', 't~turn.1.result.1', 't~turn.1.result.2']);
  });
});
