import { type HookPermit, hookPermit } from './permit.ts';

/** The methods of a `ThreadState` that write; anything else only reads. */
export const threadStateWrites: readonly string[] = [
  'injectMessage',
  'updateMessage',
  'deleteMessage',
  'queueMessage',
  'queueTool',
  'invokeTool',
  'setValue',
  'writeFile',
  'unlinkFile',
  'emit',
  'terminate',
  'stop',
];

const statesOf = new Set<PropertyKey>(['getChildThread', 'getParentThread']);

/**
 * A view of a state for one hook: its `execution.abortSignal` is the hook's own (C4), and its writes are refused once the
 * hook has ended (C5). Works on any object; a runtime that can check again at the instant of the write gives the
 * executor a `view` of its own.
 */
export function guardState<State extends object>(state: State, permit: HookPermit, writes: ReadonlySet<string> = defaultWrites): State {
  return new Proxy(state, {
    get(target, key) {
      if (key === hookPermit) return permit;
      const value: unknown = Reflect.get(target, key);
      if (key === 'execution' && isObject(value)) return guardExecution(value, permit);
      if (typeof value !== 'function') return value;
      const method = value.bind(target);
      if (typeof key === 'string' && writes.has(key)) return guardWrite(method, key, permit);
      return statesOf.has(key) ? guardFound(method, permit, writes) : method;
    },
    set(_target, key) {
      permit.assertOpen(String(key));
      return false;
    },
  });
}

const defaultWrites: ReadonlySet<string> = new Set(threadStateWrites);

type Method = (...args: unknown[]) => unknown;

function guardExecution(execution: object, permit: HookPermit): object {
  return new Proxy(execution, {
    get(target, key) {
      if (key === 'abortSignal') return permit.signal;
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? guardWrite(value.bind(target), String(key), permit) : value;
    },
  });
}

function guardWrite(method: Method, name: string, permit: HookPermit): Method {
  return (...args) => {
    permit.assertOpen(name);
    return method(...args);
  };
}

function guardFound(method: Method, permit: HookPermit, writes: ReadonlySet<string>): Method {
  return async (...args) => {
    const found = await method(...args);
    return isObject(found) ? guardState(found, permit, writes) : found;
  };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
