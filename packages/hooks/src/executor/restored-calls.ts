import type { ChainMember } from '../define/scope.ts';
import { RunError } from '../errors.ts';
import type { AnyRow } from '../lifecycle/row.ts';
import { isPlainRecord } from '../shapes/record.ts';
import type { Held, Shape } from '../shapes/shape.ts';
import { parseArguments } from '../tool-arguments.ts';
import type { Decision } from '../vocabulary/control.ts';
import type { Verdict } from '../vocabulary/lifecycle.ts';
import type { HookToolCall } from '../vocabulary/messages.ts';
import type { ThreadState } from '../vocabulary/state.ts';

interface RestoredCallsOptions {
  readonly row: AnyRow;
  /** Whose hooks put values back, and take them out again. */
  readonly members: readonly ChainMember[];
  readonly restore: (toolCall: HookToolCall) => HookToolCall | Promise<HookToolCall>;
}

/** The call that hooks are shown, or why there is none. */
type Shown = { readonly held: Held<unknown> } | { readonly failure: RunError } | undefined;

/**
 * Tool calls as their tools will get them, for the hooks that decide on them.
 *
 * V1 What decides on a call, matchers and schemas too, sees the values that `restore` puts back.
 * V2 What a hook says goes through `conceal` before the chain takes it: verdict, records and rewritten input hold no value.
 * V3 What is put back into a rewritten input is new to the hook that rewrote it, unless it wrote just that.
 * V4 A call whose values cannot be put back is shown as it is, and denied.
 */
export class RestoredCalls {
  readonly #options: RestoredCallsOptions;
  readonly #bySubject = new Map<unknown, Shown>();
  /** The inputs of answers as their hooks wrote them, by the answers without values. */
  readonly #written = new WeakMap<object, unknown>();

  constructor(options: RestoredCallsOptions) {
    this.#options = options;
  }

  /** Has to be awaited before hooks are asked about a subject. @throws {RunError} `aborted` */
  async prepare(subject: unknown): Promise<void> {
    this.#bySubject.set(subject, await this.#shownFor(subject));
  }

  async #shownFor(subject: unknown): Promise<Shown> {
    const { row, restore } = this.#options;
    const toolCall = this.#callIn(subject);
    try {
      const restored = await restore(toolCall);
      if (restored.function.arguments === toolCall.function.arguments) return undefined;
      const shape = row.args.at(-1) as Shape<unknown>;
      return { held: shape.hold(row.decide?.withCall?.(subject, restored)) };
    } catch (error) {
      if (!(error instanceof RunError) || error.code === 'aborted') throw error;
      return { failure: error };
    }
  }

  #callIn(subject: unknown): HookToolCall {
    return (this.#options.row.toolCall as NonNullable<AnyRow['toolCall']>)([subject]);
  }

  /** What hooks are shown of a subject: itself, where nothing was put back into it. */
  shown(subject: Held<unknown>): Held<unknown> {
    const shown = this.#bySubject.get(subject.value);
    return shown !== undefined && 'held' in shown ? shown.held : subject;
  }

  /** A hook's answer without the values that it was shown. */
  async conceal(returned: unknown, subject: Held<unknown>, state: ThreadState): Promise<unknown> {
    const answer = await returned;
    if (!isPlainRecord(answer)) return answer;
    let said = answer as Decision;
    if (this.shown(subject) === subject) {
      this.#written.set(said, said.input);
      return said;
    }
    for (const { hook } of this.#options.members)
      if ('conceal' in hook && hook.conceal !== undefined)
        said = await hook.conceal(state, this.#callIn(subject.value), said);
    if (isPlainRecord(said)) this.#written.set(said, answer.input);
    return said;
  }

  /** Whether an input that a hook has written is shown to others as something that it has not written. */
  isNewTo(said: unknown, subject: Held<unknown>): boolean {
    const shown = this.shown(subject);
    if (shown === subject) return false;
    const written = isPlainRecord(said) ? this.#written.get(said) : undefined;
    return JSON.stringify(parseArguments(this.#callIn(shown.value))) !== JSON.stringify(written);
  }

  /** The verdict, which is no leave to run a call whose values cannot be put back. */
  hardened(verdict: Verdict<unknown>): Verdict<unknown> {
    const shown = this.#bySubject.get(verdict.subject);
    if (shown === undefined || !('failure' in shown) || verdict.decision === 'deny') return verdict;
    const { id, message } = shown.failure;
    return { ...verdict, decision: 'deny', by: id ?? null, reason: message };
  }
}
