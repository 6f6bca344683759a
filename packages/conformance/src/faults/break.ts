import type { AnyHook, LifecycleName, ThreadState } from '@spec/hooks';
import type { Setup, Subject, Trial } from '../subject.ts';

/** What a fault changes of one trial. */
export interface Break {
  /** In the place of what the case asked for. */
  readonly setup?: Setup;
  /** What runs in the place of a hook. Default: itself. */
  readonly hook?: (hook: AnyHook, isPolicy: boolean) => AnyHook;
  /** What takes the place of a trial's methods. */
  readonly trial?: (trial: Trial) => Partial<Trial>;
}

/** A subject whose trials are changed; what a fault remembers it keeps for each trial. */
export function broken(good: Subject, breakOf: (setup: Setup) => Break): Subject {
  return {
    name: good.name,
    abilities: good.abilities,
    async open(asked) {
      const change = breakOf(asked);
      const setup = change.setup ?? asked;
      const hookOf = onceEach(setup, change);
      const trial = await good.open({
        ...setup,
        ...(setup.hooks === undefined ? {} : { hooks: setup.hooks.map(hookOf) }),
        ...(setup.policies === undefined ? {} : { policies: setup.policies.map(hookOf) }),
      });
      return brokenTrial(trial, change);
    },
  };
}

/** A hook that is named twice stays one hook. */
function onceEach({ policies = [] }: Setup, { hook: change }: Break): (hook: AnyHook) => AnyHook {
  const changed = new Map<AnyHook, AnyHook>();
  return (hook) => {
    if (change === undefined || typeof hook?.execute !== 'function') return hook;
    const known = changed.get(hook) ?? change(hook, policies.includes(hook));
    changed.set(hook, known);
    return known;
  };
}

function brokenTrial(trial: Trial, change: Break): Trial {
  const changed: Partial<Trial> = change.trial?.(trial) ?? {};
  return new Proxy(trial, {
    get(target, name) {
      const value: unknown = Reflect.get(Object.hasOwn(changed, name) ? changed : target, name);
      if (typeof value !== 'function') return value;
      const method = value.bind(target) as (...args: unknown[]) => unknown;
      if (name !== 'reopen' && name !== 'crashAndResume') return method;
      return async () => brokenTrial((await method()) as Trial, change);
    },
  });
}

type Execute = (state: ThreadState, ...args: unknown[]) => unknown;

/** One run of a hook, as a fault sees it. */
export interface HookCall {
  readonly hook: AnyHook;
  readonly isPolicy: boolean;
  readonly state: ThreadState;
  /** What the hook gets after the state; the subject is the last. */
  readonly args: readonly unknown[];
  /** Runs the hook as it should, or on another subject. */
  execute(subject?: unknown): Promise<unknown>;
  /** Runs the hook with another state. */
  executeWith(state: ThreadState): Promise<unknown>;
}

/** Something else that happens where hooks of these names run. */
export function replaceHook(
  names: readonly LifecycleName[] | 'all',
  run: (call: HookCall) => Promise<unknown>,
): NonNullable<Break['hook']> {
  return (hook, isPolicy) => {
    if (names !== 'all' && !names.includes(hook.hook)) return hook;
    const real = hook.execute as Execute;
    const execute = (state: ThreadState, ...args: unknown[]): unknown =>
      run({
        ...{ hook, isPolicy, state, args },
        execute: async (...other) =>
          real(state, ...(other.length === 0 ? args : [...args.slice(0, -1), other[0]])),
        executeWith: async (otherState) => real(otherState, ...args),
      });
    return otherwise(hook, { execute });
  };
}

/** A hook with other fields; it stays one that `defineHook` made. */
export function otherwise(hook: AnyHook, fields: Readonly<Record<string, unknown>>): AnyHook {
  const own = Object.entries(fields).map(([name, value]) => [name, { value, enumerable: true }] as const);
  return Object.create(hook, Object.fromEntries(own)) as AnyHook;
}

/** A state of which some members are others. */
export function stateWith(state: ThreadState, others: Partial<ThreadState>): ThreadState {
  return withMembers(state, others);
}

/** A state whose hooks see another `execution`. */
export function stateWithExecution(
  state: ThreadState,
  others: Partial<ThreadState['execution']>,
): ThreadState {
  return stateWith(state, { execution: withMembers(state.execution, others) });
}

function withMembers<T extends object>(whole: T, others: Partial<T>): T {
  return new Proxy(whole, {
    get(target, name) {
      const value: unknown = Reflect.get(Object.hasOwn(others, name) ? others : target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** The subject of a call. */
export function readSubject<T = Record<string, unknown>>({ args }: HookCall): T {
  return args.at(-1) as T;
}

/** A setup without some of its fields. */
export function without<Fields extends keyof Setup>(setup: Setup, ...fields: Fields[]): Omit<Setup, Fields> {
  const rest: Partial<Setup> = { ...setup };
  for (const field of fields) delete rest[field];
  return rest as Omit<Setup, Fields>;
}
