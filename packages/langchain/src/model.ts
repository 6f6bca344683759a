import { BaseCallbackHandler } from '@langchain/core/callbacks/base';
import { AIMessage } from '@langchain/core/messages';
import { DefinitionError, RunError } from '@spec/hooks';
import { type HostTurn, passAnswer, recallRows, toLLMMessage, validExchanges } from '@spec/hooks/host';
import { noteCalled, passAnswered, withChanged } from './answered.ts';
import { passBrokenCalls } from './broken-calls.ts';
import { hearAtModel } from './hear.ts';
import { lendMessages, makeAnswer, readCalls, readText, takeBack } from './messages.ts';
import {
  applyRewrite,
  configureModel,
  describeRequest,
  type Model,
  nameTool,
  type Request,
  readEnd,
  type WrapModelCall,
} from './model-request.ts';
import { noteMade } from './others.ts';
import { toolHooks } from './tools.ts';
import type { Running, StateLike, Turns } from './turns.ts';

type Handler = Parameters<WrapModelCall>[1];
type Answer = Awaited<ReturnType<Handler>>;

export interface ModelSetting {
  readonly turns: Turns;
  readonly allowUnwrapped: readonly string[];
  /** Models that `before_model_call` may choose. */
  readonly models: Readonly<Record<string, Model>>;
}

/** Sends calls of the model through the hooks. */
export function makeWrapModelCall(setting: ModelSetting): WrapModelCall {
  return (request, handler) =>
    setting.turns.use(request.state as StateLike, request.runtime, async (running) => {
      try {
        return await askModel(running, request, { ...setting, handler });
      } catch (error) {
        running.unanswered.fail();
        throw error;
      }
    });
}

async function askModel(
  running: Running,
  request: Request,
  { handler, models, allowUnwrapped }: ModelSetting & { readonly handler: Handler },
): Promise<Answer> {
  const { messages } = request.state as StateLike;
  const { turn } = running;
  refuseUnseen(request, turn, allowUnwrapped);
  running.attempt = running.asked === messages ? running.attempt + 1 : 1;
  running.asked = messages;
  if (running.attempt === 1) turn.nextStep();
  await passAnswered(running);
  const denied = await hearAtModel(running, request.state as StateLike);
  if (denied !== undefined) return denied;
  const asked = { ...request, messages: withChanged(request.messages, running.changed) };
  const answer = await call(running, await prepare(asked, turn), { handler, models });
  running.unanswered.answer();
  noteCalled(running, findAnswer(answer));
  const passed = await passModelAnswer(turn, answer, asked);
  noteMade(running, findAnswer(passed));
  return passed;
}

/** A tool that runs at the provider is a record that nobody can invoke. */
function refuseUnseen({ tools }: Request, turn: HostTurn, allowed: readonly string[]): void {
  if (!turn.has(...toolHooks)) return;
  const unseen = tools.find((tool) => !('invoke' in tool) && !allowed.includes(nameTool(tool)));
  if (unseen === undefined) return;
  const name = nameTool(unseen);
  throw new DefinitionError(
    'bad_option',
    `No hook sees the calls of the tool "${name}": it runs at the provider. Leave it out, or accept that: allowUnwrapped: ["${name}"].`,
  );
}

async function prepare(request: Request, turn: HostTurn): Promise<Request> {
  const { systemPrompt: text } = request;
  const prepared = { ...request };
  if (turn.has('after_system_message')) {
    const systemPrompt = await turn.run('after_system_message', text);
    if (systemPrompt !== text) prepared.systemPrompt = systemPrompt;
  }
  if (!turn.has('filter_messages', 'prefilter_llm_history')) return prepared;
  const lent = await recallRows(turn, lendMessages(request.messages));
  const valid = validExchanges(await turn.run('filter_messages', lent.messages)).map(toLLMMessage);
  prepared.messages = takeBack(await turn.run('prefilter_llm_history', valid), lent);
  return prepared;
}

interface Called {
  readonly handler: Handler;
  readonly models: Readonly<Record<string, Model>>;
}

