import type { ModelRequest, ModelSettings, Usage } from '@openai/agents';
import {
  findUnknownOption,
  type ModelAnswer,
  type ModelUsage,
  type ModelRequest as RequestOfHooks,
  RunError,
} from '@spec/hooks';
import { denyRewrite, estimateTokens, toLLMMessage } from '@spec/hooks/host';
import { lendItems } from './items.ts';
import type { Running } from './runs.ts';

/** One call of a model: decided on before it is made, and told of in the instant it is over. */
export interface DecidedCall {
  /** With the rewrites of hooks. */
  readonly request: ModelRequest;
  /** The name of the model, if a hook chose another. */
  readonly model: string;
  /** What a hook answered in the model's place. */
  readonly answer?: ModelAnswer | undefined;
  /** Tells `after_model_call`. */
  tell(ended: EndedCall): Promise<void>;
}

export interface EndedCall {
  readonly errorCode: string | null;
  /** `error` where an answer had begun and broke off: nobody knows what it cost. Else the SDK does not tell. */
  readonly finishReason?: 'error';
  readonly usage?: UsageLike | undefined;
}

/** What a call has used, in a response and in a stream. */
type UsageLike = Pick<Usage, 'inputTokens' | 'outputTokens'> & {
  readonly inputTokensDetails?: Details | undefined;
  readonly outputTokensDetails?: Details | undefined;
};
type Details = Readonly<Record<string, number>> | readonly Readonly<Record<string, number>>[];

/**
 * Has hooks decide on a call of a model.
 *
 * @throws {RunError} `model_denied`, which `after_model_call` is told of
 */
export async function decideOnModel(
  { turn, conversation }: Running,
  model: string,
  request: ModelRequest,
): Promise<DecidedCall> {
  if (!turn.has('before_model_call', 'after_model_call'))
    return { request, model, tell: async () => undefined };
  const began = performance.now();
  const { step, attempt } = conversation;
  const requested = describeRequest(request, { model, step, attempt, usage: { ...turn.state.usage } });
  let made = { model, cached: false };
  const tell = async ({ errorCode, finishReason, usage }: EndedCall): Promise<void> => {
    const durationMs = Math.round(performance.now() - began);
    const { callId } = requested;
    const ended = { usage: readUsage(usage), durationMs, errorCode, ...made };
    const reason = finishReason ?? null;
    await turn.tellModelCall({ callId, step, attempt, finishReason: reason, ...ended });
  };
  try {
    const { request: next, answer } = await turn.decideModelCall(requested);
    made = { model: next.model, cached: answer !== undefined };
    return { request: applyRewrite(request, requested, next), model: next.model, answer, tell };
  } catch (error) {
    await tell({ errorCode: error instanceof RunError ? error.code : 'unexpected' });
    throw error;
  }
}

/** What hooks call the settings of the SDK. */
const settingNames = {
  ...({ maxOutputTokens: 'maxTokens', temperature: 'temperature', topP: 'topP' } as const),
  ...({ frequencyPenalty: 'frequencyPenalty', presencePenalty: 'presencePenalty' } as const),
  ...({ parallelToolCalls: 'parallelToolCalls', truncation: 'truncation', store: 'store' } as const),
  ...({ reasoning: 'reasoning', text: 'text' } as const),
} satisfies Readonly<Record<string, keyof ModelSettings>>;
const knownSettings = Object.fromEntries(Object.keys(settingNames).map((name) => [name, true as const]));

function describeRequest(
  { systemInstructions, input, tools, handoffs, modelSettings }: ModelRequest,
  at: Pick<RequestOfHooks, 'model' | 'step' | 'attempt' | 'usage'>,
): RequestOfHooks {
  const given = modelSettings as Readonly<Record<string, unknown>>;
  const settings = Object.entries(settingNames).flatMap(([name, own]) =>
    given[own] == null ? [] : [[name, given[own]]],
  );
  const items = typeof input === 'string' ? [{ role: 'user', content: input } as const] : input;
  const system = systemInstructions === undefined ? [] : [{ role: 'system', content: systemInstructions }];
  const { toolChoice } = modelSettings;
  const messages = [...system, ...lendItems(items).messages.map(toLLMMessage)];
  return {
    ...at,
    callId: crypto.randomUUID(),
    estimatedTokens: estimateTokens(messages, [...tools, ...handoffs]),
    settings: Object.fromEntries(settings) as RequestOfHooks['settings'],
    toolChoice: toolChoice === undefined || isMode(toolChoice) ? (toolChoice ?? null) : { tool: toolChoice },
    tools: tools.map(({ name }) => name),
    messages,
  };
}

const isMode = (choice: string): choice is 'auto' | 'none' | 'required' =>
  choice === 'auto' || choice === 'none' || choice === 'required';

/** @throws {RunError} `model_denied` for a rewrite that cannot be made */
function applyRewrite(request: ModelRequest, before: RequestOfHooks, next: RequestOfHooks): ModelRequest {
  const modelSettings: ModelSettings = { ...request.modelSettings };
  if (next.settings !== before.settings) {
    if (findUnknownOption(next.settings, knownSettings) !== undefined)
      throw denyRewrite(
        `among its settings is one that is not known: ${Object.keys(settingNames).join(', ')} are.`,
      );
    const settings: Readonly<Record<string, unknown>> = next.settings;
    for (const [name, own] of Object.entries(settingNames)) {
      Reflect.deleteProperty(modelSettings, own);
      if (settings[name] !== undefined) Reflect.set(modelSettings, own, settings[name]);
    }
  }
  if (!next.tools.every((name) => before.tools.includes(name)))
    throw denyRewrite('it offers a tool that the call does not have.');
  const { toolChoice } = next;
  if (toolChoice !== null)
    modelSettings.toolChoice = typeof toolChoice === 'string' ? toolChoice : toolChoice.tool;
  if (typeof toolChoice === 'object' && toolChoice !== null && !next.tools.includes(toolChoice.tool))
    throw denyRewrite('its toolChoice names a tool that it does not offer.');
  const tools = request.tools.filter(({ name }) => next.tools.includes(name));
  return { ...request, modelSettings, tools };
}

function readUsage(usage: UsageLike | undefined): ModelUsage {
  return {
    inputTokens: usage?.inputTokens ?? 0,
    outputTokens: usage?.outputTokens ?? 0,
    reasoningTokens: countDetail(usage?.outputTokensDetails, 'reasoning_tokens'),
    cachedTokens: countDetail(usage?.inputTokensDetails, 'cached_tokens'),
  };
}

function countDetail(details: Details | undefined, name: string): number {
  const all = details === undefined ? [] : [details].flat();
  return all.reduce((sum, detail) => sum + ((detail as Readonly<Record<string, number>>)[name] ?? 0), 0);
}
