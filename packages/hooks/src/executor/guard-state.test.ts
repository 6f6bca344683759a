import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { threadState } from '../../test/chain.ts';
import type { ThreadState } from '../vocabulary/state.ts';
import { guardState, threadStateWrites } from './guard-state.ts';
import { HookPermit, hookPermit, type LateWrite } from './permit.ts';

function guarded() {
  const late: LateWrite[] = [];
  const permit = new HookPermit({
    hook: 'filter_messages',
    id: 'h',
    depth: 1,
    onLateWrite: (write) => late.push(write),
  });
  const { state, thread, writes } = threadState();
  return { permit, late, state, thread, writes, view: guardState(state, permit) };
}

type Methods = Record<string, (...args: unknown[]) => unknown>;

describe('a view of a state', () => {
  test('reads and writes like the state, while the hook runs', async () => {
    const { view, writes, thread, permit } = guarded();
    expect(view.threadId).toBe('thread');
    expect(view.execution.stepCount).toBe(1);
    expect(view.execution).toBe(view.execution);
    expect(view.execution.abortSignal).not.toBe(thread.signal);
    expect((view as { [hookPermit]?: unknown })[hookPermit]).toBe(permit);
    await view.setValue('a', 1);
    view.execution.stop();
    view.emit('done');
    expect(writes).toEqual(['thread.setValue', 'thread.stop', 'thread.emit']);
  });

  test.each(threadStateWrites)('C5: %s is refused once the hook has ended', async (write) => {
    const { view, permit, writes, late } = guarded();
    const place = (write === 'stop' ? view.execution : view) as unknown as Methods;
    const method = place[write] as Methods[string];
    permit.close();
    for (const call of [method, () => place[write]?.()]) {
      const outcome = (async () => call())();
      await expect(outcome).rejects.toMatchObject({ code: 'late_write', hook: 'filter_messages', id: 'h' });
    }
    expect(writes).toEqual([]);
    expect(late).toEqual([1, 2].map(() => ({ hook: 'filter_messages', id: 'h', write })));
  });

  test('G1: a refused promise that nobody awaits does not bring the process down', async () => {
    const { view, permit, late } = guarded();
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    permit.close();
    void view.injectMessage({ role: 'user', content: 'late' });
    await new Promise((resolve) => setTimeout(resolve, 5));
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
    expect(late).toHaveLength(1);
  });

  test('G2: cannot be changed by assignment, definition or deletion', () => {
    const { view, state, permit } = guarded();
    const target = view as unknown as Record<string, unknown>;
    const execution = view.execution as unknown as Record<string, unknown>;
    const attempts: Array<() => unknown> = [
      () => (target.threadId = 'other'),
      () => (execution.stepCount = 99),
      () => delete target.threadId,
      () => Object.defineProperty(target, 'threadId', { value: 'other' }),
      () => Object.defineProperty(execution, 'stepCount', { value: 99 }),
      () => Object.setPrototypeOf(target, null),
      () => Object.preventExtensions(target),
    ];
    for (const attempt of attempts) expect(attempt).toThrow(TypeError);
    permit.close();
    expect(attempts[0]).toThrow('called threadId after it had ended');
    expect(state.threadId).toBe('thread');
    expect(state.execution.stepCount).toBe(1);
  });

  test.each(['getChildThread', 'getParentThread'] as const)(
    'G3: what %s finds ends with the same hook',
    async (find) => {
      const { view, permit, writes } = guarded();
      const relative = (await (view[find] as (id?: string) => Promise<ThreadState | null>)(
        'x',
      )) as ThreadState;
      const further = (await relative.getParentThread()) as ThreadState;
      await relative.setValue('a', 1);
      await further.setValue('a', 1);
      permit.abort('over');
      for (const other of [relative, further]) {
        await expect(other.setValue('a', 2)).rejects.toMatchObject({ code: 'late_write' });
        expect(() => other.execution.stop()).toThrow('after it had ended');
        expect(other.execution.abortSignal.aborted).toBe(true);
      }
      expect(writes).toHaveLength(2);
    },
  );

  test('a relative that is not there stays null', async () => {
    const { permit, state } = guarded();
    const alone = guardState({ ...state, getParentThread: async () => null }, permit);
    expect(await alone.getParentThread()).toBeNull();
  });

  test('has no way around: descriptors, spread and prototype give the guarded methods', async () => {
    const { view, permit, writes } = guarded();
    const spread = { ...view };
    const described = Object.getOwnPropertyDescriptor(view, 'setValue')?.value as ThreadState['setValue'];
    const entry = Object.entries(view).find(([key]) => key === 'setValue')?.[1] as ThreadState['setValue'];
    permit.close();
    for (const setValue of [spread.setValue, described, entry, view.setValue]) {
      await expect(setValue('a', 1)).rejects.toMatchObject({ code: 'late_write' });
    }
    expect(writes).toEqual([]);
  });

  test('works on frozen states, and on instances of classes with private fields', async () => {
    const { permit, state } = guarded();
    class Thread {
      readonly #id = 'private';
      get threadId(): string {
        return this.#id;
      }
      async setValue(): Promise<string> {
        return this.#id;
      }
    }
    const frozen = guardState(
      Object.freeze({ ...state, execution: Object.freeze({ ...state.execution }) }),
      permit,
    );
    expect(frozen.execution.abortSignal).toBe(permit.signal);
    await frozen.setValue('a', 1);
    const thread = guardState(new Thread(), permit);
    expect(thread.threadId).toBe('private');
    expect(await thread.setValue()).toBe('private');
    expect(thread).toBeInstanceOf(Thread);
    expect('setValue' in thread).toBe(true);
  });

  test('printed, it shows what can be read', () => {
    const { view } = guarded();
    expect(inspect(view)).toContain("threadId: 'thread'");
  });

  test('other writes can be named', async () => {
    const { permit } = guarded();
    const view = guardState({ save: async () => 'saved', read: () => 'read' }, permit, new Set(['save']));
    expect(await view.save()).toBe('saved');
    permit.close();
    await expect(view.save()).rejects.toMatchObject({ code: 'late_write' });
    expect(view.read()).toBe('read');
  });
});

describe('a permit', () => {
  test('is open until the hook ends; its signal fires only where it is ended from outside', () => {
    const closed = guarded().permit;
    expect(closed.open).toBe(true);
    closed.assertOpen('anything');
    closed.close();
    expect(closed.open).toBe(false);
    expect(closed.signal.aborted).toBe(false);
    const aborted = guarded().permit;
    const { signal } = aborted;
    aborted.abort('why');
    expect(aborted.signal).toBe(signal);
    expect(signal.reason).toBe('why');
  });

  test('says who wrote late, and that nothing was written', () => {
    const { permit } = guarded();
    permit.close();
    expect(() => permit.assertOpen('setValue')).toThrow(
      'Hook "h" (filter_messages) called setValue after it had ended; nothing was written.',
    );
  });
});
