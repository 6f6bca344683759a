import type { MastraMemory } from '@mastra/core/memory';
import type { InputProcessorOrWorkflow, ProcessInputStepArgs, Processor } from '@mastra/core/processors';
import type { RequestContext } from '@mastra/core/request-context';
import { checkOptionNames, DefinitionError, type OptionNames, RunError } from '@spec/hooks';
import {
  type AcceptedHooks,
  type BridgeOptions,
  bridgeOptionNames,
  checkNames,
  createHost,
  type HonouredHook,
  type Host,
  type HostOptions,
  type TurnOptions,
} from '@spec/hooks/host';
import { refuseUnheard, wrapProcessor } from './cached.ts';
import { hearInput, hearLater } from './hear.ts';
import { honours, honoursWithStore } from './honours.ts';
import { isWrapped, wrapModel } from './model.ts';
import { passRequest, tellEnd } from './request.ts';
import { type MakeProcessors, putBehind, refuseEarlyMemory, refuseNetwork } from './standing-before.ts';
import { HookedTools, type ToolLike, toolHooks } from './tools.ts';
import { type Running, type RunState, Turns } from './turns.ts';

/** A hook that Mastra runs, wholly or in part. */
export type MastraHook = HonouredHook<typeof honours>;

interface CommonOptions extends BridgeOptions {
  /** Names of tools whose calls no hook sees. Any other is refused where hooks are on tools. */
  readonly allowUnwrapped?: readonly string[];
  /** Which thread a run belongs to, and whose it is. Default: the thread and the resource of its memory. */
  readonly turn?: (context: RequestContext | undefined) => TurnOptions;
}

export type MastraOptions = CommonOptions & AcceptedHooks<typeof honours, typeof honoursWithStore>;

/** What a processor of Mastra does for hooks. */
export type HooksProcessor = Required<
  Pick<
    Processor<'spec-hooks'>,
    'id' | 'processInput' | 'processInputStep' | 'processLLMRequest' | 'processLLMResponse'
  >
>;

/** The hooks of an application, for its agents. Give an agent both parts. */
export interface MastraHooks {
  readonly scope: Host['scope'];
  /** The first of the agent's `inputProcessors`. */
  readonly processor: HooksProcessor;
  /**
   * The agent's `inputProcessors` where its memory sends on what is said, by `semanticRecall` or `observationalMemory`: {@link processor}, what the
   * memory adds, and others.
   */
  beforeMemory(memory: MastraMemory, others?: readonly InputProcessorOrWorkflow[]): MakeProcessors;
  /** The agent's `tools`, with the hooks around their calls. */
  wrapTools<Tools extends Readonly<Record<string, ToolLike>>>(tools: Tools): Tools;
  /** A processor that may answer in the place of the model, such as the `ResponseCache` of Mastra. Put it behind {@link processor}. */
  wrapProcessor<P extends Processor>(processor: P): P;
}

const optionNames: OptionNames<MastraOptions> = {
  ...bridgeOptionNames,
  ...{ allowUnwrapped: true, turn: true },
};

/**
 * Runs hooks in Mastra.
 *
 * @example new Agent({ inputProcessors: [hooks.processor], tools: hooks.wrapTools({ refund }), ... })
 * @throws {DefinitionError} `bad_hook` for hooks that Mastra does not run as documented, with the reason of each
 */
export function createHooks(options: MastraOptions): MastraHooks {
  checkOptionNames('createHooks', options, optionNames);
  const { allowUnwrapped = [], turn: readTurn = () => ({}), ...rest } = options;
  checkNames('createHooks', { allowUnwrapped });
  const table = options.store === undefined ? honours : honoursWithStore;
  const host = createHost({ ...rest, name: '@spec/mastra', honours: table } as HostOptions);
  const { scope } = host;
  const turns = new Turns(host, readTurn);
  const onMessages = scope.before_create_message ?? scope.after_create_message ?? options.store;
  const isNeeded = onMessages !== undefined || toolHooks.some((name) => scope[name] !== undefined);
  const asksItself = options.onAsk !== undefined;
  const tools = new HookedTools({ turns, isNeeded, asksItself, allowUnwrapped });
  const find = (args: RunArgs): Running => turns.find(args.requestContext, toSignal(args), args.state);
  const processor = host.isIdle ? idleProcessor : makeProcessor(find, { turns, tools, scope });
  return {
    scope,
    processor,
    beforeMemory: (memory, others = []) => putBehind(memory, [processor, ...others]),
    wrapTools: (given) => tools.wrap(given),
    wrapProcessor: (given) => (host.isIdle ? given : wrapProcessor(given, find)),
  };
}

