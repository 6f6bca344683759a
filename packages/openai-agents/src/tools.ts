import {
  type FunctionTool,
  type Handoff,
  invokeFunctionTool,
  type RunContext,
  type Tool,
  ToolTimeoutError,
} from '@openai/agents';
import {
  DefinitionError,
  type HookToolCall,
  type LifecycleName,
  lifecycleRow,
  lifecycleTable,
  RunError,
} from '@spec/hooks';
import {
  type CallDecision,
  noteAsked,
  type PassedCall,
  parseOrText,
  passCall,
  takeApproved,
} from '@spec/hooks/host';
import type { Running, Runs } from './runs.ts';
import { watchTool } from './watch-tool.ts';
import { wrapSearch } from './wrap-search.ts';

// The SDK's own type of a tool with any arguments and any result.
type AnyTool = Extract<Tool, { type: 'function' }>;
type AnyAgent = Handoff['agent'];
type Invoke = FunctionTool['invoke'];
type Details = Parameters<Invoke>[2];

/** What the SDK tells the model when a tool has failed: hooks are told of a failure with this text. */
class FailedText extends Error {}

export interface ToolsSetting {
  readonly runs: Runs;
  /** Whether any hook is on calls of tools. */
  readonly isNeeded: boolean;
  /** Whether the host asks people itself; else the approvals of the SDK do. */
  readonly asksItself: boolean;
  readonly allowUnwrapped: readonly string[];
}

/** The hooks on calls of tools, and on the rows of their results. */
export const toolHooks: readonly LifecycleName[] = (Object.keys(lifecycleTable) as LifecycleName[]).filter(
  (name) => {
    const { toolCall, toolCalls } = lifecycleRow(name);
    return (toolCall ?? toolCalls) !== undefined;
  },
);

/** Tools whose calls pass the hooks. One that passes them already stays as it is. */
export class HookedTools {
  readonly #setting: ToolsSetting;
  readonly #wrapped = new WeakMap<Tool, Tool>();
  readonly #agents = new WeakMap<Tool, AnyAgent>();

  constructor(setting: ToolsSetting) {
    this.#setting = setting;
  }

  /** Remembers which agent with hooks a tool is. */
  noteAgent<T extends Tool>(tool: T, agent: AnyAgent): T {
    this.#agents.set(tool, agent);
    return tool;
  }

  /** @throws {DefinitionError} `bad_option` for a tool that no hook would see */
  wrap(tool: Tool): Tool {
    if (tool.type !== 'function')
      this.refuseUnseen(tool.name, 'it runs at the provider or in a computer, shell or editor');
    if (!this.#setting.isNeeded) return tool;
    if (tool.type !== 'function') return wrapSearch(tool, (found) => this.wrap(found));
    const wrapped = this.#wrapped.get(tool) ?? this.#make(tool);
    this.#wrapped.set(tool, wrapped).set(wrapped, wrapped);
    return wrapped;
  }

  /** @throws {DefinitionError} `bad_option` where a hook is on tools and nobody has accepted that it does not see this */
  refuseUnseen(name: string, why: string): void {
    const { isNeeded, allowUnwrapped } = this.#setting;
    if (!isNeeded || allowUnwrapped.includes(name)) return;
    throw new DefinitionError(
      'bad_option',
      `No hook sees the calls of "${name}": ${why}. Leave it out, or accept that: allowUnwrapped: ["${name}"].`,
    );
  }

  #make(tool: AnyTool): AnyTool {
    const calls = new ToolCalls(tool, this.#setting);
    const invoke: Invoke = (context, input, details) => calls.invoke(context, input, details);
    const { timeoutMs: _, ...rest } = tool; // Its time is that of the tool, not of hooks and persons.
    const asks: AnyTool['needsApproval'] = (context, input, callId) =>
      calls.needsApproval(context, input, callId);
    const needsApproval = this.#setting.asksItself ? async () => false : asks;
    return Object.assign(this.#makeBase(tool), rest, { invoke, needsApproval });
  }

  /** The SDK knows by the object of a tool which agent it is: it looks there for those of a state that was stored. */
  #makeBase(tool: AnyTool): object {
    const { name: toolName, description: toolDescription } = tool;
    return this.#agents.get(tool)?.asTool({ toolName, toolDescription }) ?? {};
  }
}

/** The calls of one tool. */
class ToolCalls {
  readonly #tool: AnyTool;
  readonly #setting: ToolsSetting;
  /** What was decided when the SDK asked whether a call needs approval, by the call's id. */
  readonly #decided = new WeakMap<Running, Map<string, CallDecision>>();

  constructor(tool: AnyTool, setting: ToolsSetting) {
    this.#tool = tool;
    this.#setting = setting;
  }

