import {
  type AnyHook,
  defineHook,
  type HookMessage,
  type HookOptions,
  type HookToolResult,
  type LifecycleName,
  type LifecycleSignatures,
  lifecycleTable,
} from '@spec/hooks';
import type { FullTrial, ModelAnswer, Setup, TrialTool } from '../../subject.ts';

/** A hook in one line; its id is `on_` and its name where the options have none. */
export function on<K extends LifecycleName>(
  hook: K,
  execute: LifecycleSignatures[K],
  options: Partial<HookOptions<K>> = {},
): AnyHook {
  return defineHook({ hook, id: `on_${hook}`, ...options, execute } as HookOptions<K>) as unknown as AnyHook;
}

/** As {@link on}, for what a program without types could register: nothing says that the function is for this hook. */
export function onUntyped(hook: LifecycleName, execute: Untyped, options: object = {}): AnyHook {
  return defineHook({ hook, id: `on_${hook}`, ...options, execute } as HookOptions<LifecycleName>) as AnyHook;
}

/** A function of a hook whose name the types do not know. */
export type Untyped = (...args: never[]) => unknown;

/** A hook's function that returns what its signature does not allow. */
export function returning(nonsense: unknown): () => Promise<never> {
  return async () => nonsense as never;
}

/** A hook that only looks: it gives its subject on as it is, or has no opinion. */
export function watch<K extends LifecycleName>(
  hook: K,
  look: (...args: Parameters<LifecycleSignatures[K]>) => unknown,
  options: Partial<HookOptions<K>> = {},
): AnyHook {
  const execute = async (...args: Parameters<LifecycleSignatures[K]>): Promise<unknown> => {
    await look(...args);
    return passOn(hook, args);
  };
  return onUntyped(hook, execute, options);
}

/** What a hook of this name returns that has nothing to add. */
export function passOn(hook: LifecycleName, args: readonly unknown[]): unknown {
  return lifecycleTable[hook].kind === 'transform' ? args.at(-1) : null;
}

/** A hook that counts its runs. */
export interface CountedHook {
  readonly hook: AnyHook;
  /** So far. */
  readonly runs: number;
}

/** As {@link on}; a case whose outcome would be the same without the hook says by it that the hook ran. */
export function counted<K extends LifecycleName>(
  hook: K,
  execute: LifecycleSignatures[K],
  options: Partial<HookOptions<K>> = {},
): CountedHook {
  return countedUntyped(hook, execute, options);
}

/** {@link counted} for what {@link onUntyped} takes. */
export function countedUntyped(hook: LifecycleName, execute: Untyped, options: object = {}): CountedHook {
  let runs = 0;
  const counting = (...args: never[]): unknown => {
    runs++;
    return execute(...args);
  };
  return {
    hook: onUntyped(hook, counting, options),
    get runs() {
      return runs;
    },
  };
}

/** What `defineHook` would refuse, as a program without types could register it. */
export function forged(fields: Record<string, unknown>): AnyHook {
  return fields as unknown as AnyHook;
}

/** A setup whose prompt names these hooks, in this order. */
export function scoped(hooks: readonly AnyHook[], setup: Setup = {}): Setup {
  return { hooks, promptHooks: hooks.map(({ id }) => id), ...setup };
}

/** Throws where a promise is not rejected. @returns what it was rejected with */
export async function rejects(promise: Promise<unknown>, what: string): Promise<Error> {
  const reason: unknown = await promise.then(
    () => undefined,
    (error: unknown) => error ?? new Error('rejected with nothing'),
  );
  if (reason === undefined) throw new Error(`${what}: expected to be refused, was accepted`);
  return reason instanceof Error ? reason : new Error(`rejected with ${typeof reason}`);
}

/** A promise and its end. */
export interface Gate<T = void> {
  readonly opened: Promise<T>;
  open(value: T): void;
}

export function gate<T = void>(): Gate<T> {
  let open!: (value: T) => void;
  const opened = new Promise<T>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** @param ms milliseconds */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** A promise that never settles. */
export function never<T>(): Promise<T> {
  return new Promise(() => {});
}

/** Waits until something is so. Throws where it is not within four seconds. */
export async function until(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const deadline = performance.now() + 4_000;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`${what}: it was not so within four seconds`);
    await pause(2);
  }
}

/** A tool that gives a result, each time a new one, or throws it where it is an error. */
export function tool(name: string, answer: string | HookToolResult | Error): TrialTool {
  return {
    name,
    async run() {
      if (answer instanceof Error) throw answer;
      return structuredClone(answer);
    },
  };
}

/** The model calls tools, with the ids `call_1`, `call_2`, …, and then says "done". */
export function calling(...names: readonly string[]): readonly ModelAnswer[] {
  return [{ calls: names.map((name, i) => ({ id: `call_${i + 1}`, name, input: {} })) }, { text: 'done' }];
}

/** A message with the fields that the specification does not know. */
export type AnyMessage = HookMessage & Record<string, unknown>;

export async function stored(trial: FullTrial): Promise<readonly AnyMessage[]> {
  return (await trial.messages()) as readonly AnyMessage[];
}

/** The stored messages as `role: content`, without rows that only say that a turn failed. */
export async function listConversation(trial: FullTrial): Promise<readonly string[]> {
  const said = (await trial.messages()).filter((message) => !tellsOfFailure(message));
  return said.map(({ role, content }) => `${role}: ${content}`);
}

/** Whether a row only says that a turn failed (`error_code`). */
export function tellsOfFailure(message: object): boolean {
  return typeof (message as { readonly error_code?: unknown }).error_code === 'string';
}

/** The stored messages as `role: content`. */
export async function lines(trial: FullTrial): Promise<readonly string[]> {
  return (await trial.messages()).map(writeLine);
}

export function writeLine({
  role,
  content,
}: {
  readonly role?: unknown;
  readonly content?: unknown;
}): string {
  return `${String(role)}: ${String(content)}`;
}

/** A message with another text; one that has none stays as it is. */
export function withText(
  message: Record<string, unknown>,
  change: (text: string) => string,
): Record<string, unknown> {
  const { content } = message;
  return typeof content === 'string' ? { ...message, content: change(content) } : message;
}

/** The last stored message of a role. @throws where there is none */
export async function last(trial: FullTrial, role: HookMessage['role']): Promise<AnyMessage> {
  const found = (await stored(trial)).filter((message) => message.role === role).at(-1);
  if (found === undefined) throw new Error(`expected a stored message of the role "${role}", there is none`);
  return found;
}

/** Throws where something did not happen that the rest of a case would be empty without. */
export function happened(times: number, what: string): void {
  if (times === 0) throw new Error(`${what}: expected it to happen, it did not`);
}