/** Nothing is to be done. */
const idleProcessor: HooksProcessor = {
  id: 'spec-hooks',
  processInput: ({ messages }) => messages,
  processInputStep: () => undefined,
  processLLMRequest: () => undefined,
  processLLMResponse: () => undefined,
};

function makeProcessor(
  find: (args: RunArgs) => Running,
  { turns, tools, scope }: { turns: Turns; tools: HookedTools; scope: Host['scope'] },
): HooksProcessor {
  return {
    id: 'spec-hooks',
    async processInput(args) {
      if (tools.isNeeded) refuseNetwork(args, tools.allowUnwrapped);
      if (scope.before_user_message ?? scope.before_create_message) await refuseEarlyMemory(args);
      return hearInput(turns, args);
    },
    async processInputStep(args) {
      refuseLegacy(args);
      const { tools: given = {}, structuredOutput } = args;
      if (tools.isNeeded && structuredOutput?.model !== undefined) throw refuseStructuring();
      tools.check(given);
      const running = find(args);
      running.tools = Object.keys(given);
      const messages = await hearLater(running, args);
      const isWatched = tools.isNeeded || running.turn.has('before_model_call', 'after_model_call');
      return {
        ...(messages === undefined ? {} : { messages }),
        ...(isWatched ? { model: wrapModel(args.model, { running, scope, tools }) } : {}),
      };
    },
    async processLLMRequest(args) {
      if (tools.isNeeded && !isWrapped(args.model)) throw refuseModel();
      const running = find(args);
      if (running.turn.takesMessages) refuseUnheard(running, args.messageList);
      try {
        const passed = await passRequest(running, args);
        running.isAwaiting = passed?.response === undefined;
        return passed;
      } catch (error) {
        if (error instanceof RunError && error.code === 'model_denied') return args.abort(error.message);
        throw error;
      }
    },
    processLLMResponse: (args) => tellEnd(find(args), { chunks: args.chunks, errorCode: null }),
  };
}

/** Of `generateLegacy` and `streamLegacy` no processor sees what a model is asked, nor what it answers. */
function refuseLegacy({ model }: Pick<ProcessInputStepArgs, 'model'>): void {
  const { specificationVersion: version } = model as { readonly specificationVersion?: string };
  if (version !== 'v1') return;
  throw new DefinitionError(
    'bad_option',
    'No hook sees the calls of a model of AI SDK 4, with which generateLegacy and streamLegacy run. Call generate or stream, with a model of AI SDK 5 or newer.',
  );
}

/** A processor behind ours, or prepareStep, has given the step another model. */
function refuseModel(): DefinitionError {
  return new DefinitionError(
    'bad_option',
    'A processor behind hooks.processor, or prepareStep, gives this step another model, whose answers and tools no hook sees. Put the processor before hooks.processor, or give the agent a function as its model.',
  );
}

/** Mastra asks that model behind all processors, and keeps its answer in the memory. */
function refuseStructuring(): DefinitionError {
  return new DefinitionError(
    'bad_option',
    'No hook sees the answer of the model in structuredOutput. Leave it out, so that the model of the agent gives the structure.',
  );
}

/** What tells the run that a processor is called in. */
interface RunArgs {
  readonly requestContext?: RequestContext;
  readonly abortSignal?: AbortSignal;
  readonly state?: RunState;
}

function toSignal({ abortSignal }: { abortSignal?: AbortSignal }): TurnOptions {
  return abortSignal === undefined ? {} : { abortSignal };
}
