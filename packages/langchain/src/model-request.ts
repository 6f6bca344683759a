import type { UsageMetadata } from '@langchain/core/messages';
import type { Runnable, RunnableConfig } from '@langchain/core/runnables';
import type { ModelUsage, ModelRequest as RequestOfHooks } from '@spec/hooks';
import { denyRewrite, estimateTokens, toLLMMessage } from '@spec/hooks/host';
import type { AgentMiddleware } from 'langchain';
import { lendMessages } from './messages.ts';
import type { Running } from './turns.ts';

export type WrapModelCall = NonNullable<AgentMiddleware['wrapModelCall']>;
export type Request = Parameters<WrapModelCall>[0];
export type Model = Request['model'];

/** A call of a model as hooks see it. */
export function describeRequest(request: Request, { turn, attempt }: Running): RequestOfHooks {
  const { systemPrompt, messages, tools, toolChoice, modelSettings = {} } = request;
  const system = systemPrompt === '' ? [] : [{ role: 'system', content: systemPrompt }];
  const lent = [...system, ...lendMessages(messages).messages.map(toLLMMessage)];
  const names = tools.map(nameTool);
  return {
    ...{ callId: crypto.randomUUID(), model: nameModel(request), attempt, tools: names, messages: lent },
    step: turn.state.execution.stepCount,
    estimatedTokens: estimateTokens(lent, names),
    usage: { ...turn.state.usage },
    settings: { ...modelSettings } as RequestOfHooks['settings'],
    toolChoice: typeof toolChoice === 'object' ? { tool: toolChoice.function.name } : (toolChoice ?? null),
  };
}

/** Models say what they are called in fields that differ. */
function nameModel({ model, runtime }: Request): string {
  const { model: id, modelName } = model as { model?: unknown; modelName?: unknown };
  const named = [id, modelName, readConfigured(model, runtime.configurable)];
  return named.find((name) => typeof name === 'string') ?? model.getName();
}

/** A model that is given by its name (`'openai:gpt-5'`) is made when it is called, and may then have another one. */
interface ConfigurableLike {
  readonly _defaultConfig?: { readonly model?: unknown };
  _modelParams?(config: { readonly configurable: object }): { readonly model?: unknown };
}

function readConfigured(model: Model, configurable: object = {}): unknown {
  const configured = model as ConfigurableLike;
  return configured._modelParams?.({ configurable }).model ?? configured._defaultConfig?.model;
}

/** What LangChain looks for in a model to know whether it gives responses of a schema by itself. */
const abilities = ['profile', '_streamResponseChunks'] as const;

/** The model with a configuration. What carries it says nothing of what the model can do, so that is added. */
export function configureModel(model: Model, config: Partial<RunnableConfig>): Model {
  const configured = (model as Runnable).withConfig(config);
  for (const name of abilities)
    if (name in model) Object.defineProperty(configured, name, { get: () => Reflect.get(model, name) });
  return configured as Model;
}

/** Tools that run at the provider are records with a name or a type. */
export function nameTool(tool: Request['tools'][number]): string {
  const { name, type } = tool as { name?: unknown; type?: unknown };
  return [name, type].find((text) => typeof text === 'string') ?? 'unnamed';
}

/** @throws {RunError} `model_denied` for a rewrite that cannot be made */
export function applyRewrite(
  request: Request,
  next: RequestOfHooks,
  models: Readonly<Record<string, Model>>,
): Request {
  const known = nameModel(request);
  const model =
    next.model === known ? request.model : Object.hasOwn(models, next.model) && models[next.model];
  if (model === undefined || model === false)
    throw denyRewrite(`its model is not known. Known are: ${[known, ...Object.keys(models)].join(', ')}.`);
  const names = request.tools.map(nameTool);
  if (!next.tools.every((name) => names.includes(name)))
    throw denyRewrite('it offers a tool that the call does not have.');
  const { toolChoice } = next;
  if (typeof toolChoice === 'object' && toolChoice !== null && !next.tools.includes(toolChoice.tool))
    throw denyRewrite('its toolChoice names a tool that it does not offer.');
  return {
    ...request,
    model,
    tools: request.tools.filter((tool) => next.tools.includes(nameTool(tool))),
    ...(Object.keys(next.settings).length === 0 ? {} : { modelSettings: next.settings }),
    ...(toolChoice === null ? {} : { toolChoice: toChoice(toolChoice) }),
  };
}

function toChoice(choice: NonNullable<RequestOfHooks['toolChoice']>): NonNullable<Request['toolChoice']> {
  return typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.tool } };
}

/** As much of an answer as tells of the call that it came from. */
interface EndLike {
  readonly usage_metadata?: UsageMetadata | undefined;
  readonly response_metadata?: { readonly finish_reason?: unknown };
}

export function readEnd(answer: unknown): { usage: ModelUsage; finishReason: string | null } {
  const { usage_metadata: usage, response_metadata } = (answer ?? {}) as EndLike;
  const reason = response_metadata?.finish_reason;
  return {
    usage: {
      inputTokens: usage?.input_tokens ?? 0,
      outputTokens: usage?.output_tokens ?? 0,
      reasoningTokens: usage?.output_token_details?.reasoning ?? 0,
      cachedTokens: usage?.input_token_details?.cache_read ?? 0,
    },
    finishReason: typeof reason === 'string' ? reason : null,
  };
}
