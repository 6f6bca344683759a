import type { LanguageModelV3 } from '@ai-sdk/provider';
import { checkOptionNames, DefinitionError, isRecord, type OptionNames } from '@spec/hooks';
import {
  type AcceptedHooks,
  type BridgeOptions,
  bridgeOptionNames,
  checkNames,
  createHost,
  type HonouredHook,
  type Host,
  type HostOptions,
  type HostTurn,
  LastThreads,
  type TurnOptions,
} from '@spec/hooks/host';
import { Conversation } from './conversation.ts';
import { honours, honoursWithStore } from './honours.ts';
import { HookedOnce } from './hooked-once.ts';
import { wrapModel } from './model.ts';
import type { ThreadMemory } from './received.ts';
import { hookRepair, type RepairCall } from './repairs.ts';
import { type ToolLike, wrapTools } from './tools.ts';

/** A hook that the AI SDK runs, wholly or in part. */
export type AiSdkHook = HonouredHook<typeof honours>;

interface CommonOptions extends BridgeOptions {
  /** Tools whose calls no hook sees, because they have no `execute` or the AI SDK replaces it. Any other such tool is refused where hooks are on tools. */
  readonly allowUnwrapped?: readonly string[];
  /** The models that a `before_model_call` hook may choose, by name. */
  readonly models?: Readonly<Record<string, ModelLike>>;
}

export type AiSdkOptions = CommonOptions & AcceptedHooks<typeof honours, typeof honoursWithStore>;

/** A model of any AI SDK provider, of interface version 3 or 4. */
export interface ModelLike {
  readonly specificationVersion: 'v3' | 'v4';
  readonly provider: string;
  readonly modelId: string;
}

export type ToolsLike = Readonly<Record<string, ToolLike>>;

/** What `generateText`, `streamText` and agents take, as much of it as hooks need. */
export interface Hooked {
  readonly model: unknown;
  readonly tools?: ToolsLike | undefined;
  readonly abortSignal?: AbortSignal | undefined;
  readonly prepareStep?: unknown;
  readonly experimental_prepareStep?: unknown;
  readonly repairToolCall?: unknown;
  readonly experimental_repairToolCall?: unknown;
}

/** One turn: one call of `generateText` or `streamText`. */
export interface AiSdkTurn extends HostTurn {
  /** The model, with the hooks around its calls. */
  withHooks<Model>(model: Model): Model;
  /** The tools, with the hooks around their calls. */
  wrapTools<Tools extends ToolsLike>(tools: Tools): Tools;
}

/** The hooks of an application, for its calls of the AI SDK. */
export interface AiSdkHooks {
  readonly scope: Host['scope'];
  /**
   * The options of one call of `generateText` or `streamText`, with the hooks around its model and tools.
   *
   * @param turn which thread it belongs to, and whose it is
   */
  hooked<Options extends Hooked>(options: Options, turn?: TurnOptions): Options;
  /** Begins a turn, to wrap model and tools by hand. */
  openTurn(turn?: TurnOptions): AiSdkTurn;
}

const optionNames: OptionNames<AiSdkOptions> = {
  ...bridgeOptionNames,
  ...{ allowUnwrapped: true, models: true },
};

/**
 * Runs hooks in the AI SDK.
 *
 * @example generateText(hooks.hooked({ model, tools, prompt }))
 * @throws {DefinitionError} `bad_hook` for hooks that the AI SDK does not run as documented, with the reason of each
 */
