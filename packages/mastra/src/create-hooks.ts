import type { ProcessInputArgs, Processor } from '@mastra/core/processors';
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
  receiveText,
  type TurnOptions,
} from '@spec/hooks/host';
import { honours, honoursWithStore } from './honours.ts';
import { isWrapped, wrapModel } from './model.ts';
import { passRequest, tellEnd } from './request.ts';
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
  /** The agent's `tools`, with the hooks around their calls. */
  wrapTools<Tools extends Readonly<Record<string, ToolLike>>>(tools: Tools): Tools;
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
  const processor = host.isIdle ? idleProcessor : makeProcessor(turns, tools, scope);
  return { scope, processor, wrapTools: (given) => tools.wrap(given) };
}

/** Nothing is to be done. */
const idleProcessor: HooksProcessor = {
  id: 'spec-hooks',
  processInput: ({ messages }) => messages,
  processInputStep: () => undefined,
  processLLMRequest: () => undefined,
  processLLMResponse: () => undefined,
};

function makeProcessor(turns: Turns, tools: HookedTools, scope: Host['scope']): HooksProcessor {
  const find = (args: RunArgs): Running => turns.find(args.requestContext, toSignal(args), args.state);
  return {
    id: 'spec-hooks',
    processInput: (args) => receive(turns, args),
    processInputStep(args) {
      const { tools: given = {} } = args;
      tools.check(given);
      const running = find(args);
      running.tools = Object.keys(given);
      const { turn } = running;
      return tools.isNeeded ? { model: wrapModel(args.model, { turn, scope, tools }) } : undefined;
    },
    async processLLMRequest(args) {
      if (tools.isNeeded && !isWrapped(args.model)) throw refuseModel();
      try {
        return await passRequest(find(args), args);
      } catch (error) {
        if (error instanceof RunError && error.code === 'model_denied') return args.abort(error.message);
        throw error;
      }
    },
    processLLMResponse: (args) => tellEnd(find(args), { chunks: args.chunks, errorCode: null }),
  };
}

/** A processor behind ours, or prepareStep, has given the step another model. */
function refuseModel(): DefinitionError {
  return new DefinitionError(
    'bad_option',
    'A processor behind hooks.processor, or prepareStep, gives this step another model, whose answers and tools no hook sees. Put the processor before hooks.processor, or give the agent a function as its model.',
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

type Message = ProcessInputArgs['messages'][number];

/** What the user says goes through its hooks: a denied message ends the run with a tripwire, and no model is called. */
async function receive(turns: Turns, args: ProcessInputArgs): Promise<Message[]> {
  const { messages, requestContext, abort } = args;
  const { threadId, resourceId } = messages.at(-1) ?? {};
  const options = {
    ...toSignal(args),
    ...(threadId === undefined ? {} : { threadId }),
    ...(resourceId === undefined ? {} : { userId: resourceId }),
  };
  const { turn } = turns.open(requestContext, options, args.state);
  const newest = findNewest(args);
  const received: Message[] = [];
  for (const message of messages) {
    if (!newest.has(message.id)) {
      received.push(message);
      continue;
    }
    const content = readText(message);
    const verdict = await receiveText(turn, content, message.id);
    if (verdict.isDenied) abort(verdict.reason, { metadata: { userMessage: verdict.userMessage } });
    else if (verdict.content === content) received.push(message);
    else received.push(changeText(message, verdict.content ?? ''));
  }
  return received;
}

/**
 * The ids of what the user says now. Mastra sorts the input into what its memory has, by the time that each message claims: a client chooses that
 * time, and the clocks of two machines differ. So what is new is known by where it comes from. Without a memory, the input may be a whole conversation.
 */
function findNewest({ messageList }: ProcessInputArgs): ReadonlySet<string> {
  const { input, remembered } = messageList.get;
  const known = new Set(remembered.db().map(({ id }) => id)); // Of two with one id, Mastra takes what it remembers.
  const given = sortAsGiven(input.db(), messageList.makeMessageSourceChecker().input);
  const hasMemory = given.some(({ threadId }) => threadId !== undefined);
  const first = hasMemory ? 0 : given.findLastIndex((message) => !isUsers(message)) + 1;
  const isNew = (message: Message): boolean => isUsers(message) && !known.has(message.id);
  return new Set(given.slice(first).flatMap((message) => (isNew(message) ? [message.id] : [])));
}

/** The messages of the input in the order in which it has them: Mastra has sorted them by their times. */
function sortAsGiven(messages: readonly Message[], ids: ReadonlySet<string>): Message[] {
  const places = new Map([...ids].map((id, place) => [id, place]));
  return messages.toSorted((one, other) => (places.get(one.id) ?? 0) - (places.get(other.id) ?? 0));
}

/** Whether the model gets it as said by the user: Mastra makes that of a signal, whatever its type. */
function isUsers({ role }: Message): boolean {
  return role === 'user' || role === 'signal';
}

/** What Mastra sends a model of it: where a message has no parts, it makes one of its content. */
function readText({ content: { parts, content } }: Message): string | null {
  if (parts.length === 0) return content || null;
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return texts.length === 0 ? null : texts.join('\n');
}

function changeText(message: Message, text: string): Message {
  const { parts } = message.content;
  const files = parts.filter(({ type }) => type !== 'text');
  return {
    ...message,
    content: { ...message.content, content: text, parts: [{ type: 'text', text }, ...files] },
  };
}
