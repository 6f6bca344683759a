// Model calls: asks hooks about a call of a model, makes it, and makes it again where it failed. Turns and compaction call it; it never stores the answer.

import type { LLMMessage, ModelMark, ModelRequest, SentMessages } from '@spec/hooks';
import { findRunCode } from '../aborted.ts';
import { chooseModelName } from '../definitions/catalog.ts';
import type { LanguageModel, TextCallOptions } from '../definitions/model.ts';
import type { PromptDefinition } from '../definitions/prompt.ts';
import type { AnyTool } from '../definitions/tool.ts';
import { estimateSent } from '../history/tokens.ts';
import { callModel, failureIn, type ModelReply } from '../model/call.ts';
import { toModelPrompt, toModelToolChoice, toModelTools } from '../model/prompt.ts';
import type { ReasoningPiece } from '../model/reasoning-release.ts';
import { type FileContents, readSentFiles } from '../model/sent-files.ts';
import type { ThreadView } from '../thread/core.ts';
import { mark } from '../thread/mark.ts';
import { NO_USAGE } from '../usage.ts';
import { refuseTaken } from '../writes/commit.ts';
import { readFile } from '../writes/files.ts';
import { type DecidedRequest, decideRequest } from './decide-request.ts';
import { findDelay, waitUnlessAborted } from './retries.ts';

/** What a model is to be asked. */
export interface ModelQuestion {
  /** Names the model, its settings and its tools, and what is done where it fails. */
  readonly prompt: PromptDefinition;
  /** The system message first, where there is one. */
  readonly messages: readonly LLMMessage[];
  /** Which messages of the thread they are. */
  readonly sent?: SentMessages;
  /** Gets the text as the model writes it. */
  readonly onText: (text: string) => void;
  /** Gets the reasoning as the model writes it. @returns whether listeners have it */
  readonly onReasoning?: (piece: ReasoningPiece) => boolean;
}

/** One attempt to have a question answered. */
interface Attempt {
  readonly model: string;
  /** Counts from 1, over retries and fallbacks. */
  readonly number: number;
}

/**
 * Asks a model, and where that fails, again, and then the models in its place (`retry`, `fallback`).
 *
 * A1 Hooks are asked before each attempt; what they deny is not tried again, nor asked of another model.
 * A2 Nothing is tried again once text has come, or reasoning has left: listeners have it.
 * A3 A call is told of in the instant it is over: answered, failed or denied.
 *
 * @throws {RunError} `model_denied`, `model_failed`, `aborted`; and as blocking hooks do
 */
export async function askModel(view: ThreadView, question: ModelQuestion): Promise<ModelReply> {
  const { prompt } = question;
  const { catalog, retry } = view.core.runtime;
  const models = [chooseModelName(catalog, prompt), ...(prompt.fallback ?? [])];
  let hasSpoken = false;
  const onText = (text: string): void => {
    hasSpoken = true;
    question.onText(text);
  };
  const onReasoning = (piece: ReasoningPiece): boolean => {
    const hasLeft = question.onReasoning?.(piece) ?? false;
    hasSpoken ||= hasLeft;
    return hasLeft;
  };
  let number = 0;
  let failed: unknown;
  for (const model of models) {
    for (let made = 0; ; made++) {
      number++;
      try {
        return await attempt(view, { ...question, onText, onReasoning }, { model, number });
      } catch (error) {
        const failure = failureIn(error);
        if (failure === undefined || hasSpoken) throw error;
        failed = error;
        const delay = findDelay(failure, made, prompt.retry ?? retry);
        if (delay === undefined) break;
        await waitUnlessAborted(delay, view.flow.abortSignal);
      }
    }
  }
  throw failed;
}

async function attempt(view: ThreadView, question: ModelQuestion, at: Attempt): Promise<ModelReply> {
  const { scope } = view.core;
  if (scope.before_model_call === undefined && scope.after_model_call === undefined) {
    const taken = refuseTaken(view);
    if (taken !== undefined) await taken;
    const model = findRegistered(view, at.model);
    const making = makeOptions(view, question, model);
    const options = making instanceof Promise ? await making : making;
    const reply = await markCall(view, { question, model: at.model }, () =>
      callModel(model, options, question),
    );
    count(view, reply);
    return reply;
  }
  return decideAndCall(view, question, await makeRequest(view, question, at));
}

async function decideAndCall(
  view: ThreadView,
  question: ModelQuestion,
  requested: ModelRequest,
): Promise<ModelReply> {
  const began = performance.now();
  let decided: DecidedRequest = { request: requested };
  const tell = (ended: Omit<EndedCall, 'durationMs'>): Promise<void> =>
    tellCall(view, decided, { ...ended, durationMs: Math.round(performance.now() - began) });
  try {
    decided = await decideRequest(view, requested);
    await refuseTaken(view);
    const reply = decided.answer ?? (await callDecided(view, question, decided.request));
    count(view, reply);
    await tell({ reply, errorCode: null });
    return reply;
  } catch (error) {
    const { hasBegun } = failureIn(error) ?? {};
    await tell({ reply: undefined, errorCode: findRunCode(error) ?? 'unexpected', hasBegun });
    throw error;
  }
}

