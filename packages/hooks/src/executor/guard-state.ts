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
  'setValuesIf',
  'writeFile',
  'unlinkFile',
  'emit',
  'terminate',
  'stop',
];

/** The writes that return no promise: refused, they throw at once. */
const immediateWrites = new Set<PropertyKey>(['emit', 'stop']);

const statesOf = new Set<PropertyKey>(['getChildThread', 'getParentThread']);

const defaultWrites: ReadonlySet<string> = new Set(threadStateWrites);

/**
 * A view of a state for one hook: its `execution.abortSignal` is the hook's own, and its writes are refused once the
 * hook has ended. Works on any object; a runtime that can check again at the instant of the write gives the
 * executor a `view` of its own.
 *
 * G1 A write that returns a promise is refused by a rejected one, which does not bring the process down where nobody
 *    awaits it: `onLateWrite` has told of it already.
 * G2 The view itself cannot be written to, by assignment, definition or deletion; nor can its `execution`.
 * G3 Threads that are reached through it are views that end with the same hook.
 */
export function guardState<State extends object>(
  state: State,
  permit: HookPermit,
  writes: ReadonlySet<string> = defaultWrites,
): State {
  return new Proxy(standIn as State, new StateGuard(state, permit, writes));
}

/**
 * What the proxies say they stand for: the real object could not be it where it is frozen, as a proxy may not hide what
 * its target has fixed. Printed, a view shows what can be read of it.
 */
const standIn: object = {
  [Symbol.for('nodejs.util.inspect.custom')](this: object): object {
    return { ...this };
  },
};

type Method = (...args: unknown[]) => unknown;

/** Refuses every change of the object itself; what can be read is the subclasses' matter. */
abstract class Guard<Target extends object> implements ProxyHandler<Target> {
  readonly real: Target;
  readonly permit: HookPermit;

  constructor(real: Target, permit: HookPermit) {
    this.real = real;
    this.permit = permit;
  }

  abstract get(target: Target, key: PropertyKey): unknown;

  has(_target: Target, key: PropertyKey): boolean {
    return key in this.real;
  }
  ownKeys(): Array<string | symbol> {
    return Reflect.ownKeys(this.real);
  }
  getPrototypeOf(): object | null {
    return Reflect.getPrototypeOf(this.real);
  }
  getOwnPropertyDescriptor(target: Target, key: PropertyKey): PropertyDescriptor | undefined {
    const own = Reflect.getOwnPropertyDescriptor(this.real, key);
    return (
      own && {
        value: this.get(target, key),
        enumerable: own.enumerable ?? false,
        configurable: true,
        writable: false,
      }
    );
  }

  set(_target: Target, key: PropertyKey): boolean {
    return this.#refuse(key);
  }
  defineProperty(_target: Target, key: PropertyKey): boolean {
    return this.#refuse(key);
  }
  deleteProperty(_target: Target, key: PropertyKey): boolean {
    return this.#refuse(key);
  }
  setPrototypeOf(): boolean {
    return false;
  }
  preventExtensions(): boolean {
    return false;
  }

  #refuse(key: PropertyKey): boolean {
    this.permit.assertOpen(String(key));
    return false;
  }
}

class StateGuard<State extends object> extends Guard<State> {
  readonly #writes: ReadonlySet<string>;
  #execution: object | undefined;

  constructor(state: State, permit: HookPermit, writes: ReadonlySet<string>) {
    super(state, permit);
    this.#writes = writes;
  }

  get(_target: State, key: PropertyKey): unknown {
    if (key === hookPermit) return this.permit;
    const value: unknown = Reflect.get(this.real, key);
    if (key === 'execution' && isObject(value)) return this.#guardExecution(value);
    if (typeof value !== 'function') return value;
    const method = value.bind(this.real) as Method;
    if (this.#writes.has(key as string)) return guardWrite(method, key, this.permit);
    return statesOf.has(key) ? this.#guardFound(method) : method;
  }

  #guardExecution(execution: object): object {
    this.#execution ??= new Proxy(standIn, new ExecutionGuard(execution, this.permit));
    return this.#execution;
  }

  #guardFound(method: Method): Method {
    return async (...args) => {
      const found = await method(...args);
      return isObject(found) ? guardState(found, this.permit, this.#writes) : found;
    };
  }
}

class ExecutionGuard extends Guard<object> {
  get(_target: object, key: PropertyKey): unknown {
    if (key === 'abortSignal') return this.permit.signal;
    const value: unknown = Reflect.get(this.real, key);
    return typeof value === 'function'
      ? guardWrite(value.bind(this.real) as Method, key, this.permit)
      : value;
  }
}

function guardWrite(method: Method, key: PropertyKey, permit: HookPermit): Method {
  const name = String(key);
  return (...args) => {
    if (permit.open) return method(...args);
    if (immediateWrites.has(key)) return permit.assertOpen(name);
    const refused = new Promise<never>(() => permit.assertOpen(name));
    refused.catch(() => {});
    return refused;
  };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