  /** Hooks decide here, before the SDK runs the tool; the call then runs as it was decided. */
  async needsApproval(
    context: RunContext,
    input: unknown,
    callId: string = crypto.randomUUID(),
  ): Promise<boolean> {
    const running = this.#setting.runs.find();
    const needsPermission = await this.#tool.needsApproval(context, input, callId);
    const call = this.#makeCall(callId, typeof input === 'string' ? input : JSON.stringify(input));
    const decision = await running.turn.decideCall(call, { needsPermission, askLater: true });
    if (decision.outcome === 'ask') {
      await noteAsked(running.turn.state, call, decision.call);
      running.waiting.add(callId);
      return true;
    }
    const decided = this.#decided.get(running) ?? new Map<string, CallDecision>();
    this.#decided.set(running, decided.set(callId, decision));
    return false;
  }

  async invoke(context: RunContext, input: string, details: Details): Promise<unknown> {
    const running = this.#setting.runs.find();
    const toolCallId = details?.toolCall?.callId ?? crypto.randomUUID();
    const requested = this.#makeCall(toolCallId, input);
    const isApproved = this.#isApproved(context, details);
    const decided = this.#decided.get(running)?.get(toolCallId);
    this.#decided.get(running)?.delete(toolCallId);
    const timed = new TimedTool(this.#tool);
    let isWaiting = false;
    const run = async (args: Record<string, unknown>): Promise<unknown> => {
      const isHidden = running.turn.has(
        'after_tool_call_failure',
        'before_store_tool_result',
        'before_create_message',
      );
      const work = () => this.#run(timed, { context, input, args, details, isHidden });
      const ran = await this.#setting.runs.withinTool(running, work);
      isWaiting = ran.isWaiting;
      if (isWaiting)
        throw new RunError('aborted', 'The agent in this tool waits for a person.', { toolCallId });
      return ran.result;
    };
    running.waiting.delete(toolCallId);
    const allowed = isApproved ? await takeApproved(running.turn.state, requested) : undefined;
    const needsPermission =
      this.#setting.asksItself && (await this.#tool.needsApproval(context, parseOrText(input), toolCallId));
    const passed = await passCall(running.turn, requested, {
      ...{ allowed, decided, needsPermission, tool: run },
    }).catch((error: unknown) => {
      if (!isWaiting) throw error;
      return undefined;
    });
    if (passed === undefined) {
      running.waiting.add(toolCallId);
      return ''; // The SDK calls the tool again when the person has answered.
    }
    running.conversation.addResult({ toolCall: passed.call, result: passed.result });
    timed.rethrow();
    return this.#give(passed);
  }

  #isApproved(context: RunContext, details: Details): boolean {
    const { callId, namespace } = details?.toolCall ?? {};
    if (callId === undefined) return false;
    return listApprovalNames(this.#tool.name, namespace).some(
      (toolName) => context.isToolApproved({ toolName, callId }) === true,
    );
  }

  #makeCall(id: string, json: string): HookToolCall {
    return { id, type: 'function', function: { name: this.#tool.name, arguments: json } };
  }

  /** Tools of the SDK do not throw: what they say of an error is a result like any other, and the error stands in the trace. */
  async #run(
    timed: TimedTool,
    {
      context,
      args,
      details,
      isHidden,
      ...call
    }: { context: RunContext; input: string; args: object; details: Details; isHidden: boolean },
  ): Promise<unknown> {
    const isSame = JSON.stringify(JSON.parse(call.input)) === JSON.stringify(args);
    const input = isSame ? call.input : JSON.stringify(args);
    const { given, hasFailed } = await watchTool(() => timed.invoke(context, input, details), isHidden);
    if (hasFailed || timed.isLate)
      throw new FailedText(typeof given === 'string' ? given : JSON.stringify(given));
    return given;
  }

  #give({ returned, row: { content, isSame } }: PassedCall): unknown {
    if (isSame) return returned?.value;
    // A tool that says the form of its results keeps it where hooks have.
    return this.#tool.outputSchema === undefined ? content : parseOrText(content);
  }
}

/** The names under which the SDK keeps approvals of a tool: those in a namespace, and those that a model finds by searching, have others. */
function listApprovalNames(name: string, namespace: string | undefined): string[] {
  if (namespace !== undefined) return [JSON.stringify(['namespaced', namespace, name])];
  return [name, JSON.stringify(['deferred_top_level', name])];
}

/** A tool with its limit of time, which ends the call in the place of the tool. */
class TimedTool {
  readonly #tool: AnyTool;
  #raised: ToolTimeoutError | undefined;
  /** Whether its time was over. */
  isLate = false;

  constructor(tool: AnyTool) {
    this.#tool = tool;
  }

  async invoke(runContext: RunContext, input: string, details: Details): Promise<unknown> {
    const { timeoutErrorFunction: describe } = this.#tool;
    const timeoutErrorFunction: typeof describe = async (context, error) => {
      this.isLate = true;
      return describe === undefined ? error.message : describe(context, error);
    };
    const tool = { ...this.#tool, timeoutErrorFunction };
    try {
      return await invokeFunctionTool({
        tool,
        runContext,
        input,
        ...(details === undefined ? {} : { details }),
      });
    } catch (error) {
      if (error instanceof ToolTimeoutError) this.#raised = error;
      throw error;
    }
  }

  /** @throws {ToolTimeoutError} where the tool ends its run when its time is over: what hooks make of a failure does not change that */
  rethrow(): void {
    if (this.#raised !== undefined) throw this.#raised;
  }
}
