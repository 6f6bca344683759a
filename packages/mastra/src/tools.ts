import type { Tool } from '@mastra/core/tools';
import {
  DefinitionError,
  type HookToolCall,
  type LifecycleName,
  lifecycleRow,
  lifecycleTable,
  RunError,
} from '@spec/hooks';
import { type CallDecision, checkRewritten, type PassedCall, passCall } from '@spec/hooks/host';
import type { Turns } from './turns.ts';

/** A tool of Mastra, as much of it as hooks need. */
export type ToolLike = Pick<Tool, 'id'> & { readonly execute?: unknown };
type Execute = NonNullable<Tool['execute']>;
type Context = Parameters<Execute>[1];
type Checked = Awaited<ReturnType<typeof checkRewritten>>;
type AgentContext = NonNullable<Context['agent']>;

/** What a hook denied, a tool that threw, or a result that a hook made an error: Mastra tells the model its message. */
export class ToolFailedError extends Error {
  override readonly name = 'ToolFailedError';
}

/**
 * What a run is suspended with while a person thinks. Resume it with `{ approved: true, approvalId }`, or `{ approved: false, reason }`. Mastra
 * hands one answer to every call that waits, so an approval names the one that was shown.
 */
export interface AskPayload {
  readonly ask: 'approval';
  readonly approvalId: string;
  readonly toolCallId: string;
  /** What is approved, letter by letter: with other arguments the call is asked about again. */
  readonly arguments: string;
  readonly tool: string;
  readonly input: unknown;
  readonly reason?: string | undefined;
  readonly userMessage?: string | undefined;
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

  constructor(setting: ToolsSetting) {
    this.#setting = setting;
  }

  wrap<Tools extends Readonly<Record<string, ToolLike>>>(tools: Tools): Tools {
    if (!this.#setting.isNeeded) return tools;
    const wrapped = Object.entries(tools).map(([name, tool]) => [name, this.#wrapTool(name, tool as Tool)]);
    return Object.fromEntries(wrapped) as Tools;
  }

  #wrapTool(name: string, tool: Tool): Tool {
    const { execute } = tool;
    if (execute === undefined) return tool;
    const calls = new ToolCalls(
      name,
      { requireApproval: tool.requireApproval, inputSchema: tool.inputSchema, execute },
      this.#setting,
    );
    const run: Execute = (input, context) => calls.execute(input, context);
    const copy = Object.create(Object.getPrototypeOf(tool) as object) as Tool;
    const approval = this.#setting.asksItself ? { requireApproval: false, needsApprovalFn: undefined } : {};
    return Object.assign(copy, tool, { execute: run, onOutput: this.#mark(tool), ...approval });
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
    if (unseen === undefined) return;
    throw new DefinitionError(
      'bad_option',
      `No hook sees the calls of the tool "${unseen}". Give the agent tools: hooks.wrapTools({ ${unseen} }), or accept that: allowUnwrapped: ["${unseen}"]. Tools without execute, and those that Mastra adds by itself, can only be accepted.`,
    );
  }

  #isMarked(tool: unknown): boolean {
    const { onOutput } = (tool ?? {}) as { onOutput?: unknown };
    return typeof onOutput === 'function' && this.#marks.has(onOutput);
  }
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
    const run = (args: Record<string, unknown>): Promise<unknown> =>
      watched.watch(given, (watching) =>
        this.#tool.execute(JSON.stringify(args) === json ? (input as typeof args) : args, watching),
      );
    const passed = await passCall(running.turn, call, { decide, validate, tool: run }).catch((error) => {
      if (!watched.isSuspended) running.broken ??= { error };
      return watched.settle(error);
    });
    if (passed === undefined) return undefined;
    running.results.push({ toolCall: passed.call, result: passed.result });
    return makeGiven(passed);
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

/** What a person answered to our question. */
interface PersonAnswer {
  /** The arguments that they approved. */
  readonly allowed?: string | undefined;
  /** Why the call is refused; nothing where it is to be asked about. */
  readonly refusal?: string | undefined;
}

interface Resumed {
  readonly answer?: PersonAnswer;
  /** The context without the answer. */
  readonly given: Context;
  /** Whether the tool has suspended the run by itself. A model can put `resumeData` among its arguments, but no `suspendPayload`. */
  readonly hasSuspended: boolean;
}

function readResumed(context: Context): Resumed {
  const { agent } = context;
  const payload = (agent as { suspendPayload?: Partial<AskPayload> } | undefined)?.suspendPayload;
  if (agent?.resumeData === undefined || payload?.ask !== 'approval')
    return { given: context, hasSuspended: agent?.resumeData !== undefined && payload !== undefined };
  const { resumeData, ...rest } = agent;
  const given: Context = { ...context, agent: { ...rest, suspendPayload: undefined } as AgentContext };
  return { answer: readAnswer(resumeData, payload), given, hasSuspended: false };
}

const UNNAMED =
  'The approval does not name the call that it is for: resume with { approved: true, approvalId }, where approvalId is that of the suspendPayload.';

/** Anything else than an approval that names this call refuses; one that names another leaves it waiting. */
function readAnswer(resumed: unknown, payload: Partial<AskPayload>): PersonAnswer {
  const { approved, approvalId, reason } = (resumed ?? {}) as Readonly<Record<string, unknown>>;
  if (approvalId !== undefined && approvalId !== payload.approvalId) return {};
  if (approved !== true) return { refusal: typeof reason === 'string' ? reason : (payload.reason ?? '') };
  return approvalId === undefined ? { refusal: UNNAMED } : { allowed: payload.arguments };
}

/** Where nobody has answered about these arguments yet, the run is suspended; where it cannot be, the call is denied. */
function readRefusal(
  { call, reason = '' }: CallDecision,
  answer: PersonAnswer | undefined,
  agent: AgentContext | undefined,
): CallDecision | 'suspend' {
  const { refusal } = answer ?? {};
  if (refusal === undefined && agent?.suspend !== undefined) return 'suspend';
  const why = refusal ?? reason;
  const because = why === '' ? '.' : `: ${why}`;
  return { outcome: 'denied', call, reason: `This tool call was denied. Permission was refused${because}` };
}

async function suspendFor({ call, reason, userMessage }: CallDecision, agent: AgentContext): Promise<void> {
  const { name: tool, arguments: json } = call.function;
  const payload: AskPayload = {
    ...{ ask: 'approval', approvalId: crypto.randomUUID(), toolCallId: call.id, arguments: json },
    ...{ tool, input: JSON.parse(json) as unknown, reason, userMessage },
  };
  await agent.suspend(payload);
}

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
  if (isSame) return returned?.value;
  try {
    return JSON.parse(content);
  } catch {
    return content;
  }
}
