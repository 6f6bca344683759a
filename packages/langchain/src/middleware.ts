import { AIMessage } from '@langchain/core/messages';
import { checkOptionNames, DefinitionError, type OptionNames, type StoredToolResult } from '@spec/hooks';
import {
  type AcceptedHooks,
  type BridgeOptions,
  bridgeOptionNames,
  checkNames,
  createHost,
  type HonouredHook,
  type HostOptions,
  passContexts,
  type TurnOptions,
} from '@spec/hooks/host';
import { type AgentMiddleware, createMiddleware } from 'langchain';
import { z } from 'zod';
import { answerRest, findAnswerWithCalls, passAnswered } from './answered.ts';
import { hearAdded, joinUpdates, keepAll, receive, takeHeard, type Update, updateMessages } from './hear.ts';
import { honours, honoursWithStore } from './honours.ts';
import { makeContext, readCalls } from './messages.ts';
import { makeWrapModelCall } from './model.ts';
import type { Model } from './model-request.ts';
import { passOthers } from './others.ts';
import { describeSeen } from './seen.ts';
import { makeWrapToolCall, toolHooks } from './tools.ts';
import { type Running, type RuntimeLike, type StateLike, Turns } from './turns.ts';

/** A hook that LangChain runs, wholly or in part. */
export type LangChainHook = HonouredHook<typeof honours>;

interface CommonOptions extends BridgeOptions {
  /** Names of tools that run at the provider, where no hook sees their calls. Any other is refused where hooks are on tools. */
  readonly allowUnwrapped?: readonly string[];
  /** The models that a `before_model_call` hook may choose, by name. */
  readonly models?: Readonly<Record<string, Model>>;
  /** Which thread an invocation belongs to, and whose it is. Default: the `thread_id` of its `configurable`. */
  readonly turn?: (runtime: RuntimeLike) => TurnOptions;
}

export type LangChainOptions = CommonOptions & AcceptedHooks<typeof honours, typeof honoursWithStore>;

const optionNames: OptionNames<LangChainOptions> = {
  ...bridgeOptionNames,
  ...{ allowUnwrapped: true, models: true, turn: true },
};

/**
 * What the middleware keeps in the state of an agent: the name of the turn, and what its messages were when the last one began or ended. The names
 * begin with an underscore, so no input and no result of `invoke` has them.
 */
export type HooksState = z.ZodObject<{
  _hooksTurn: z.ZodOptional<z.ZodString>;
  _hooksSeen: z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodString>>;
}>;

const stateSchema: HooksState = z.object({
  _hooksTurn: z.string().optional(),
  _hooksSeen: z.record(z.string(), z.string()).optional(),
});

/**
 * Hooks as a middleware of `createAgent`.
 *
 * @example createAgent({ model, tools, middleware: [hooksMiddleware({ hooks })] })
 * @throws {DefinitionError} `bad_hook` for hooks that LangChain does not run as documented, with the reason of each
 */
export function hooksMiddleware(options: LangChainOptions): AgentMiddleware<HooksState, undefined, unknown> {
  checkOptionNames('hooksMiddleware', options, optionNames);
  const { allowUnwrapped = [], models = {}, turn: readTurn = () => ({}), ...rest } = options;
  checkNames('hooksMiddleware', { allowUnwrapped });
  if (typeof readTurn !== 'function')
    throw new DefinitionError(
      'bad_option',
      'hooksMiddleware: turn must be a function, such as (runtime) => ({ userId }).',
    );
  const table = options.store === undefined ? honours : honoursWithStore;
  const host = createHost({ ...rest, name: '@spec/langchain', honours: table } as HostOptions);
  const { scope } = host;
  if (host.isIdle) return createMiddleware({ name: 'SpecHooks', stateSchema });
  const turns = new Turns(host, readTurn);
  const onMessages = scope.before_create_message ?? scope.after_create_message ?? options.store;
  const isOnTools = onMessages !== undefined || toolHooks.some((name) => scope[name] !== undefined);
  return createMiddleware({
    name: 'SpecHooks',
    stateSchema,
    beforeAgent: { canJumpTo: ['end'], hook: (state, runtime) => begin(turns, state, runtime) },
    beforeModel: {
      canJumpTo: ['end'],
      hook: (state, runtime) => turns.use(state, runtime, (running) => beforeStep(running, state)),
    },
    wrapModelCall: makeWrapModelCall({ turns, allowUnwrapped, models }),
    ...(isOnTools ? { wrapToolCall: makeWrapToolCall(turns, options.onAsk !== undefined) } : {}),
    afterAgent: {
      canJumpTo: ['model'],
      hook: async (state, runtime) => {
        const next = await turns.use(state, runtime, (running) => end(running, state));
        if (next.jumpTo === undefined) turns.close((state as StateLike)._hooksTurn);
        return next;
      },
    },
  });
}

