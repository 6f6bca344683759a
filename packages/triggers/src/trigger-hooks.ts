import {
  type AnyHook,
  checkOptionNames,
  DefinitionError,
  defineHook,
  type MatchEnvironment,
  type ThreadState,
} from '@spec/hooks';
import { type Collected, type CompiledTrigger, compileTrigger, fire } from './firing.ts';
import { KEY, ThreadMemory } from './memory.ts';
import { makeToolUse, type ToolUse } from './tool-use.ts';
import { type AnyTrigger, defineTrigger, type Occasions, type Trigger, type TriggerKind } from './trigger.ts';

export interface TriggerHookOptions {
  /** The prefix of the hooks' ids, snake_case. Default `triggers`. */
  readonly name?: string;
  /** The most characters of triggers in one message. A text that does not fit is left out, and its record says so. Default 8,000. */
  readonly budget?: number;
  /** How matchers see paths: `realPaths()` of `@spec/hooks/node` follows links, and gives globs a folder to start from. Default: as they are written. */
  readonly environment?: MatchEnvironment;
}

/**
 * Makes hooks of triggers, for `policies`. What they collect during a batch becomes one user message after all tool results,
 * each text in its own block (system hooks, "Architecture").
 *
 * @throws {DefinitionError} `bad_definition`, `bad_matcher`, `bad_option`; `duplicate_id` for two triggers with one id
 */
export function triggerHooks(triggers: readonly AnyTrigger[], options: TriggerHookOptions = {}): AnyHook[] {
  checkOptionNames('triggerHooks', options, { name: true, budget: true, environment: true });
  const { name = 'triggers', budget = 8_000, environment } = options;
  if (!Number.isSafeInteger(budget) || budget < 1)
    throw new DefinitionError(
      'bad_option',
      'triggers: budget must be a whole number of characters, at least 1.',
    );
  const compiled = triggers.map((trigger) =>
    compileTrigger(defineTrigger(trigger as Trigger) as AnyTrigger, environment),
  );
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

/** Fires the triggers of a kind, within the budget. */
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

  async findMemory(state: ThreadState): Promise<ThreadMemory> {
    const known = this.#threads.get(state.threadId) ?? new ThreadMemory();
    this.#threads.set(state.threadId, known);
    await known.enter(state);
    return known;
  }

  /** @param about what the message is about, beside its turn and step; nothing for a session, whose texts wait for the next one */
  collected({ execution: { flowId, stepCount } }: ThreadState, about: string | null): Collected {
    const place = about === null ? null : JSON.stringify([flowId, stepCount, about]);
    return { texts: [], keys: new Set(), once: [], room: this.#budget, place };
  }

  /** The texts of a message. What is told once is remembered from now on. */
  async texts(state: ThreadState, { texts, once, place }: Collected): Promise<string[]> {
    if (once.length > 0) await (await this.findMemory(state)).remember(state, once, place);
    return texts;
  }

  async collect<K extends TriggerKind>(
    kind: K,
    { occasion, state }: { occasion: Occasions[K]; state: ThreadState },
    collected: Collected,
  ): Promise<void> {
    const memory = await this.findMemory(state);
    for (const trigger of this.of(kind)) await fire(trigger, { occasion, state, memory }, collected);
  }

  /** Collects the texts of the triggers of one kind. */
  async collectTexts<K extends TriggerKind>(
    kind: K,
    occasion: Occasions[K],
    state: ThreadState,
  ): Promise<string[]> {
    const collected = this.collected(state, kind === 'session_started' ? null : kind);
    await this.collect(kind, { occasion, state }, collected);
    return this.texts(state, collected);
  }
}

function batchHook(teller: Teller, name: string): AnyHook[] {
  if (!teller.has('tool_result', 'tool_batch')) return [];
  const hook = defineHook({
    hook: 'after_tool_batch',
    id: `${name}_tool_batch`,
    execute: async (state, results) => {
      const batch = results.map(makeToolUse);
      const memory = await teller.findMemory(state);
      memory.note(batch);
      const uses = memory.uses;
      const collected = teller.collected(state, identifyBatch(batch));
      for (const use of batch)
        await teller.collect('tool_result', { occasion: { use, uses }, state }, collected);
      await teller.collect('tool_batch', { occasion: { batch, uses }, state }, collected);
      return teller.texts(state, collected);
    },
  });
  return [hook];
}

/** Where providers give ids twice, the step and what came of the calls tell batches apart. */
function identifyBatch(batch: readonly ToolUse[]): string {
  return batch.map(({ id, name, text }) => `${id} ${name} ${text.length}`).join();
}

function messageHook(teller: Teller, name: string): AnyHook[] {
  if (!teller.has('user_message')) return [];
  const hook = defineHook({
    hook: 'before_user_message',
    id: `${name}_user_message`,
    onError: 'continue',
    execute: async (state, { content }) => {
      const context = await teller.collectTexts('user_message', { content: content ?? '' }, state);
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
    execute: async (state, { source }) => teller.collectTexts('session_started', { source }, state),
  });
  return [hook];
}

function forgetting(threads: Map<string, ThreadMemory>, name: string): AnyHook {
  return defineHook({
    hook: 'after_session_ended',
    id: `${name}_session_ended`,
    keeps: KEY,
    execute: async ({ threadId }) => {
      threads.delete(threadId);
    },
  });
}
