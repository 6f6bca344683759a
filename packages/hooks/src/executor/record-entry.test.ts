import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { defineHook } from '../define/define.ts';
import { createRegistry } from '../define/registry.ts';
import { scopeOf } from '../define/scope.ts';
import type { EntryRun, RunRecord } from '../vocabulary/record.ts';
import type { ThreadState } from '../vocabulary/state.ts';
import { createExecutor } from './executor.ts';
import { recordEntry } from './record-entry.ts';

const entry: EntryRun = {
  id: 'claude_project_pre_tool_use_1',
  position: 'settings.json:12',
  outcome: 'timed_out',
  changed: false,
  ms: 500,
  sizeBefore: 20,
  sizeAfter: 0,
  code: 'hook_timed_out',
  why: 'no answer within 500 ms',
};

const state = {
  threadId: 't1',
  execution: { abortSignal: new AbortController().signal },
} as unknown as ThreadState;

const call = { id: 'c1', type: 'function', function: { name: 'Bash', arguments: '{}' } } as const;

describe('recordEntry', () => {
  test('records what a hook runs under the hook and its source, before the hook', async () => {
    const records: RunRecord[] = [];
    const states: ThreadState[] = [];
    const { run } = createExecutor({
      onRun(record, details) {
        records.push(record);
        states.push(details.state);
      },
    });
    const hook = defineHook({
      hook: 'before_tool_call',
      id: 'guard',
      async execute(view) {
        const { position: _, ...placeless } = entry;
        recordEntry(view, entry);
        recordEntry(view, { ...placeless, id: 'second', outcome: 'ok' });
        return null;
      },
    });
    await run('before_tool_call', scopeOf([{ hook, source: 'policy (hooks.ts:1)' }]), state, call);
    expect(records.map(({ id, hook, source, outcome }) => ({ id, hook, source, outcome }))).toEqual([
      { id: entry.id, hook: 'before_tool_call', source: 'policy (settings.json:12)', outcome: 'timed_out' },
      { id: 'second', hook: 'before_tool_call', source: 'policy (hooks.ts:1)', outcome: 'ok' },
      { id: 'guard', hook: 'before_tool_call', source: 'policy (hooks.ts:1)', outcome: 'ok' },
    ]);
    expect(records[0]).not.toHaveProperty('place');
    expect(records[0]).toMatchObject({ ms: 500, sizeBefore: 20, why: entry.why, code: entry.code });
    expect(states.every((one) => one === state)).toBe(true);
  });

  test('records also after the hook has settled, when its writes are refused', async () => {
    const records: RunRecord[] = [];
    const { run } = createExecutor({ onRun: (record) => records.push(record) });
    let background: Promise<void> | undefined;
    const hook = defineHook({
      hook: 'after_tool_batch',
      id: 'audit',
      async execute(view) {
        background = delay(5).then(() => recordEntry(view, entry));
        return null;
      },
    });
    await run('after_tool_batch', createRegistry({ policies: [hook] }).scope(), state, []);
    expect(records.map(({ id }) => id)).toEqual(['audit']);
    await background;
    expect(records.map(({ id }) => id)).toEqual(['audit', entry.id]);
  });

  test('of a hook that timed out too', async () => {
    const records: RunRecord[] = [];
    const { run } = createExecutor({ onRun: (record) => records.push(record) });
    const hook = defineHook({
      hook: 'after_tool_batch',
      id: 'slow',
      timeout: 5,
      async execute(view) {
        await delay(20);
        recordEntry(view, entry);
        return null;
      },
    });
    await run('after_tool_batch', createRegistry({ policies: [hook] }).scope(), state, []);
    await delay(40);
    expect(records.map(({ id, outcome }) => [id, outcome])).toEqual([
      ['slow', 'timed_out'],
      [entry.id, 'timed_out'],
    ]);
  });

  test('does nothing where nobody listens, and on a state that is no hook’s', async () => {
    const { run } = createExecutor();
    const hook = defineHook({
      hook: 'after_tool_batch',
      id: 'quiet',
      async execute(view) {
        recordEntry(view, entry);
        return ['done'];
      },
    });
    const scope = createRegistry({ policies: [hook] }).scope();
    expect(await run('after_tool_batch', scope, state, [])).toEqual(['done']);
    expect(() => recordEntry(state, entry)).not.toThrow();
  });
});
