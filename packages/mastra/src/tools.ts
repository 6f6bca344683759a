import type { Tool } from '@mastra/core/tools';
import {
  DefinitionError,
  type HookToolCall,
  type LifecycleName,
  lifecycleRow,
  lifecycleTable,
  RunError,
} from '@spec/hooks';
import { type CallDecision, checkRewritten, type PassedCall, parseOrText, passCall } from '@spec/hooks/host';
import { handOn } from './hand-on.ts';
import {
  type AgentContext,
  type Context,
  type Execute,
  readRefusal,
  readResumed,
  suspendFor,
} from './person.ts';
import { addResult } from './request.ts';
import type { Turns } from './turns.ts';

/** A tool of Mastra, as much of it as hooks need. */
export type ToolLike = Pick<Tool, 'id'> & { readonly execute?: unknown };
type Checked = Awaited<ReturnType<typeof checkRewritten>>;

/** What a hook denied, a tool that threw, or a result that a hook made an error: Mastra tells the model its message. */
export class ToolFailedError extends Error {
  override readonly name = 'ToolFailedError';
}

/** The hooks on calls of tools. */
export const toolHooks: readonly LifecycleName[] = (Object.keys(lifecycleTable) as LifecycleName[]).filter(
  (name) => {
    const { toolCall, toolCalls } = lifecycleRow(name);
    return (toolCall ?? toolCalls) !== undefined;
  },
);

export interface ToolsSetting {
  readonly turns: Turns;
  /** Whether any hook is on tools. */
  readonly isNeeded: boolean;
  /** Whether the host asks people itself; else runs are suspended. */
  readonly asksItself: boolean;
  readonly allowUnwrapped: readonly string[];
}

/**
 * The tools whose calls pass the hooks. Mastra makes tools of its own of those that it is given, under names that others may have too; what it
 * takes over as it is, such as `onOutput`, tells which of them are ours.
 */
export class HookedTools {
  readonly #setting: ToolsSetting;
  readonly #marks = new WeakSet<object>();
  /** What runs the tools that were wrapped: one whose `execute` somebody has replaced since is not among them. */
  readonly #hooked = new WeakSet<object>();
  readonly #seal = crypto.randomUUID();

  constructor(setting: ToolsSetting) {
    this.#setting = setting;
  }

  /** Whether any hook is on tools, or on the rows of their results. */
  get isNeeded(): boolean {
    return this.#setting.isNeeded;
  }

  get allowUnwrapped(): readonly string[] {
    return this.#setting.allowUnwrapped;
  }