export function createHooks(options: AiSdkOptions): AiSdkHooks {
  checkOptionNames('createHooks', options, optionNames);
  const { allowUnwrapped = [], models = {}, ...rest } = options;
  checkNames('createHooks', { allowUnwrapped });
  const table = options.store === undefined ? honours : honoursWithStore;
  const host = createHost({ ...rest, name: '@spec/ai-sdk', honours: table } as HostOptions);
  const threads = new LastThreads(makeMemory);
  const once = new HookedOnce();
  const begin = (turnOptions?: TurnOptions): AiSdkTurn => {
    const turn = host.openTurn(turnOptions);
    const { threadId } = turn.state;
    // A turn of no named thread has none after it.
    const memory = turnOptions?.threadId === threadId ? threads.find(threadId) : makeMemory();
    const conversation = new Conversation(turn, memory);
    const { scope } = host;
    const known = models as Readonly<Record<string, LanguageModelV3>>;
    const asksItself = options.onAsk !== undefined;
    const wrapped = new WeakSet<object>();
    const wrap = (model: unknown): LanguageModelV3 => {
      const checked = checkModel(model);
      if (wrapped.has(checked)) return checked;
      once.refuse('model', checked);
      const passing = wrapModel(checked, { turn, scope, conversation, models: known });
      wrapped.add(passing);
      once.note(passing);
      return passing;
    };
    return Object.assign(turn, {
      withHooks: <Model>(model: Model): Model => wrap(model) as Model,
      wrapTools: <Tools extends ToolsLike>(tools: Tools): Tools =>
        wrapTools(tools, { turn, conversation, asksItself, allowUnwrapped, once }),
    });
  };
  return {
    scope: host.scope,
    openTurn: begin,
    hooked(given, turnOptions) {
      checkCall(given);
      if (host.isIdle) return given;
      const { abortSignal, model, tools } = given;
      const turn = begin(abortSignal === undefined ? turnOptions : { abortSignal, ...turnOptions });
      const hooked = { ...given, model: turn.withHooks(model), ...hookFunctions(turn, given) };
      return tools === undefined ? hooked : { ...hooked, tools: turn.wrapTools(tools) };
    },
  };
}

function bad(problem: string): DefinitionError {
  return new DefinitionError('bad_option', problem);
}

type PrepareStep = (
  ...args: readonly unknown[]
) => Promise<{ readonly model?: unknown } | undefined> | { readonly model?: unknown } | undefined;

/** What the application decides with in the middle of a turn, by all of its names. */
const hookFunction = {
  prepareStep: hookStep,
  experimental_prepareStep: hookStep,
  repairToolCall: hookRepair,
  experimental_repairToolCall: hookRepair,
};

const functionNames = Object.keys(hookFunction) as (keyof typeof hookFunction)[];

function hookFunctions(turn: AiSdkTurn, given: Hooked): Partial<Hooked> | undefined {
  const present = functionNames.filter((name) => typeof given[name] === 'function');
  if (present.length === 0) return undefined;
  return Object.fromEntries(
    present.map((name) => [name, hookFunction[name](turn, given[name] as PrepareStep & RepairCall)]),
  );
}

/** A step may have a model of its own. */
function hookStep(turn: AiSdkTurn, prepareStep: PrepareStep): PrepareStep {
  return async (...args) => {
    const prepared = await prepareStep(...args);
    return prepared?.model === undefined ? prepared : { ...prepared, model: turn.withHooks(prepared.model) };
  };
}

function makeMemory(): ThreadMemory {
  return { rewritten: new Map(), files: new Map(), unanswered: new Map() };
}

/** @throws {DefinitionError} `bad_option` */
function checkCall(given: unknown): void {
  if (isRecord(given)) checkModel(given.model);
  else throw bad('hooked takes the options of a call, such as { model, tools, prompt }.');
}

/** @throws {DefinitionError} `bad_option` */
function checkModel(model: unknown): LanguageModelV3 {
  const { specificationVersion } = (model ?? {}) as Partial<ModelLike>;
  if (specificationVersion === 'v3' || specificationVersion === 'v4') return model as LanguageModelV3;
  const given = typeof model === 'string' ? `the name "${model}"` : 'something else';
  throw bad(
    `model must be a model of an AI SDK provider, such as openai('gpt-5') of @ai-sdk/openai; got ${given}.`,
  );
}
