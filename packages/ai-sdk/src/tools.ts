import {
  DefinitionError,
  type HookToolCall,
  type LifecycleName,
  lifecycleRow,
  lifecycleTable,
} from '@spec/hooks';
import {
  type CallDecision,
  type HostTurn,
  noteAsked,
  type PassedCall,
  parseOrText,
  passCall,
  takeApproved,
} from '@spec/hooks/host';
import type { Conversation } from './conversation.ts';
import type { HookedOnce } from './hooked-once.ts';
import { type Checked, checkInput, type Given } from './input-schema.ts';

/** A tool of the AI SDK, as much of it as hooks need. */
export interface ToolLike {
  readonly inputSchema?: unknown;
  readonly execute?: ((input: never, options: never) => unknown) | undefined;
  readonly needsApproval?: unknown;
}

/** What a hook denied, a tool that threw, or a result that a hook made an error: the AI SDK tells the model its message. */
export class ToolFailedError extends Error {
  override readonly name = 'ToolFailedError';

  /** Version 7 of the AI SDK tells the model this, and version 6 the message. */
  override toString(): string {
    return this.message;
  }
}

/** What the AI SDK tells a tool besides its arguments. */
interface ExecuteOptions {
  readonly toolCallId: string;
  readonly messages?: readonly { readonly role: string; readonly content: unknown }[];
}

export interface ToolsSetting {
  readonly turn: HostTurn;
  readonly conversation: Conversation;
  /** Whether the host asks people itself; else the AI SDK's approvals do. */
  readonly asksItself: boolean;
  readonly allowUnwrapped: readonly string[];
  readonly once: HookedOnce;
}

/** Tools whose calls pass the hooks. */
export function wrapTools<Tools extends Readonly<Record<string, ToolLike>>>(
  tools: Tools,
  setting: ToolsSetting,
): Tools {
  refuseUnseen(tools, setting);
  const wrapped = Object.entries(tools).map(([name, tool]) => [name, wrapTool(name, tool, setting)]);
  return Object.fromEntries(wrapped) as Tools;
}

/** The hooks on calls of tools. */
const toolHooks = (Object.keys(lifecycleTable) as LifecycleName[]).filter((name) => {
  const { toolCall, toolCalls } = lifecycleRow(name);
  return (toolCall ?? toolCalls) !== undefined;
});

/** @throws {DefinitionError} `bad_option` for a tool whose calls no hook would see, unless it is accepted by name */
function refuseUnseen(
  tools: Readonly<Record<string, ToolLike>>,
  { turn, allowUnwrapped }: ToolsSetting,
): void {
  if (!turn.takesMessages && !turn.has(...toolHooks)) return;
  for (const [name, tool] of Object.entries(tools)) {
    const unseen = findUnseen(tool);
    if (unseen === undefined || allowUnwrapped.includes(name)) continue;
    const { why, remedy } = unseen;
    throw new DefinitionError(
      'bad_option',
      `The tool "${name}" ${why}, and no hook sees its calls. ${remedy}: allowUnwrapped: ["${name}"].`,
    );
  }
}

/** Why no hook sees the calls of a tool, and what to do. */
function findUnseen(tool: ToolLike): { readonly why: string; readonly remedy: string } | undefined {
  if (tool.execute === undefined)
    return {
      why: 'has no execute: it runs at the provider or in the browser',
      remedy: 'Give it an execute, or accept that',
    };
  if (!boundBySdk.some((mark) => Reflect.get(tool, mark) !== undefined)) return undefined;
  return { why: 'is bound by the AI SDK to a function of its own', remedy: 'Accept that' };
}

/** What marks tools in version 7 whose `execute` the AI SDK replaces: one that searches tools, and one that calls others. */
const boundBySdk = [Symbol.for('vercel.ai.toolSearch'), 'experimental_toolCaller'];

function wrapTool(name: string, tool: ToolLike, setting: ToolsSetting): ToolLike {
  const { turn } = setting;
  if (findUnseen(tool) !== undefined || !(turn.takesMessages || turn.has(...toolHooks))) return tool;
  setting.once.refuse(`tool "${name}"`, tool);
  const calls = new ToolCalls(name, tool, setting);
  const hooked = deriveTool(tool, {
    execute: (input: unknown, options: ExecuteOptions) => calls.execute(input, options),
    needsApproval: setting.asksItself
      ? false
      : (input: unknown, options: ExecuteOptions) => calls.needsApproval(input, options),
  });
  setting.once.note(hooked);
  return hooked;
}

/** A tool with other fields. It keeps what a copy would lose: what it inherits, and what is made when it is read, such as a schema. */
function deriveTool(tool: ToolLike, fields: object): ToolLike {
  // The new fields first: behind the others they would make a hidden class in each turn, and all that reads the tool would be slow.
  if (isPlain(tool)) return Object.assign({ execute: undefined, needsApproval: undefined }, tool, fields);
  const derived = Object.create(Object.getPrototypeOf(tool), Object.getOwnPropertyDescriptors(tool));
  for (const [name, value] of Object.entries(fields))
    Object.defineProperty(derived, name, { value, enumerable: true, configurable: true, writable: true });
  return derived as ToolLike;
}

const plainTools = new WeakMap<ToolLike, boolean>();

/** Whether a copy of its fields is all of a tool. Tools live longer than turns, so each is looked at once. */
function isPlain(tool: ToolLike): boolean {
  const known = plainTools.get(tool);
  if (known !== undefined) return known;
  const fields = Object.values(Object.getOwnPropertyDescriptors(tool));
  const isRecord = Object.getPrototypeOf(tool) === Object.prototype;
  const found = isRecord && fields.every(({ get, enumerable }) => get === undefined && enumerable === true);
  plainTools.set(tool, found);
  return found;
}

