import type {
  LanguageModelV3CallOptions,
  LanguageModelV3FinishReason,
  LanguageModelV3FunctionTool,
  LanguageModelV3ProviderTool,
  LanguageModelV3Usage,
} from '@ai-sdk/provider';
import {
  findUnknownOption,
  type HookMessage,
  type LLMMessage,
  type ModelAnswer,
  type ModelRequest,
  RunError,
} from '@spec/hooks';
import { denyRewrite, estimateTokens, type HostTurn, lendPrompt } from '@spec/hooks/host';
import { readUsage } from './answers.ts';
import type { Conversation } from './conversation.ts';
import type { SpokenMessage } from './messages.ts';

/** One call of a model: decided on before it is made, and told of in the instant it is over. */
export interface DecidedCall {
  /** With the rewrites of hooks. */
  readonly params: LanguageModelV3CallOptions;
  /** The name of the model, if a hook chose another. */
  readonly model: string;
  /** What a hook answered in the model's place. */
  readonly answer?: ModelAnswer | undefined;
  /** Tells `after_model_call`; absent where no hook is on calls of models. */
  readonly tell?: (ended: EndedCall) => Promise<void>;
}

export interface EndedCall {
  readonly usage?: LanguageModelV3Usage | undefined;
  readonly finishReason?: LanguageModelV3FinishReason | undefined;
  readonly errorCode: string | null;
}

/**
 * Has hooks decide on a call of a model.
 *
 * @throws {RunError} `model_denied`, which `after_model_call` is told of
 */
export function decideCallOfModel(
  turn: HostTurn,
  { model, params, at }: CallToDecide,
): Promise<DecidedCall> | DecidedCall {
  const isWatched = turn.has('before_model_call', 'after_model_call');
  return isWatched ? decideCall(turn, { model, params, at }) : { params, model };
}

interface CallToDecide {
  readonly model: string;
  readonly params: LanguageModelV3CallOptions;
  readonly at: Conversation;
}

async function decideCall(turn: HostTurn, { model, params, at }: CallToDecide): Promise<DecidedCall> {
  const began = performance.now();
  const requested = makeRequest(turn, params, { model, step: at.step, attempt: at.attempt });
  const { callId, step, attempt } = requested;
  let made = { model, cached: false };
  const tell = async ({ usage, finishReason, errorCode }: EndedCall): Promise<void> => {
    const durationMs = Math.round(performance.now() - began);
    const reason = finishReason?.unified ?? null;
    const ended = { usage: readUsage(usage), durationMs, finishReason: reason, errorCode, ...made };
    await turn.tellModelCall({ callId, step, attempt, ...ended });
  };
  try {
    const { request, answer } = await turn.decideModelCall(requested);
    made = { model: request.model, cached: answer !== undefined };
    return { params: applyRequest(params, requested, request), model: request.model, answer, tell };
  } catch (error) {
    await tell({ errorCode: error instanceof RunError ? error.code : 'unexpected' });
    throw error;
  }
}

const settingNames = {
  ...({ maxOutputTokens: true, temperature: true, topP: true, topK: true } as const),
  ...({ presencePenalty: true, frequencyPenalty: true, stopSequences: true, seed: true } as const),
} satisfies { readonly [Name in keyof LanguageModelV3CallOptions]?: true };

function makeRequest(
  { state }: HostTurn,
  { prompt, tools = [], toolChoice, ...params }: LanguageModelV3CallOptions,
  at: Pick<ModelRequest, 'model' | 'step' | 'attempt'>,
): ModelRequest {
  const given = params as Readonly<Record<string, unknown>>;
  const settings = Object.keys(settingNames).flatMap((name) =>
    given[name] === undefined ? [] : [[name, given[name]]],
  );
  const system = prompt.flatMap((message): LLMMessage[] =>
    message.role === 'system' ? [{ role: 'system', content: message.content }] : [],
  );
  const spoken = prompt.filter((message): message is SpokenMessage => message.role !== 'system');
  const messages = [...system, ...lendPrompt(spoken).messages.map(toLLM)];
  const chosen = toolChoice?.type === 'tool' ? { tool: toolChoice.toolName } : (toolChoice?.type ?? null);
  return {
    ...at,
    callId: crypto.randomUUID(),
    estimatedTokens: estimateTokens(messages, tools),
    usage: { ...state.usage },
    settings: Object.fromEntries(settings) as ModelRequest['settings'],
    toolChoice: chosen,
    tools: tools.map(({ name }) => name),
    messages,
  };
}

function toLLM({ role, content, tool_calls, tool_call_id, name }: HookMessage): LLMMessage {
  return {
    ...{ role, content },
    ...(typeof tool_calls === 'string' ? { tool_calls: JSON.parse(tool_calls) as unknown } : {}),
    ...(typeof tool_call_id === 'string' ? { tool_call_id } : {}),
    ...(typeof name === 'string' ? { name } : {}),
  };
}

/** @throws {RunError} `model_denied` for a rewrite that cannot be made */
function applyRequest(
  params: LanguageModelV3CallOptions,
  before: ModelRequest,
  request: ModelRequest,
): LanguageModelV3CallOptions {
  const next: LanguageModelV3CallOptions = { ...params };
  if (request.settings !== before.settings) {
    const unknown = findUnknownOption(request.settings, settingNames);
    if (unknown !== undefined)
      throw denyRewrite(
        `among its settings is one that is not known: ${Object.keys(settingNames).join(', ')} are.`,
      );
    for (const name of Object.keys(settingNames)) delete (next as unknown as Record<string, unknown>)[name];
    Object.assign(next, request.settings);
  }
  const isOffered = (name: string): boolean => before.tools.includes(name);
  if (!request.tools.every(isOffered)) throw denyRewrite('it offers a tool that the call does not have.');
  if (request.tools.length < before.tools.length)
    next.tools = (params.tools as Array<LanguageModelV3FunctionTool | LanguageModelV3ProviderTool>).filter(
      ({ name }) => request.tools.includes(name),
    );
  return { ...next, ...chooseTool(request) };
}

function chooseTool({ toolChoice, tools }: ModelRequest): Pick<LanguageModelV3CallOptions, 'toolChoice'> {
  if (toolChoice === null) return {};
  if (typeof toolChoice === 'string') return { toolChoice: { type: toolChoice } };
  if (!tools.includes(toolChoice.tool))
    throw denyRewrite('its toolChoice names a tool that it does not offer.');
  return { toolChoice: { type: 'tool', toolName: toolChoice.tool } };
}