async function begin(turns: Turns, state: StateLike, runtime: RuntimeLike): Promise<Update> {
  const _hooksTurn = crypto.randomUUID();
  const update = await turns.use({ ...state, _hooksTurn }, runtime, (running) => {
    running.earlier = findAnswerWithCalls(state.messages)?.id;
    return receive(running, state);
  });
  return { ...update, _hooksTurn };
}

async function beforeStep(running: Running, state: StateLike): Promise<Update | undefined> {
  await passAnswered(running);
  await endBatch(running);
  const heard = await hearState(running, state);
  if (heard.jumpTo !== undefined) return heard;
  const said = joinUpdates(heard, await addContext(running, { ...state, ...heard }));
  return running.turn.isStopped ? { ...said, jumpTo: 'end' } : said;
}

/** What is new in the state, and what it could not be told of before. */
async function hearState(running: Running, state: StateLike): Promise<Update> {
  await passOthers(running, state);
  const added = await hearAdded(running, state);
  return joinUpdates(takeHeard(running), added);
}

/** What hooks have for the conversation becomes a message. The state says that it is none of the user's: another process may go on. */
async function addContext(
  { turn }: Running,
  { _hooksSeen }: Pick<StateLike, '_hooksSeen'>,
  ...more: readonly string[]
): Promise<Update> {
  const text = await passContexts(turn, ...more);
  if (text === undefined) return {};
  const context = makeContext(text);
  return { messages: [context], _hooksSeen: { ..._hooksSeen, ...(await describeSeen([context])) } };
}

/** The agent would end: hooks may send it back to work. */
async function end(running: Running, state: StateLike): Promise<Update> {
  await passAnswered(running);
  await endBatch(running);
  const { jumpTo: _, ...heard } = await hearState(running, state);
  const { turn, isDenied, messages } = running;
  const reason = isDenied || turn.isStopped ? undefined : await turn.keepGoing();
  const seen = { ...state, ...heard };
  if (reason !== undefined)
    return { ...joinUpdates(heard, await addContext(running, seen, reason)), jumpTo: 'model' };
  await answerRest(running);
  const left = updateMessages(messages, heard);
  return { ...heard, _hooksSeen: await keepAll(running, await describeSeen(left, seen._hooksSeen)) };
}

/** The results that the messages end with are those of one answer. */
async function endBatch(running: Running): Promise<void> {
  const { turn, results, messages } = running;
  const at = messages.findLastIndex((message) => AIMessage.isInstance(message));
  const answer = messages[at];
  const rows = messages.slice(at + 1).filter(({ type }) => type === 'tool');
  if (answer === undefined || rows.length === 0 || running.told === answer.id) return;
  running.told = answer.id;
  const calls = AIMessage.isInstance(answer) ? readCalls(answer) : [];
  const batch = calls.flatMap((toolCall): StoredToolResult[] => {
    const known = results.get(toolCall.id);
    const row = rows.find((message) => (message as { tool_call_id?: unknown }).tool_call_id === toolCall.id);
    if (known !== undefined || row === undefined) return known === undefined ? [] : [known];
    return [{ toolCall, result: { status: 'success', result: row.text } }];
  });
  results.clear();
  await turn.endBatch(batch);
}
