import { type AnyHook, DefinitionError, defineHook, type ThreadState } from '@spec/hooks';
import { type Collected, type CompiledTrigger, compileTrigger, fire, record } from './firing.ts';
import { ThreadMemory } from './memory.ts';
import { toolUseOf } from './tool-use.ts';
import { type AnyTrigger, defineTrigger, type Occasions, type TriggerKind } from './trigger.ts';

export interface TriggerHookOptions {
  /** Begins the hooks' ids. snake_case. Default `triggers`. */
  readonly name?: string;
  /** How many characters one message of triggers may have; what comes after is left out, and the message says so. Default 8,000. */
  readonly budget?: number;
}

/**
 * Makes hooks of triggers, for `policies`: what they collect during a batch is delivered as one user message after all tool results,
 * each text in a block of its own (system hooks, "Architecture").
 *
 * @throws {DefinitionError} `bad_definition`, `bad_matcher`, `bad_option`; `duplicate_id` for two triggers with one id
 */
export function triggerHooks(
  triggers: readonly AnyTrigger[],
  { name = 'triggers', budget = 8_000 }: TriggerHookOptions = {},
): AnyHook[] {
  if (!Number.isSafeInteger(budget) || budget < 1)
    throw new DefinitionError(
      'bad_option',
      'triggers: budget must be a whole number of characters, at least 1.',
    );
  const compiled = triggers.map((trigger) => compileTrigger(defineTrigger(trigger as never) as AnyTrigger));
  refuseTwins(triggers);
  const threads = new Map<string, ThreadMemory>();
  const teller = new Teller(compiled, threads, budget);
  const hooks = [...batchHook(teller, name), ...messageHook(teller, name), ...sessionHook(teller, name)];
  return hooks.length === 0 ? [] : [...hooks, forgetting(threads, name)];
}

function refuseTwins(triggers: readonly AnyTrigger[]): void {
  const ids = triggers.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice === undefined) return;
  throw new DefinitionError('duplicate_id', `Two triggers have the id "${twice}": rename one.`);
}

/** Lets the triggers of a kind fire, and keeps what they say to the budget. */
class Teller {
  readonly #triggers: readonly CompiledTrigger[];
  readonly #threads: Map<string, ThreadMemory>;
  readonly #budget: number;

  constructor(triggers: readonly CompiledTrigger[], threads: Map<string, ThreadMemory>, budget: number) {
    this.#triggers = triggers;
    this.#threads = threads;
    this.#budget = budget;
  }

  of(kind: TriggerKind): readonly CompiledTrigger[] {
    return this.#triggers.filter(({ trigger }) => trigger.on === kind);
  }

  has(...kinds: TriggerKind[]): boolean {
    return kinds.some((kind) => this.of(kind).length > 0);
  }

  memoryOf(state: ThreadState): ThreadMemory {
    const known = this.#threads.get(state.threadId) ?? new ThreadMemory();
    this.#threads.set(state.threadId, known);
    known.enter(state);
    return known;
  }

  async collect<K extends TriggerKind>(
    kind: K,
    { occasion, state }: { occasion: Occasions[K]; state: ThreadState },
    collected: Collected = { texts: [], keys: new Set() },
  ): Promise<Collected> {
    const memory = this.memoryOf(state);
    for (const trigger of this.of(kind)) await fire(trigger, { occasion, state, memory }, collected);
    return collected;
  }

  /** The texts that fit; one that is too long leaves room for those after it. */
  within({ texts }: Collected, state: ThreadState): string[] {
    let room = this.#budget;
    const told = texts.filter((text) => {
      const fits = text.length <= room;
      if (fits) room -= text.length;
      return fits;
    });
    const leftOut = texts.length - told.length;
    if (leftOut === 0) return told;
    const why = `${leftOut} texts were left out: a message of triggers has ${this.#budget} characters`;
    record(state, 'triggers_budget', { outcome: 'skipped', size: 0, ms: 0, why });
    return told;
  }
}

function batchHook(teller: Teller, name: string): AnyHook[] {
  if (!teller.has('tool_result', 'tool_batch')) return [];
  const hook = defineHook({
    hook: 'after_tool_batch',
    id: `${name}_tool_batch`,
    execute: async (state, results) => {
      const batch = results.map(toolUseOf);
      const memory = teller.memoryOf(state);
      memory.note(batch);
      const uses = memory.uses;
      let collected: Collected = { texts: [], keys: new Set() };
      for (const use of batch)
        collected = await teller.collect('tool_result', { occasion: { use, uses }, state }, collected);
      collected = await teller.collect('tool_batch', { occasion: { batch, uses }, state }, collected);
      return teller.within(collected, state);
    },
  });
  return [hook];
}

function messageHook(teller: Teller, name: string): AnyHook[] {
  if (!teller.has('user_message')) return [];
  const hook = defineHook({
    hook: 'before_user_message',
    id: `${name}_user_message`,
    onError: 'continue',
    execute: async (state, { content }) => {
      const occasion = { content: content ?? '' };
      const context = teller.within(await teller.collect('user_message', { occasion, state }), state);
      return context.length === 0 ? null : { context };
    },
  });
  return [hook];
}

function sessionHook(teller: Teller, name: string): AnyHook[] {
  if (!teller.has('session_started')) return [];
  const hook = defineHook({
    hook: 'after_session_started',
    id: `${name}_session_started`,
    execute: async (state, { source }) =>
      teller.within(await teller.collect('session_started', { occasion: { source }, state }), state),
  });
  return [hook];
}

function forgetting(threads: Map<string, ThreadMemory>, name: string): AnyHook {
  return defineHook({
    hook: 'after_session_ended',
    id: `${name}_session_ended`,
    execute: async ({ threadId }) => {
      threads.delete(threadId);
    },
  });
}
