import type { AnyHook } from '../define/define.ts';
import { emptyScope, type Scope } from '../define/scope.ts';
import { RunError } from '../errors.ts';
import { parseOrUndefined } from '../json.ts';
import type { AnyRow } from '../lifecycle/row.ts';
import type { MatchEnvironment, ToolCallView } from '../match/matcher.ts';
import { nothing, ShapeProblem } from '../shapes/index.ts';
import type { Borrower, Held } from '../shapes/shape.ts';
import { showInput } from '../tool-arguments.ts';
import type { RunSubject } from '../vocabulary/record.ts';
import type { ThreadState } from '../vocabulary/state.ts';
import type { ChainStart } from './chain-start.ts';
import { InputProblem } from './failure.ts';
import type { RestoredCalls } from './restored-calls.ts';

type Execute = (state: ThreadState, ...args: unknown[]) => unknown;

/** The arguments of a chain's hooks after the state: at most one argument, then the subject, which hooks can replace. */
export class ChainArguments {
  subject: Held<unknown>;
  readonly restored: RestoredCalls | undefined;
  /** What the chain's runs are about; hooks cannot change it. */
  readonly about: RunSubject | undefined;
  /** All hooks of the thread. */
  readonly scope: Scope;
  readonly #context: Held<unknown> | undefined;
  readonly #row: AnyRow;
  readonly #part: 'execute' | 'restore';
  #toolCall: { readonly of: Held<unknown>; readonly view: ToolCallView } | undefined;

  constructor({ row, scope = emptyScope, context, subject, restored }: ChainStart) {
    this.scope = scope;
    this.restored = restored;
    const isPair = row.args.length > 1;
    const last = row.args[isPair ? 1 : 0];
    this.subject = last === undefined ? nothing : last.hold(subject);
    this.about = findSubject(row, isPair ? [context, subject] : [subject]);
    this.#context = isPair ? row.args[0]?.hold(context) : undefined;
    this.#row = row;
    this.#part = row.restores ? 'restore' : 'execute';
  }

  /** Calls a hook with copies of the data (C2). */
  call(hook: AnyHook, borrower: Borrower, state: ThreadState): unknown {
    const execute = hook[this.#part] as Execute;
    if (this.subject === nothing) return execute(state);
    const subject = this.lend(borrower);
    if (this.#context !== undefined) {
      const context = lend(this.#context, borrower);
      showInputs(this.#row, context, subject);
      return execute(state, context, subject);
    }
    showInputs(this.#row, subject);
    const answer = execute(state, subject);
    return this.restored === undefined ? answer : this.restored.conceal(answer, this.subject, state);
  }

  /** What hooks see of the subject. */
  get #shown(): Held<unknown> {
    return this.restored?.shown(this.subject) ?? this.subject;
  }

  /** Whether a hook knows all that others are shown of the subject that it wrote. @param said its answer */
  judgeRewrite(said: unknown, written: Held<unknown>): 'known' | 'unknown' {
    return this.restored?.isNewTo(said, written) === true ? 'unknown' : 'known';
  }

  /** A copy of the subject. @throws {InputProblem} if it cannot be copied */
  lend(borrower: Borrower): unknown {
    return lend(this.#shown, borrower);
  }

  /** The tool call that matchers look at, read once for all hooks that see the same one. */
  toolCall(): ToolCallView {
    const subject = this.#shown;
    if (this.#toolCall?.of === subject) return this.#toolCall.view;
    const held = this.#context === undefined ? [subject] : [this.#context, subject];
    const toolCallIn = this.#row.toolCall as NonNullable<AnyRow['toolCall']>;
    const { name, arguments: json } = toolCallIn(held.map(({ value }) => value)).function;
    const view = { name, input: parseOrUndefined(json) };
    this.#toolCall = { of: subject, view };
    return view;
  }
}

/** The message or call that hooks are about to get, where it has an id. */
function findSubject({ messageId, toolCall }: AnyRow, args: readonly unknown[]): RunSubject | undefined {
  if (messageId === undefined && toolCall === undefined) return undefined;
  if (args.some((arg) => arg === null || arg === undefined)) return undefined;
  if (messageId !== undefined) {
    const id = messageId(args);
    return typeof id === 'string' ? { message: id } : undefined;
  }
  const id: unknown = toolCall?.(args)?.id;
  return typeof id === 'string' ? { call: id } : undefined;
}

/** Gives the tool calls that a hook is lent their parsed arguments. */
function showInputs({ toolCall, toolCalls }: AnyRow, ...lent: unknown[]): void {
  if (toolCall !== undefined) showInput(toolCall(lent));
  else if (toolCalls !== undefined) for (const call of toolCalls(lent)) showInput(call);
}

function lend(held: Held<unknown>, borrower: Borrower): unknown {
  try {
    return held.lend(borrower);
  } catch (error) {
    throw error instanceof ShapeProblem
      ? new InputProblem(`its arguments cannot be copied: ${error.message}`)
      : error;
  }
}

/** Why a matcher does not match a call; nothing if it matches. @throws {InputProblem} if it cannot be tested */
export function explainMismatch(
  matcher: NonNullable<AnyHook['matcher']>,
  args: ChainArguments,
  environment: MatchEnvironment | undefined,
): string | undefined {
  try {
    const call = args.toolCall();
    return matcher.test(call, environment) ? undefined : matcher.explain(call, environment);
  } catch (error) {
    const text =
      error instanceof RunError ? error.message : 'the matcher could not be applied to the tool call';
    throw new InputProblem(text);
  }
}
