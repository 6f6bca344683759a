import { DefinitionError, defineHook, RunError } from '@spec/hooks';
import { expect, test } from 'vitest';
import { onBothStores } from '../test/kit.ts';
import {
  createRuntime,
  defineAgent,
  definePrompt,
  defineTool,
  type Runtime,
  type RuntimeOptions,
  type Thread,
} from './index.ts';
import { sqliteStore } from './stores/sqlite/index.ts';

/** A message that would take the place of an answer that is waited for. */
const thenable = Object.assign(Promise.resolve('secret'), { role: 'user', content: 'secret' });

type Call = (runtime: Runtime, thread: Thread, id: string) => Promise<unknown>;

const odd: readonly unknown[] = ['', ' ', ' a', 'a'.repeat(201), '\ud800', 5, null, {}, [], Symbol('secret')];
const noFields: readonly unknown[] = [null, undefined, 'secret', 5, ['secret'], Promise.resolve('secret')];
const noName: readonly unknown[] = ['', 5, null, undefined, {}];
const noText: readonly unknown[] = [5, {}, [], true, 10n, Symbol('secret')];
const noOptions: readonly unknown[] = [null, 5, 'secret', []];
const noMessageId: readonly unknown[] = ['', null, ...noText];

const calls: Record<string, readonly [readonly unknown[], (value: never) => Call]> = {
  'createThread({ id })': [odd, (id) => (runtime) => runtime.createThread({ agent: 'agent', id })],
  createThread: [noFields, (options) => (runtime) => runtime.createThread(options)],
  openThread: [noName, (id) => (runtime) => runtime.openThread(id)],
  'send(text, { id })': [odd, (id) => (_, thread) => thread.send('x', { id })],
  'createThread({ metadata })': [
    [5, 'secret', [], true, null],
    (metadata) => (runtime) => runtime.createThread({ agent: 'agent', metadata }),
  ],
  'createThread({ userId })': [
    noText,
    (userId) => (runtime) => runtime.createThread({ agent: 'agent', userId }),
  ],
  'openThread(…, options)': [
    noOptions,
    (options) =>
      (runtime, { id }) =>
        runtime.openThread(id, options),
  ],
  'listThreads({ parentId })': [noText, (parentId) => (runtime) => runtime.listThreads({ parentId })],
  resumeAll: [noOptions, (options) => (runtime) => runtime.resumeAll(options)],
  exportThread: [
    noName,
    (id) => async (runtime) => {
      for await (const _ of runtime.exportThread(id));
    },
  ],
  importThread: [[undefined, null, 5, {}, [5], () => 1], (text) => (runtime) => runtime.importThread(text)],
  backup: [noName, (path) => (runtime) => runtime.backup(path)],
  'ledger.runs': [noOptions, (query) => (runtime) => runtime.ledger.runs(query)],
  'ledger.runs({ hook })': [
    [10n, {}, Symbol('secret')],
    (hook) => (runtime) => runtime.ledger.runs({ hook }),
  ],
  'ledger.stats': [noOptions, (query) => (runtime) => runtime.ledger.stats(query)],
  'ledger.prune': [[undefined, ...noOptions], (what) => (runtime) => runtime.ledger.prune(what)],
  send: [[null, undefined, 5, {}, [], thenable], (input) => (_, thread) => thread.send(input)],
  'send({ id })': [noMessageId, (id) => (_, thread) => thread.send({ id, content: 'x' } as never)],
  'send(text, options)': [noOptions, (options) => (_, thread) => thread.send('x', options)],
  messages: [noOptions, (range) => (_, thread) => thread.messages(range)],
  'messages({ before })': [
    [null, ...noText],
    (before) => (_, thread) => thread.messages({ before } as never),
  ],
  'messages({ after })': [[null, ...noText], (after) => (_, thread) => thread.messages({ after } as never)],
  runs: [noOptions, (query) => (_, thread) => thread.runs(query)],
  events: [noOptions, (options) => async (_, thread) => thread.events(options)],
  on: [[undefined, null, 5, {}], (listener) => async (_, thread) => thread.on(listener)],
  'on(…, options)': [noOptions, (options) => async (_, thread) => thread.on(() => {}, options)],
  startSkill: [noName, (path) => (_, thread) => thread.startSkill(path)],
  'inject({ id })': [noMessageId, (id) => (_, thread) => thread.inject({ id, role: 'user', content: 'x' })],
  'queue({ id })': [noMessageId, (id) => (_, thread) => thread.queue({ id, role: 'user', content: 'x' })],
  'queue(…, options)': [
    noOptions,
    (options) => (_, thread) => thread.queue({ role: 'user', content: 'x' }, options),
  ],
  'state.getMessages': [
    noOptions,
    (range) =>
      (_, { state }) =>
        state.getMessages(range),
  ],
  'state.getMessage': [
    [null, undefined, ...noText],
    (id) =>
      (_, { state }) =>
        state.getMessage(id),
  ],
  'state.getValue': [
    [null, undefined, ...noText],
    (key) =>
      (_, { state }) =>
        state.getValue(key),
  ],
  'state.readFile': [
    [null, undefined, ...noText],
    (path) =>
      (_, { state }) =>
        state.readFile(path),
  ],
  'state.statFile': [
    [null, undefined, ...noText],
    (path) =>
      (_, { state }) =>
        state.statFile(path),
  ],
  'state.listFiles': [
    [null, ...noText],
    (prefix) =>
      (_, { state }) =>
        state.listFiles(prefix),
  ],
  'state.unlinkFile': [
    [null, undefined, ...noText],
    (path) =>
      (_, { state }) =>
        state.unlinkFile(path),
  ],
  'state.getChildThread': [
    [null, undefined, ...noText],
    (id) =>
      (_, { state }) =>
        state.getChildThread(id),
  ],
  'state.terminate': [
    [null, ...noText],
    (reason) =>
      async (_, { state }) => {
        await state.terminate(reason);
      },
  ],
  'state.writeFile(…, type)': [
    [null, ...noText],
    (type) =>
      (_, { state }) =>
        state.writeFile('a', 'x', type),
  ],
  'state.queueTool(name)': [
    noName,
    (name) =>
      (_, { state }) =>
        state.queueTool(name, {}),
  ],
  'state.queueTool(…, input)': [
    [...noFields, { a: 10n }, { toJSON: () => undefined }],
    (input) =>
      (_, { state }) =>
        state.queueTool('leaf', input),
  ],
  'state.invokeTool(name)': [
    noName,
    (name) =>
      (_, { state }) =>
        state.invokeTool(name, {}),
  ],
  'state.invokeTool(…, input)': [
    [...noFields, { a: 10n }, { toJSON: () => undefined }],
    (input) =>
      (_, { state }) =>
        state.invokeTool('leaf', input),
  ],
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
    const { runtime, thread } = await kit.thread({
      tools: [defineTool({ name: 'leaf', execute: () => 'ran' })],
      script: ['ok'],
    });
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

const runtimeWith = (options: Partial<Record<keyof RuntimeOptions | 'hooks', unknown>>): Runtime =>
  createRuntime({ agents: [], prompts: [], models: {}, ...options } as never);
const noRecord: readonly unknown[] = [undefined, null, 5, 'secret', []];
const noList: readonly unknown[] = [null, 5, 'secret', {}];
const noFunction: readonly unknown[] = [null, 5, 'secret', {}];
const named = { name: 'x', execute: () => 'ran' };

const definitions: Record<string, readonly [readonly unknown[], (value: never) => unknown]> = {
  createRuntime: [[...noRecord, {}, () => 1], (options) => createRuntime(options)],
  'createRuntime({ agents })': [[undefined, ...noList], (agents) => runtimeWith({ agents })],
  'createRuntime({ agents: [] })': [noRecord, (one) => runtimeWith({ agents: [one] })],
  'createRuntime({ prompts })': [[undefined, ...noList], (prompts) => runtimeWith({ prompts })],
  'createRuntime({ prompts: [] })': [noRecord, (one) => runtimeWith({ prompts: [one] })],
  'createRuntime({ tools })': [noList, (tools) => runtimeWith({ tools })],
  'createRuntime({ tools: [] })': [noRecord, (one) => runtimeWith({ tools: [one] })],
  'createRuntime({ hooks })': [noList, (hooks) => runtimeWith({ hooks })],
  'createRuntime({ policies })': [noList, (policies) => runtimeWith({ policies })],
  'createRuntime({ models })': [noRecord, (models) => runtimeWith({ models })],
  'createRuntime({ store })': [[null, 5, {}, []], (store) => runtimeWith({ store })],
  'createRuntime({ onAsk })': [noFunction, (onAsk) => runtimeWith({ onAsk })],
  'createRuntime({ skills })': [noFunction, (skills) => runtimeWith({ skills })],
  'createRuntime({ engine })': [noFunction, (engine) => runtimeWith({ engine })],
  'createRuntime({ onRunValues })': [noFunction, (onRunValues) => runtimeWith({ onRunValues })],
  swapHooks: [[undefined, ...noList], (hooks) => runtimeWith({}).swapHooks(hooks)],
  swapPolicies: [[undefined, ...noList], (hooks) => runtimeWith({}).swapPolicies(hooks)],
  defineAgent: [noRecord, (agent) => defineAgent(agent)],
  definePrompt: [noRecord, (prompt) => definePrompt(prompt)],
  'definePrompt({ tools })': [[...noList, [5]], (tools) => definePrompt({ name: 'x', tools })],
  'definePrompt({ hooks })': [[...noList, [5]], (hooks) => definePrompt({ name: 'x', hooks })],
  defineTool: [noRecord, (tool) => defineTool(tool)],
  'defineTool({ input })': [[null, 5, 'secret', {}, []], (input) => defineTool({ ...named, input })],
  defineHook: [noRecord, (hook) => defineHook(hook)],
  sqliteStore: [[...noRecord, {}], (options) => sqliteStore(options)],
};

for (const [name, [values, make]] of Object.entries(definitions)) {
  test(`${name} refuses what it cannot take, and names it`, () => {
    for (const value of values) {
      let error: unknown;
      try {
        make(value as never);
      } catch (thrown) {
        error = thrown;
      }
      expect(error, String(value)).toBeInstanceOf(DefinitionError);
      expect((error as DefinitionError).message).not.toContain('secret');
    }
  });
}