interface EndedCall {
  readonly reply: ModelReply | undefined;
  readonly errorCode: string | null;
  /** Whether an answer that failed had begun. */
  readonly hasBegun?: boolean | undefined;
  readonly durationMs: number;
}

async function tellCall(
  view: ThreadView,
  { request, answer }: DecidedRequest,
  { reply, errorCode, hasBegun = false, durationMs }: EndedCall,
): Promise<void> {
  const { callId, model, step, attempt } = request;
  const live = view.afterAbort();
  await live.core.runtime.executor.run('after_model_call', live.core.scope, live, {
    callId,
    model,
    step,
    attempt,
    usage: { ...NO_USAGE, ...reply?.usage },
    durationMs,
    finishReason: reply?.finishReason ?? (hasBegun ? 'error' : null),
    errorCode,
    cached: answer !== undefined,
  });
}

async function callDecided(
  view: ThreadView,
  question: ModelQuestion,
  request: ModelRequest,
): Promise<ModelReply> {
  const { settings, tools, toolChoice } = request;
  const model = findRegistered(view, request.model);
  const { name } = question.prompt;
  const prompt = { name, settings, tools, ...(toolChoice === null ? {} : { toolChoice }) };
  const options = await makeOptions(view, { ...question, prompt }, model);
  return markCall(view, { question, model: request.model }, () => callModel(model, options, question));
}

interface MarkedCall {
  readonly question: Pick<ModelQuestion, 'sent'>;
  readonly model: string;
}

/** Makes a call, and notes in the ledger that it was made. */
async function markCall(
  view: ThreadView,
  { question: { sent }, model }: MarkedCall,
  call: () => Promise<ModelReply>,
): Promise<ModelReply> {
  const began = performance.now();
  const noteEnd = (usage: ModelReply['usage'], code?: string): void => {
    const note: ModelNote = { kind: 'model', model, ms: performance.now() - began };
    if (code !== undefined) note.code = code;
    if (usage?.inputTokens != null) note.inputTokens = usage.inputTokens;
    if (usage?.outputTokens != null) note.outputTokens = usage.outputTokens;
    if (sent !== undefined) note.sent = sent;
    mark(view, note);
  };
  try {
    const reply = await call();
    noteEnd(reply.usage);
    return reply;
  } catch (error) {
    noteEnd(undefined, findRunCode(error) ?? 'unexpected');
    throw error;
  }
}

type ModelNote = { -readonly [Field in keyof Omit<ModelMark, Place>]: ModelMark[Field] };
type Place = 'threadId' | 'turnId' | 'step' | 'at';

function count(view: ThreadView, { usage }: ModelReply): void {
  if (usage !== undefined) view.core.tokens.add(view.flow.flowId, { ...NO_USAGE, ...usage });
}

function findRegistered(view: ThreadView, model: string): LanguageModel {
  return view.core.runtime.catalog.models.get(model) as LanguageModel;
}

type CallOptions = TextCallOptions & { abortSignal: AbortSignal };

function makeOptions(
  view: ThreadView,
  question: ModelQuestion,
  model: LanguageModel,
): CallOptions | Promise<CallOptions> {
  const files = readSentFiles(question.messages, model, (path) => readFile(view.core, path));
  return files instanceof Promise
    ? files.then((read) => withFiles(view, question, { model, files: read }))
    : withFiles(view, question, { model, files });
}

function withFiles(
  view: ThreadView,
  { prompt, messages }: ModelQuestion,
  { model, files }: { readonly model: LanguageModel; readonly files: FileContents },
): CallOptions {
  const { provider, modelId, specificationVersion } = model;
  const tools = listTools(view, prompt);
  const options: CallOptions = {
    ...prompt.settings,
    prompt: toModelPrompt(messages, { provider, modelId, specificationVersion, files }),
    abortSignal: view.flow.abortSignal,
  };
  if (tools.length > 0) options.tools = toModelTools(tools);
  return prompt.toolChoice === undefined
    ? options
    : Object.assign(options, toModelToolChoice(prompt.toolChoice));
}

function listTools(view: ThreadView, { tools = [] }: PromptDefinition): AnyTool[] {
  return tools.map((name) => view.core.runtime.catalog.tools.get(name) as AnyTool);
}

async function makeRequest(
  view: ThreadView,
  { prompt, messages }: ModelQuestion,
  { model, number }: Attempt,
): Promise<ModelRequest> {
  const { settings = {}, tools = [], toolChoice = null } = prompt;
  return {
    callId: crypto.randomUUID(),
    model,
    step: view.flow.stepCount,
    attempt: number,
    estimatedTokens: await estimateSent(messages, toModelTools(listTools(view, prompt))),
    usage: { ...view.core.tokens.total },
    settings: settings as ModelRequest['settings'],
    toolChoice,
    tools: [...tools],
    messages: [...messages],
  };
}
