import type {
  CachedLLMStepResponse,
  ProcessLLMRequestArgs,
  ProcessLLMRequestResult,
  ProcessLLMResponseArgs,
} from '@mastra/core/processors';
import {
  type ModelAnswer,
  type ModelRequest,
  type ModelUsage,
  RunError,
  type StoredToolResult,
} from '@spec/hooks';
import {
  denyRewrite,
  estimateTokens,
  lendPrompt,
  listLastCalls,
  listLastResults,
  passAnswer,
  passContexts,
  recallRows,
  takePromptBack,
  takesRefusals,
  toLLMMessage,
  validExchanges,
} from '@spec/hooks/host';
import type { Running } from './turns.ts';

/** What Mastra sends to a model. */
export type Prompt = ProcessLLMRequestArgs['prompt'];

/** Everything of a prompt but its system messages. */
export type SpokenMessage = Exclude<Prompt[number], { role: 'system' }>;

/** What the model is sent, through the hooks. Mastra keeps its messages: what is changed here is changed in the request alone. */
export async function passRequest(
  running: Running,
  args: ProcessLLMRequestArgs,
): Promise<ProcessLLMRequestResult> {
  const { turn, broken } = running;
  if (broken !== undefined) throw broken.error;
  // A call that failed, where Mastra goes on to another model, is told of to no processor.
  await tellEnd(running, { errorCode: 'model_failed' });
  const isRepeated = running.asked === args.stepNumber;
  running.attempt = isRepeated ? running.attempt + 1 : 1;
  running.asked = args.stepNumber;
  if (!isRepeated) turn.nextStep();
  await passRefused(running, args.prompt);
  await endBatch(running, args.prompt);
  if (turn.isStopped) return { response: makeResponse({ content: '' }) };
  const prompt = await changePrompt(running, args.prompt);
  const answer = await decide(running, args, prompt);
  if (answer === undefined) return { prompt };
  // No response of a model comes in this place, so this is the end of the call.
  await tellEnd(running, { chunks: makeResponse(answer).chunks, errorCode: null });
  const { content, toolCalls: calls = [] } = answer;
  const passed = await passAnswer(turn, { text: content, calls });
  running.calls = [...passed.calls];
  return { response: makeResponse({ content: passed.text, toolCalls: [...passed.calls] }) };
}

async function changePrompt({ turn, added, refused }: Running, prompt: Prompt): Promise<Prompt> {
  const system = prompt.filter(({ role }) => role === 'system');
  const spoken = prompt.filter((message): message is SpokenMessage => message.role !== 'system');
  const said = await passContexts(turn);
  if (said !== undefined) added.push({ after: spoken.length, text: said });
  const addedAfter = (count: number): SpokenMessage[] =>
    added
      .filter(({ after }) => Math.min(after, spoken.length) === count)
      .map(({ text }) => ({ role: 'user', content: [{ type: 'text', text }] }));
  const kept = (message: SpokenMessage): SpokenMessage => refused.change(message, 'text');
  const history = [
    ...addedAfter(0),
    ...spoken.flatMap((message, at) => [kept(message), ...addedAfter(at + 1)]),
  ];
  const heads = turn.has('after_system_message') ? await changeSystem({ turn }, system) : system;
  if (!turn.has('filter_messages', 'prefilter_llm_history')) return [...heads, ...history];
  const lent = await recallRows(turn, lendPrompt(history));
  const valid = validExchanges(await turn.run('filter_messages', lent.messages)).map(toLLMMessage);
  return [...heads, ...takePromptBack(await turn.run('prefilter_llm_history', valid), lent)];
}

/** Mastra answers calls of tools that are not there, or whose arguments do not fit. */
async function passRefused(running: Running, prompt: Prompt): Promise<void> {
  const { turn, refused, results } = running;
  if (!takesRefusals(turn)) return;
  await refused.recall(prompt.filter(({ role }) => role !== 'system') as SpokenMessage[]);
  if (turn.state.execution.stepCount < 2) return;
  results.push(...(await refused.pass(refused.takeNew(listLastResults(prompt)))));
}

async function endBatch(running: Running, prompt: Prompt): Promise<void> {
  const { results, turn } = running;
  running.results = [];
  if (results.length > 0) await turn.endBatch(results, listLastCalls(prompt));
}

/** A tool has given its result. Where it was the last one, hooks are told at once: the run may end here, which Mastra tells nobody. */
export async function addResult(running: Running, result: StoredToolResult): Promise<void> {
  const { results, calls, turn } = running;
  results.push(result);
  if (results.length < calls.length || calls.length === 0) return;
  running.results = [];
  running.calls = [];
  await turn.endBatch(results, calls);
}