/** The calls of one tool in one turn. */
class ToolCalls {
  readonly #name: string;
  readonly #tool: ToolLike;
  readonly #setting: ToolsSetting;
  /** What was decided when the AI SDK asked whether a call needs approval, by the call: providers may give several calls one id. */
  readonly #decided = new Map<string, CallDecision[]>();

  constructor(name: string, tool: ToolLike, setting: ToolsSetting) {
    this.#name = name;
    this.#tool = tool;
    this.#setting = setting;
  }

  /** Hooks decide here, before the AI SDK runs the tool; the call then runs as it was decided. */
  async needsApproval(input: unknown, options: ExecuteOptions): Promise<boolean> {
    const call = this.#makeCall(input, options);
    const needsPermission = await this.#wantsApproval(input, options);
    const { turn } = this.#setting;
    const decision = await turn.decideCall(call, { needsPermission, askLater: true });
    if (decision.outcome === 'ask') {
      await noteAsked(turn.state, call, decision.call);
      return true;
    }
    const key = nameCall(call);
    this.#decided.set(key, [...(this.#decided.get(key) ?? []), decision]);
    return false;
  }

  async #wantsApproval(input: unknown, options: ExecuteOptions): Promise<boolean> {
    const { needsApproval } = this.#tool;
    return Boolean(typeof needsApproval === 'function' ? await needsApproval(input, options) : needsApproval);
  }

  async execute(input: unknown, options: ExecuteOptions): Promise<unknown> {
    const { turn, conversation } = this.#setting;
    const requested = this.#makeCall(input, options);
    const decided = this.#decided.get(nameCall(requested))?.shift();
    const { arguments: json } = requested.function;
    const hasApproval = !this.#setting.asksItself && isApproved(options, json);
    const allowed = hasApproval ? await takeApproved(turn.state, requested) : undefined;
    const run = (args: Given): Promise<unknown> => this.#run(args, options);
    const validate = (args: Given, text: string): Promise<Checked> =>
      this.#check(args, { json: text, input, requested });
    const needsPermission = this.#setting.asksItself && (await this.#wantsApproval(input, options));
    const setting = { allowed, decided, validate, needsPermission, tool: run };
    const passed = await passCall(turn, requested, setting).catch((error: unknown) => {
      conversation.breakOff(error);
      throw error;
    });
    conversation.addResult({ toolCall: passed.call, result: passed.result });
    return giveResult(passed);
  }

  /** What the model gave is checked already, and may hold what is no JSON by now, such as a date; what a hook made of it is not. */
  async #check(
    args: Given,
    given: { readonly json: string; readonly input: unknown; readonly requested: HookToolCall },
  ): Promise<Checked> {
    const { arguments: asked } = given.requested.function;
    const isSame = given.json === asked || JSON.stringify(args) === asked;
    return isSame ? { input: given.input as Given } : checkInput(this.#tool.inputSchema, args);
  }

  #makeCall(input: unknown, { toolCallId: id }: ExecuteOptions): HookToolCall {
    return {
      id,
      type: 'function',
      function: { name: this.#name, arguments: JSON.stringify(input ?? {}) },
    };
  }

  /** A tool may give its result piece by piece: the last one is the result, and the only one that anybody gets. */
  async #run(input: Given, options: ExecuteOptions): Promise<unknown> {
    const execute = this.#tool.execute as (input: unknown, options: unknown) => unknown;
    const given: unknown = await execute.call(this.#tool, input, options);
    if (!isAsyncIterable(given)) return given;
    let last: unknown;
    for await (const piece of given) last = piece;
    return last;
  }
}

function nameCall({ id, function: { arguments: json } }: HookToolCall): string {
  return `${id} ${json}`;
}

/** What the AI SDK is given. */
function giveResult({ result, returned, row: { content, isSame } }: PassedCall): unknown {
  if (result.status === 'error') throw new ToolFailedError(content || 'The tool failed.');
  return isSame ? returned?.value : parseOrText(content);
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/**
 * Whether a person has approved this very call. The AI SDK runs what was approved first thing in the next turn, when its messages end with the
 * answer; an approval in the past, of a call that has its result or had other arguments, is one of another call with that id.
 */
function isApproved({ toolCallId, messages = [] }: ExecuteOptions, json: string): boolean {
  const last = messages.at(-1)?.content;
  if (!Array.isArray(last) || !(last as Part[]).some(({ type }) => type === APPROVAL)) return false;
  const parts = messages.map(({ content }) => (Array.isArray(content) ? (content as Part[]) : []));
  const isCall = (part: Part): boolean => part.type === 'tool-call' && part.toolCallId === toolCallId;
  const at = parts.findLastIndex((listed) => listed.some(isCall));
  const asking = parts[at]?.filter((part) => part.toolCallId === toolCallId) ?? [];
  if (JSON.stringify(asking.findLast(isCall)?.input ?? {}) !== json) return false;
  const isResult = (part: Part): boolean => part.type === 'tool-result' && part.toolCallId === toolCallId;
  if (parts.slice(at).flat().some(isResult)) return false;
  const requests = asking.filter(({ type }) => type === 'tool-approval-request');
  const ids = new Set(requests.map(({ approvalId }) => approvalId));
  const answers = parts.at(-1)?.filter(({ type }) => type === APPROVAL) ?? [];
  return answers.some(({ approved, approvalId }) => approved === true && ids.has(approvalId));
}

const APPROVAL = 'tool-approval-response';

interface Part {
  readonly type: string;
  readonly toolCallId?: string;
  readonly input?: unknown;
  readonly approvalId?: string;
  readonly approved?: boolean;
}