  wrap<Tools extends Readonly<Record<string, ToolLike>>>(tools: Tools): Tools {
    if (!this.#setting.isNeeded) return tools;
    const wrapped = Object.entries(tools).map(([name, tool]) => [name, this.#wrapTool(name, tool as Tool)]);
    return Object.fromEntries(wrapped) as Tools;
  }

  #wrapTool(name: string, tool: Tool): Tool {
    const { execute } = tool;
    // One that was wrapped before is as it should be: in a second layer every hook would run twice.
    if (execute === undefined || this.#hooked.has(execute)) return tool;
    const calls = new ToolCalls(
      name,
      { requireApproval: tool.requireApproval, inputSchema: tool.inputSchema, execute },
      this.#setting,
    );
    const run: Execute = (input, context) => calls.execute(input, context);
    this.#hooked.add(run);
    const copy = Object.create(Object.getPrototypeOf(tool) as object) as Tool;
    const approval = this.#setting.asksItself ? { requireApproval: false, needsApprovalFn: undefined } : {};
    const providerOptions = { ...tool.providerOptions, [SEAL]: { of: this.#seal } };
    return Object.assign(copy, tool, {
      execute: run,
      onOutput: this.#mark(tool),
      providerOptions,
      ...approval,
    });
  }

  /**
   * The tools that a model is offered, when all processors have seen them. Each of ours bears a seal, which no provider gets.
   *
   * @throws {DefinitionError} `bad_option` for one that came behind our back
   */
  takeOffered<Offered extends OfferedTool>(offered: readonly Offered[]): Offered[] {
    const { isNeeded, allowUnwrapped } = this.#setting;
    return offered.map((tool) => {
      const { [SEAL]: seal, ...providerOptions } = tool.providerOptions ?? {};
      const isOurs = (seal as { of?: unknown } | undefined)?.of === this.#seal;
      if (isNeeded && !isOurs && !allowUnwrapped.includes(tool.name)) throw refuseUnseen(tool.name);
      if (seal === undefined) return tool;
      const { providerOptions: _, ...bare } = tool;
      return (Object.keys(providerOptions).length === 0 ? bare : { ...bare, providerOptions }) as Offered;
    });
  }

  #mark(tool: Tool): NonNullable<Tool['onOutput']> {
    const onOutput: NonNullable<Tool['onOutput']> = async (given) => tool.onOutput?.(given);
    this.#marks.add(onOutput);
    return onOutput;
  }

  /** @throws {DefinitionError} `bad_option` for a tool that no hook would see */
  check(tools: Readonly<Record<string, unknown>>): void {
    const { isNeeded, allowUnwrapped } = this.#setting;
    if (!isNeeded) return;
    const unseen = Object.keys(tools).find(
      (name) => !this.#isMarked(tools[name]) && !allowUnwrapped.includes(name),
    );
    if (unseen !== undefined) throw refuseUnseen(unseen);
  }

  #isMarked(tool: unknown): boolean {
    const { onOutput } = (tool ?? {}) as { onOutput?: unknown };
    return typeof onOutput === 'function' && this.#marks.has(onOutput);
  }
}

/** Under which a tool of ours bears its seal among the options for providers, which Mastra takes over as they are. */
const SEAL = 'spec_hooks';

/** A tool as a model is offered it. */
export interface OfferedTool {
  readonly name: string;
  readonly providerOptions?: Readonly<Record<string, unknown>> | undefined;
}

function refuseUnseen(name: string): DefinitionError {
  return new DefinitionError(
    'bad_option',
    `No hook sees the calls of the tool "${name}". Give the agent tools: hooks.wrapTools({ ${name} }), wrap those that a processor or prepareStep gives a step, or accept that: allowUnwrapped: ["${name}"]. Tools without execute, and those that Mastra adds by itself, can only be accepted.`,
  );
}

/** The calls of one tool. */
class ToolCalls {
  readonly #name: string;
  readonly #tool: CalledTool;
  readonly #setting: ToolsSetting;

  constructor(name: string, tool: CalledTool, setting: ToolsSetting) {
    this.#name = name;
    this.#tool = tool;
    this.#setting = setting;
  }

  async execute(input: unknown, context: Context): Promise<unknown> {
    const { agent, requestContext, abortSignal } = context;
    const running = this.#setting.turns.find(requestContext, {
      ...(abortSignal === undefined ? {} : { abortSignal }),
      ...(agent?.threadId === undefined ? {} : { threadId: agent.threadId }),
      ...(agent?.resourceId === undefined ? {} : { userId: agent.resourceId }),
    });
    const id = agent?.toolCallId ?? crypto.randomUUID();
    const json = JSON.stringify(input ?? {});
    const call: HookToolCall = { id, type: 'function', function: { name: this.#name, arguments: json } };
    const { answer, given, hasSuspended } = readResumed(context);
    // Of a tool that was suspended by itself, the call was allowed already.
    const allowed = hasSuspended ? json : answer?.allowed;
    const { asksItself } = this.#setting;
    const needsPermission = asksItself && (await this.#wantsApproval(input, context));
    const askLater = !asksItself;
    const watched = new Suspension();
    const decide = async (): Promise<CallDecision> => {
      const asked = await running.turn.decideCall(call, { askLater, allowed, needsPermission });
      const decided = asked.outcome === 'ask' ? readRefusal(asked, answer, agent) : asked;
      if (decided !== 'suspend') return decided;
      return watched.suspend(() => suspendFor(asked, agent as AgentContext));
    };
    const { inputSchema } = this.#tool;
    const validate = async (args: Record<string, unknown>): Promise<Checked> =>
      JSON.stringify(args) === json ? { input: args } : checkRewritten(inputSchema, args);
    // What the model gave may hold what is no JSON by now, such as a date.
    const handed =
      requestContext === undefined ? given : { ...given, requestContext: handOn(requestContext) };
    const run = (args: Record<string, unknown>): Promise<unknown> =>
      watched.watch(handed, (watching) =>
        this.#tool.execute(JSON.stringify(args) === json ? (input as typeof args) : args, watching),
      );
    const pass = async (): Promise<PassedCall> => {
      const passed = await passCall(running.turn, call, { decide, validate, tool: run });
      await addResult(running, { toolCall: passed.call, result: passed.result });
      return passed;
    };
    const passed = await pass().catch((error) => {
      if (!watched.isSuspended) running.broken ??= { error };
      return watched.settle(error);
    });
    return passed === undefined ? undefined : makeGiven(passed);
  }

  async #wantsApproval(input: unknown, { requestContext, workspace }: Context): Promise<boolean> {
    const { requireApproval = false } = this.#tool;
    if (typeof requireApproval !== 'function') return requireApproval;
    const known = requestContext === undefined ? {} : Object.fromEntries(requestContext.entries());
    return requireApproval(input, {
      requestContext: known,
      ...(workspace === undefined ? {} : { workspace }),
    });
  }
}

type CalledTool = Pick<Tool, 'requireApproval'> & {
  readonly inputSchema: unknown;
  readonly execute: Execute;
};

/** A tool may suspend its run by itself, which is no result: no hook is told, and Mastra goes on with it. */
class Suspension {
  #isSuspended = false;

  get isSuspended(): boolean {
    return this.#isSuspended;
  }

  async watch(context: Context, execute: (context: Context) => Promise<unknown>): Promise<unknown> {
    const { agent } = context;
    if (agent === undefined) return check(await execute(context));
    const suspend: AgentContext['suspend'] = async (...args) => {
      this.#isSuspended = true;
      return agent.suspend(...args);
    };
    const given = await execute({ ...context, agent: { ...agent, suspend } });
    if (this.#isSuspended) throw suspended();
    return check(given);
  }

  /** The run is suspended until a person has answered. */
  async suspend(work: () => Promise<void>): Promise<never> {
    this.#isSuspended = true;
    await work();
    throw suspended();
  }

  settle(error: unknown): undefined {
    if (this.#isSuspended) return undefined;
    throw error;
  }
}

const suspended = (): RunError => new RunError('aborted', 'The tool call has suspended its run.', {});

/** Mastra gives an error for arguments that do not fit, and throws none. @throws {ToolFailedError} */
function check(given: unknown): unknown {
  const { error, message, validationErrors } = (given ?? {}) as Readonly<Record<string, unknown>>;
  if (error === true && validationErrors !== undefined && typeof message === 'string')
    throw new ToolFailedError(message);
  return given;
}

function makeGiven({ result, returned, row: { content, isSame } }: PassedCall): unknown {
  if (result.status === 'error') throw new ToolFailedError(content || 'The tool failed.');
  return isSame ? returned?.value : parseOrText(content);
}
