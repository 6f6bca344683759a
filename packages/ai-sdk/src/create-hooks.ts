import type { LanguageModelV3 } from '@ai-sdk/provider';
import { type AnyHook, checkOptionNames, DefinitionError, type OptionNames } from '@spec/hooks';
import {
  createHost,
  type HonouredHook,
  type Host,
  type HostOptions,
  type HostTurn,
  type TurnOptions,
} from '@spec/hooks/host';
import { Conversation } from './conversation.ts';
import { honours } from './honours.ts';
import { wrapModel } from './model.ts';
import { type ToolLike, wrapTools } from './tools.ts';

/** A hook that the AI SDK runs, wholly or in part. */
export type AiSdkHook = HonouredHook<typeof honours>;

interface CommonOptions
  extends Omit<HostOptions, 'name' | 'honours' | 'hooks' | 'policies' | 'allowPartial'> {
  /** Tools without `execute`, whose calls no hook sees. Any other is refused where hooks are on tools. */
  readonly allowUnwrapped?: readonly string[];
  /** The models that a `before_model_call` hook may choose, by name. */
  readonly models?: Readonly<Record<string, ModelLike>>;
}

interface WholeHooks {
  /** Run in this order. A hook that the AI SDK would never run does not compile. */
  readonly hooks?: readonly AiSdkHook[];
  /** Run always, before the others. */
  readonly policies?: readonly AiSdkHook[];
  readonly allowPartial?: undefined;
}

interface PartialHooks {
  readonly hooks?: readonly AnyHook[];
  readonly policies?: readonly AnyHook[];
  /** The ids of hooks that may run in part, or never, such as those of `redact()` that change what your application stores. */
  readonly allowPartial: readonly string[];
}

export type AiSdkOptions = CommonOptions & (WholeHooks | PartialHooks);

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
  ...{ hooks: true, policies: true, prompt: true, agent: true, allowPartial: true, timeout: true },
  ...{ onRun: true, onLateWrite: true, onAsk: true, environment: true, clock: true },
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
  const host = createHost({ ...rest, name: '@spec/ai-sdk', honours } as HostOptions);
  const open = (turnOptions?: TurnOptions): AiSdkTurn => {
    const turn = host.openTurn(turnOptions);
    const conversation = new Conversation(turn);
    const { scope } = host;
    const known = models as Readonly<Record<string, LanguageModelV3>>;
    const asksItself = options.onAsk !== undefined;
    return Object.assign(Object.create(turn) as HostTurn, {
      withHooks: <Model>(model: Model): Model =>
        wrapModel(checkModel(model), { turn, scope, conversation, models: known }) as Model,
      wrapTools: <Tools extends ToolsLike>(tools: Tools): Tools =>
        wrapTools(tools, { turn, conversation, asksItself, allowUnwrapped }),
    });
  };
  return {
    scope: host.scope,
    openTurn: open,
    hooked(given, turnOptions) {
      const { abortSignal } = given;
      const turn = open({ ...(abortSignal === undefined ? {} : { abortSignal }), ...turnOptions });
      const { model, tools } = given;
      const wrapped = tools === undefined ? {} : { tools: turn.wrapTools(tools) };
      return { ...given, model: turn.withHooks(model), ...wrapped };
    },
  };
}

/** @throws {DefinitionError} `bad_option` */
function checkModel(model: unknown): LanguageModelV3 {
  const { specificationVersion } = (model ?? {}) as Partial<ModelLike>;
  if (specificationVersion === 'v3' || specificationVersion === 'v4') return model as LanguageModelV3;
  const given = typeof model === 'string' ? `the name "${model}"` : 'something else';
  throw new DefinitionError(
    'bad_option',
    `model must be a model of an AI SDK provider, such as openai('gpt-5') of @ai-sdk/openai; got ${given}.`,
  );
}
