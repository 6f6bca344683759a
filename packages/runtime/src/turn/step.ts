import type { StoredToolResult } from '@spec/hooks';
import { compactWhenDue, isCompacted } from '../compaction/automatic.ts';
import { choosePromptName } from '../definitions/agent.ts';
import type { PromptDefinition } from '../definitions/prompt.ts';
import type { FinishedCall } from '../definitions/stop-conditions.ts';
import type { TokenUsage } from '../events/thread-event.ts';
import { readToolCalls } from '../history/exchanges.ts';
import { modelHistory } from '../history/model-history.ts';
import { noteUsage } from '../history/tokens.ts';
import type { ModelReply } from '../model/call.ts';
import { type ReasoningRelease, releaseReasoning } from '../model/reasoning-release.ts';
import { releaseText, type TextRelease } from '../model/streaming.ts';
import { renderSystem } from '../model/system-message.ts';
import { askModel } from '../model-calls/ask-model.ts';
import type { StoredMessage } from '../stores/store.ts';
import type { ThreadView } from '../thread/core.ts';
import { otherSide } from '../thread/sides.ts';
import { runToolBatch } from '../tools/calls.ts';
import { traceStep } from '../tracing/spans.ts';
import { hasContexts, storeContexts } from '../writes/contexts.ts';
import { announceMessage, storedAt, storeMessage } from '../writes/messages.ts';
import { passAnswer } from './answer.ts';
import { makeConclusion } from './commits.ts';
import type { StepEnd } from './end.ts';
import { drainQueue } from './queue.ts';
import { keepingWhatWasShown } from './shown-text.ts';

/**
 * One model call, from the queue to the stored answer and the results of its calls (design §7.1, steps 2 to 5); none where
 * the queue says to stop.
 */
export async function runStep(view: ThreadView): Promise<StepEnd | undefined> {
  const { events } = view.core;
  const { flowId: turnId, stepCount: step } = view.flow;
  events.emit({ type: 'step_started', turnId, step });
  const finding = storedAt(view, 'answer');
  const storedAnswer = finding === undefined ? undefined : await finding;
  if (storedAnswer === undefined) {
    const draining = drainQueue(view);
    if (draining !== undefined) await draining;
    if (view.flow.stopped) {
      events.emit({ type: 'step_ended', turnId, step, callCount: 0 });
      return undefined;
    }
    if (hasContexts(view)) await storeContexts(view, { name: 'context', contexts: [] });
  }
  const { usage, message, calls } = await answerStep(view, storedAnswer);
  const type = 'step_ended';
  const callCount = calls.length;
  events.emit(
    usage === undefined ? { type, turnId, step, callCount } : { type, turnId, step, callCount, usage },
  );
  return { message, calls };
}

/** @param storedAnswer the answer, if it was stored before the turn's process died */
async function answerStep(
  view: ThreadView,
  storedAnswer: StoredMessage | undefined,
): Promise<StepEnd & { usage: TokenUsage | undefined }> {
  const { core } = view;
  const prompt = findPrompt(view);
  const text = releaseText(core, view.flow.idOf('answer'));
  const reasoning = releaseReasoning(core, view.flow.idOf('answer'));
  let usage: TokenUsage | undefined;
  const onReply = (reply: ModelReply): void => {
    usage = reply.usage;
    noteUsage(core, usage);
  };
  const asking = { prompt, text, reasoning, onReply };
  if (storedAnswer === undefined && isCompacted(view)) await compactWhenDue(view);
  const message =
    storedAnswer ??
    (await keepingWhatWasShown(view, { text, reasoning }, () =>
      view.step('answer', (at) => askAndPrepare(at, asking)),
    ));
  const calls = readToolCalls(message);
  const onStored = (): void => tellStored(message, { text, reasoning });
  if (calls.length === 0) {
    if (storedAnswer === undefined) await storeAnswer(view, message, onStored);
    return { message, calls: [], usage };
  }
  const { tools: offered = [] } = prompt;
  const isStored = storedAnswer !== undefined;
  const results = await runToolBatch(view, { name: 'answer', message, calls, offered, isStored, onStored });
  return { message, calls: results.map(finishedCall), usage };
}

/** What was held back leaves, the reasoning first unless a part of the text was before it. */
function tellStored(message: StoredMessage, { text, reasoning }: Pick<Asking, 'text' | 'reasoning'>): void {
  const hasBegun = text.released !== '';
  if (!hasBegun) reasoning.end(message);
  text.end(message.content);
  if (hasBegun) reasoning.end(message);
}

function finishedCall({ toolCall, result }: StoredToolResult): FinishedCall {
  return { id: toolCall.id, name: toolCall.function.name, status: result.status };
}

interface Asking {
  readonly prompt: PromptDefinition;
  readonly text: TextRelease;
  readonly reasoning: ReasoningRelease;
  readonly onReply: (reply: ModelReply) => void;
}

/** The model's answer after the create chain. No other form of it is kept anywhere (design §7.4). */
async function askAndPrepare(view: ThreadView, asking: Asking): Promise<StoredMessage> {
  const reply = await traceStep(view, asking.prompt, (traced) => askForAnswer(traced, asking));
  asking.onReply(reply);
  return passAnswer(view, reply);
}

/** An answer without calls is the turn's last commit, unless something keeps the turn going. Of two sides, the other is next. */
async function storeAnswer(view: ThreadView, message: StoredMessage, onStored: () => void): Promise<void> {
  const { core, flow } = view;
  const { agent, scope } = core;
  const isLast = agent.type !== 'dual_ai' && scope.before_stop === undefined;
  const next = agent.type === 'dual_ai' ? otherSide(flow.currentSide) : undefined;
  const ended = { status: 'completed', text: message.content } as const;
  const along = isLast ? makeConclusion(view, ended) : next && { thread: { currentSide: next } };
  await view.step('answer.store', (at) => storeMessage(at, message, along));
  if (isLast) flow.isConcluded = true;
  core.record.currentSide = next ?? core.record.currentSide;
  onStored();
  const announced = announceMessage(view, message, 'answer');
  if (announced !== undefined) await announced;
}

function findPrompt({ core, flow }: ThreadView): PromptDefinition {
  const name = choosePromptName(core.agent, flow.currentSide);
  return core.runtime.catalog.prompts.get(name) as PromptDefinition;
}

async function askForAnswer(view: ThreadView, { prompt, text, reasoning }: Asking): Promise<ModelReply> {
  const rendered = systemMessage(view, prompt);
  const system = typeof rendered === 'string' ? rendered : await rendered;
  const { messages: history, sent } = await modelHistory(view);
  const messages = system === '' ? history : [{ role: 'system', content: system }, ...history];
  return askModel(view, { prompt, messages, sent, onText: text.add, onReasoning: reasoning.add });
}

function systemMessage(view: ThreadView, prompt: PromptDefinition): string | Promise<string> {
  const pass = (text: string): string | Promise<string> =>
    view.core.runtime.executor.run('after_system_message', view.core.scope, view, text);
  const rendered = renderSystem(view, prompt);
  return typeof rendered === 'string' ? pass(rendered) : rendered.then(pass);
}