async function changeSystem({ turn }: Pick<Running, 'turn'>, system: Prompt): Promise<Prompt> {
  const text = system.map(({ content }) => content as string).join('\n\n');
  const changed = await turn.run('after_system_message', text);
  if (changed === text) return system;
  return changed === '' ? [] : [{ role: 'system', content: changed }];
}

/** @throws {RunError} `model_denied` */
async function decide(
  running: Running,
  { model }: ProcessLLMRequestArgs,
  prompt: Prompt,
): Promise<ModelAnswer | undefined> {
  const { turn, attempt, tools } = running;
  if (!turn.has('before_model_call', 'after_model_call')) return undefined;
  const system = prompt
    .filter(({ role }) => role === 'system')
    .map(({ content }) => ({ role: 'system', content: content as string }));
  const spoken = prompt.filter((message): message is SpokenMessage => message.role !== 'system');
  const messages = [...system, ...lendPrompt(spoken).messages.map(toLLMMessage)];
  const requested: ModelRequest = {
    ...{ callId: crypto.randomUUID(), model: model.modelId, step: turn.state.execution.stepCount, attempt },
    estimatedTokens: estimateTokens(messages, tools),
    ...{ usage: { ...turn.state.usage }, settings: {}, toolChoice: null, tools: [...tools] },
    messages,
  };
  running.began = { callId: requested.callId, at: performance.now(), model: model.modelId, cached: false };
  try {
    const { request, answer } = await turn.decideModelCall(requested);
    refuseRewrite(requested, request);
    running.began = { ...running.began, cached: answer !== undefined };
    return answer;
  } catch (error) {
    await tellEnd(running, { errorCode: error instanceof RunError ? error.code : 'unexpected' });
    throw error;
  }
}

/** A hook may have any text of its own in a rewrite, so none of it is in the message. */
function refuseRewrite(before: ModelRequest, after: ModelRequest): void {
  const pick = ({ model, settings, tools, toolChoice }: ModelRequest): string =>
    JSON.stringify([model, settings, tools, toolChoice]);
  if (pick(before) === pick(after)) return;
  throw denyRewrite('Mastra lets no processor choose model, settings or tools for a request that is made.');
}

/** What is known of a call of a model that is over. */
interface EndedCall {
  readonly chunks?: ProcessLLMResponseArgs['chunks'];
  readonly errorCode: string | null;
  /** `error` where an answer had begun and broke off: nobody knows what it cost. */
  readonly finishReason?: 'error';
}

/** Tells `after_model_call` of a call that is over, once. */
export async function tellEnd(
  running: Running,
  { chunks = [], errorCode, finishReason }: EndedCall,
): Promise<void> {
  const { turn, began, attempt } = running;
  running.began = undefined;
  if (began === undefined) return;
  const { at, ...called } = began;
  const finish = chunks.find(({ type }) => type === 'finish')?.payload as Finish | undefined;
  const isBroken = chunks.some(({ type }) => type === 'error');
  await turn.tellModelCall({
    ...{ ...called, attempt, step: turn.state.execution.stepCount, usage: readUsage(finish) },
    durationMs: Math.round(performance.now() - at),
    finishReason: finish?.stepResult?.reason ?? finishReason ?? null,
    errorCode: isBroken ? 'model_failed' : errorCode,
  });
}

interface Finish {
  readonly stepResult?: { readonly reason?: string };
  readonly output?: { readonly usage?: Readonly<Record<string, unknown>> };
}

function readUsage(finish: Finish | undefined): ModelUsage {
  const usage = finish?.output?.usage ?? {};
  const count = (name: string): number => (typeof usage[name] === 'number' ? usage[name] : 0);
  return {
    inputTokens: count('inputTokens'),
    outputTokens: count('outputTokens'),
    reasoningTokens: count('reasoningTokens'),
    cachedTokens: count('cachedInputTokens'),
  };
}

/** An answer in the place of the model's, in the pieces that Mastra has an answer in. */
export function makeResponse({ content, toolCalls = [] }: ModelAnswer): CachedLLMStepResponse {
  const id = crypto.randomUUID();
  const usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
  const text = [
    { type: 'text-start', payload: { id } },
    { type: 'text-delta', payload: { id, text: content ?? '' } },
    { type: 'text-end', payload: { id, type: 'text-end' } },
  ];
  const calls = toolCalls.map(({ id: toolCallId, function: { name: toolName, arguments: json } }) => ({
    ...{ type: 'tool-call', payload: { toolCallId, toolName, args: JSON.parse(json) as unknown } },
  }));
  const reason = toolCalls.length > 0 ? 'tool-calls' : 'stop';
  const finish = {
    stepResult: { reason },
    output: { usage },
    metadata: {},
    messages: { all: [], user: [], nonUser: [] },
  };
  return { chunks: [...(content === null ? [] : text), ...calls, { type: 'finish', payload: finish }] };
}
