import {
  type AgentOutputItem,
  type Model,
  type ModelRequest,
  type ModelResponse,
  type StreamEvent,
  Usage,
} from '@openai/agents';
import type { Scope } from '@spec/hooks';
import { denyRewrite, PassingAnswer, passAnswer } from '@spec/hooks/host';
import { makeAnswer, readSaid, readStreamedText, replaceSaid } from './items.ts';
import { type DecidedCall, decideOnModel } from './model-call.ts';
import type { Running, Runs } from './runs.ts';

/** What the calls of a model are sent through. */
export interface ModelSetting {
  readonly runs: Runs;
  readonly scope: Scope;
  /** Models that `before_model_call` may choose. */
  readonly models: Readonly<Record<string, Model>>;
}

/** A model whose calls pass the hooks. */
export class HookedModel implements Model {
  readonly #model: Model;
  readonly #name: string;
  readonly #setting: ModelSetting;

  constructor(model: Model, name: string, setting: ModelSetting) {
    this.#model = model;
    this.#name = name;
    this.#setting = setting;
  }

  get supportsPromptModelSelection(): boolean {
    return this.#model.supportsPromptModelSelection ?? false;
  }

  async getRetryAdvice(
    ...[args]: Parameters<NonNullable<Model['getRetryAdvice']>>
  ): Promise<Awaited<ReturnType<NonNullable<Model['getRetryAdvice']>>>> {
    return this.#model.getRetryAdvice?.(args);
  }

  async getResponse(given: ModelRequest): Promise<ModelResponse> {
    const running = this.#setting.runs.find();
    if (running.turn.isStopped) return makeResponse([makeAnswer('')]);
    const call = await this.#decide(running, given);
    const response =
      call.answer === undefined
        ? await askModel(call, () => this.#find(call).getResponse(call.request))
        : answerItself(call);
    await call.tell({ errorCode: null, usage: response.usage });
    return withOutput(response, await passOutput(running, response.output));
  }

  /**
   * Lets an answer out as far as no hook could still change it: text behind the windows of hooks that have a `stream`, else at the end. The
   * events of the provider, which have all of it, do not leave then.
   */
  async *getStreamedResponse(given: ModelRequest): AsyncIterable<StreamEvent> {
    const running = this.#setting.runs.find();
    const call = running.turn.isStopped ? undefined : await this.#decide(running, given);
    if (call === undefined) return yield* streamResponse(makeResponse([makeAnswer('')]));
    const { turn } = running;
    const answer = new PassingAnswer(turn, this.#setting.scope);
    const isOpen = !turn.has('before_create_message', 'after_create_message');
    for await (const event of this.#stream(call)) {
      if (event.type === 'response_done') {
        await call.tell({ errorCode: null, usage: event.response.usage });
        const output = await passOutput(running, event.response.output as AgentOutputItem[]);
        if (!isOpen) yield* toDelta(answer.release({ text: readStreamedText(output), calls: [] }).text ?? '');
        const response = withOutput(event.response, output as typeof event.response.output);
        yield response === event.response ? event : { type: event.type, response };
      } else if (isOpen) yield event;
      else if (event.type === 'response_started') yield { type: event.type };
      else if (event.type === 'output_text_delta') yield* toDelta(answer.add(event.delta));
    }
  }

  async *#stream(call: DecidedCall): AsyncIterable<StreamEvent> {
    if (call.answer !== undefined) return yield* streamResponse(answerItself(call));
    let hasBegun = false;
    let isOver = false;
    try {
      for await (const event of this.#find(call).getStreamedResponse(call.request)) {
        hasBegun = true;
        isOver ||= event.type === 'response_done';
        yield event;
      }
    } finally {
      const end = hasBegun ? ({ finishReason: 'error' } as const) : {};
      if (!isOver) await call.tell({ errorCode: 'model_failed', ...end }); // Also where its reader has gone.
    }
  }

  async #decide(running: Running, given: ModelRequest): Promise<DecidedCall> {
    running.waiting.clear();
    return decideOnModel(
      running,
      this.#name,
      await running.conversation.prepare(hideFromTrace(running, given)),
    );
  }

  #find({ model }: DecidedCall): Model {
    if (model === this.#name) return this.#model;
    const { models } = this.#setting;
    const other = Object.hasOwn(models, model) ? models[model] : undefined;
    if (other !== undefined) return other;
    throw denyRewrite(
      `its model is not known. Known are: ${[this.#name, ...Object.keys(models)].join(', ')}.`,
    );
  }
}

/** The span of a call is the model's own, which writes the answer into it before any hook has seen it. */
function hideFromTrace({ turn }: Running, request: ModelRequest): ModelRequest {
  const isWritten = request.tracing === true && turn.has('before_create_message');
  return isWritten ? { ...request, tracing: 'enabled_without_data' } : request;
}

/** A response with what hooks made of its output. What the provider said word by word goes where they have changed it: states of runs keep it. */
function withOutput<Response extends { readonly output: unknown; readonly providerData?: unknown }>(
  response: Response,
  output: Response['output'],
): Response {
  if (output === response.output) return response;
  const { providerData: _, ...rest } = response;
  return { ...rest, output } as Response;
}

/** What a call that fails tells hooks. Its error goes on as it is: the SDK decides whether to try again. */
async function askModel<T>(call: DecidedCall, make: () => Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    await call.tell({ errorCode: 'model_failed' });
    throw error;
  }
}

/** Sends an answer through the chains of a message. What comes out is what the SDK goes on with. */
async function passOutput(
  { turn, unanswered }: Running,
  output: AgentOutputItem[],
): Promise<AgentOutputItem[]> {
  unanswered.answer();
  if (!turn.takesMessages) return output;
  const said = readSaid(output);
  const passed = await passAnswer(turn, said);
  if (passed === said) return output;
  const replaced = replaceSaid(output, passed);
  return replaced.length === 0 ? [makeAnswer('')] : replaced;
}

function answerItself({ answer }: DecidedCall): ModelResponse {
  const { content = null, toolCalls = [] } = answer ?? {};
  return makeResponse(replaceSaid([], { text: content, calls: toolCalls }));
}

function makeResponse(output: AgentOutputItem[]): ModelResponse {
  return { usage: new Usage(), output, responseId: `hook_${crypto.randomUUID()}` };
}

/** An answer that is there, as a stream. */
async function* streamResponse({ output, responseId: id = '' }: ModelResponse): AsyncIterable<StreamEvent> {
  yield { type: 'response_started' };
  yield* toDelta(readSaid(output).text ?? '');
  const usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
  type Output = Extract<StreamEvent, { type: 'response_done' }>['response']['output'];
  yield { type: 'response_done', response: { id, usage, output: output as Output } };
}

function* toDelta(delta: string): Iterable<StreamEvent> {
  if (delta !== '') yield { type: 'output_text_delta', delta };
}