async function call(running: Running, request: Request, { handler, models }: Called): Promise<Answer> {
  const { turn } = running;
  const watched = new WatchedAnswer(turn);
  if (!turn.has('before_model_call', 'after_model_call')) return handler(watched.watch(request));
  const began = performance.now();
  const { callId, step, attempt, ...requested } = describeRequest(request, running);
  let made = { model: requested.model, cached: false };
  const tell = async (errorCode: string | null, answer?: unknown): Promise<void> => {
    const durationMs = Math.round(performance.now() - began);
    await turn.tellModelCall({
      callId,
      step,
      attempt,
      durationMs,
      errorCode,
      ...made,
      ...(errorCode !== null && watched.hasBegun
        ? { ...readEnd(undefined), finishReason: 'error' }
        : readEnd(answer === undefined ? undefined : findAnswer(answer))),
    });
  };
  let answer: Answer;
  try {
    const decided = await turn.decideModelCall({ callId, step, attempt, ...requested });
    made = { model: decided.request.model, cached: decided.answer !== undefined };
    const { content = null, toolCalls: calls = [] } = decided.answer ?? {};
    answer = made.cached
      ? makeAnswer({ text: content, calls })
      : await handler(watched.watch(applyRewrite(request, decided.request, models)));
  } catch (error) {
    await tell(error instanceof RunError ? error.code : 'model_failed');
    throw error;
  }
  await tell(null, answer);
  return answer;
}

/** An answer that a model gives piece by piece, perhaps. */
class WatchedAnswer {
  readonly #turn: HostTurn;
  /** Whether there was a piece of it: if it breaks off then, it has cost something. */
  hasBegun = false;

  constructor(turn: HostTurn) {
    this.#turn = turn;
  }

  /** What a model streams leaves before hooks have seen it; where they are on answers, the answer leaves whole, when they have. */
  watch(request: Request): Request {
    const isHidden = this.#turn.has('before_create_message', 'after_create_message');
    const config = {
      ...(isHidden ? { tags: ['langsmith:nostream'] } : {}),
      ...(this.#turn.has('after_model_call') ? { callbacks: [this.#makeListener()] } : {}),
    };
    if (Object.keys(config).length === 0) return request;
    return { ...request, model: configureModel(request.model, config) };
  }

  /** Waited for: else an error may be told of before the pieces that were there. */
  #makeListener(): BaseCallbackHandler {
    const note = (): void => {
      this.hasBegun = true;
    };
    const methods = { handleLLMNewToken: note };
    return Object.assign(BaseCallbackHandler.fromMethods(methods), { awaitHandlers: true });
  }
}

/** Sends an answer through the chains of a message. What comes out is what the agent goes on with. */
async function passModelAnswer(turn: HostTurn, answer: Answer, request: Request): Promise<Answer> {
  if (!turn.takesMessages) return answer;
  const message = findAnswer(answer);
  const said = { text: readText(message), calls: readCalls(message) };
  const passed = await passAnswer(turn, said, message.id);
  const { invalid_tool_calls: broken = [] } = message;
  const passedBroken = await passBrokenCalls(turn, broken);
  if (passed === said && passedBroken === broken) return answer;
  if (message === answer && !wasRead(message, request)) return makeAnswer(passed, message, passedBroken);
  throw new RunError(
    'unsupported',
    'A before_create_message hook changed an answer that a structured response was read from, which would stay as it was. Leave such answers to the hook as they are, or read the response without responseFormat.',
    { hook: 'before_create_message' },
  );
}

/**
 * Whether LangChain has tried to read a response of a schema from an answer. Where that has failed, it gives the answer alone, and puts it into
 * the state as it was, with what was wrong, whatever comes of it here.
 */
function wasRead({ tool_calls = [] }: AIMessage, { responseFormat, tools }: Request): boolean {
  if (responseFormat === undefined) return false;
  const names = new Set(tools.map(nameTool));
  return tool_calls.some(({ name }) => !names.has(name));
}

/** With a response format, LangChain gives the response it has read beside the messages, whatever its types say. */
function findAnswer(given: unknown): AIMessage {
  if (AIMessage.isInstance(given)) return given;
  const { messages = [] } = given as { messages?: readonly unknown[] };
  return messages.find((message) => AIMessage.isInstance(message)) ?? new AIMessage('');
}
