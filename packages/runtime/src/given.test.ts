import { RunError } from '@spec/hooks';
import { expect } from 'vitest';
import { onBothStores } from '../test/kit.ts';
import type { Runtime, Thread } from './index.ts';

type Call = (runtime: Runtime, thread: Thread, id: string) => Promise<unknown>;

const odd: readonly unknown[] = ['', ' ', ' a', 'a'.repeat(201), '\ud800', 5, null, {}, [], Symbol('secret')];
const noFields: readonly unknown[] = [null, undefined, 'secret', 5, ['secret']];
const noName: readonly unknown[] = ['', 5, null, undefined, {}];

const calls: Record<string, readonly [readonly unknown[], (value: never) => Call]> = {
  'createThread({ id })': [odd, (id) => (runtime) => runtime.createThread({ agent: 'agent', id })],
  createThread: [noFields, (options) => (runtime) => runtime.createThread(options)],
  openThread: [noName, (id) => (runtime) => runtime.openThread(id)],
  'send(text, { id })': [odd, (id) => (_, thread) => thread.send('x', { id })],
  inject: [noFields, (message) => (_, thread) => thread.inject(message)],
  queue: [noFields, (message) => (_, thread) => thread.queue(message)],
  'update(id)': [noName, (id) => (_, thread) => thread.update(id, {})],
  'update(…, fields)': [noFields, (fields) => (_, thread, id) => thread.update(id, fields)],
  deleteMessage: [noName, (id) => (_, thread) => thread.deleteMessage(id)],
  compact: [[null, 'secret', 5, ['secret']], (options) => (_, thread) => thread.compact(options)],
  'state.injectMessage': [noFields, (message) => (_, thread) => thread.state.injectMessage(message)],
  'state.setValue(key)': [noName, (key) => (_, thread) => thread.state.setValue(key, 1)],
  'state.setValuesIf(expected)': [
    [...noName, 'runtime/x'],
    (key) => (_, thread) => thread.state.setValuesIf({ key: key as string, value: undefined }, []),
  ],
  'state.setValuesIf(…, values)': [
    [null, 5, {}, [null], [{ key: 5, value: 1 }], [{ key: 'runtime/x', value: 1 }]],
    (values) => (_, thread) => thread.state.setValuesIf({ key: 'k', value: undefined }, values as never),
  ],
  'state.writeFile(path)': [noName, (path) => (_, thread) => thread.state.writeFile(path, 'x')],
  'state.writeFile(…, data)': [
    [null, 5, {}, ['secret']],
    (data) => (_, thread) => thread.state.writeFile('a', data),
  ],
};

for (const [name, [values, make]] of Object.entries(calls)) {
  onBothStores(`${name} refuses what it cannot take with a code, and stores nothing`, async (kit) => {
    const { runtime, thread } = await kit.thread({ script: ['ok'] });
    const { id } = await thread.inject({ role: 'user', content: 'a' });
    const before = [await thread.messages(), await runtime.listThreads()];
    for (const value of values) {
      const call = (): Promise<unknown> => make(value as never)(runtime, thread, id);
      const error: unknown = await Promise.resolve()
        .then(call)
        .then(
          () => undefined,
          (reason: unknown) => reason,
        );
      expect(error, typeof value).toBeInstanceOf(RunError);
      expect((error as RunError).code).toMatch(/^invalid_(input|message)$/);
      expect((error as RunError).message).not.toContain('secret');
    }
    expect([await thread.messages(), await runtime.listThreads()]).toEqual(before);
  });
}
