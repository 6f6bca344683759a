// Compaction: replaces old messages by a summary in what the model is sent. Turns and the application call it; it never deletes a message.

import { type CompactionInfo, RunError } from '@spec/hooks';
import { choosePromptName } from '../definitions/agent.ts';
import { type CompactionOptions, isCount, tokensToKeep } from '../definitions/compaction.ts';
import type { PromptDefinition } from '../definitions/prompt.ts';
import { checkOptions } from '../given.ts';
import { findCut } from '../history/cut.ts';
import { loadHistory, type StoredHistory } from '../history/stored-history.ts';
import { summaryContent } from '../history/summary-message.ts';
import { tokenCounter } from '../history/tokens.ts';
import type { StoredMessage } from '../stores/store.ts';
import type { ThreadCore, ThreadView } from '../thread/core.ts';
import { flushRuns } from '../writes/commit.ts';
import { textsToKeep } from '../writes/kept-text.ts';
import { admitMessages, announceMessage, passCreateChain, storeMessage } from '../writes/messages.ts';
import { type SummaryRequest, summarise } from './summarise.ts';

/** What a caller asks for. */
export interface CompactOptions {
  /** What `before_compaction` hooks are told. Default `manual`. */
  readonly trigger?: 'manual' | 'auto';
  /** Added to the instructions for the summary. */
  readonly instructions?: string;
  /** Default: the prompt's. */
  readonly keepTokens?: number;
}

/** What came of a compaction. */
export type CompactionResult =
  | {
      readonly status: 'compacted';
      /** The message that holds the summary. */
      readonly summaryId: string;
      /** The last message that the summary stands for. */
      readonly throughId: string;
      /** How many messages it stands for, besides those of the summary before it. */
      readonly messageCount: number;
      /** How many of these hooks kept from the model that wrote the summary: no model is told of them from now on. */
      readonly withheldCount: number;
    }
  /** A hook refused. */
  | { readonly status: 'denied'; readonly reason?: string }
  /** There was nothing that a summary could take the place of. */
  | { readonly status: 'nothing' };

export interface Compaction extends CompactOptions {
  readonly prompt: PromptDefinition;
  readonly options: CompactionOptions;
  /** Whether a turn is under way, which needs what it has begun with or done last. */
  readonly inTurn: boolean;
  /** What is shorter than this is not worth a summary. */
  readonly leastTokens?: number;
}

/** The prompt whose model answers next, and how its threads are compacted: its own options, else those of its agent. */
export function findCompaction({ core, flow }: ThreadView): Pick<Compaction, 'prompt'> & {
  readonly options: CompactionOptions | undefined;
} {
  const { agent, runtime } = core;
  const prompt = runtime.catalog.prompts.get(choosePromptName(agent, flow.currentSide)) as PromptDefinition;
  return { prompt, options: prompt.compaction ?? agent.compaction };
}

/**
 * Replaces a thread's older messages by a summary, unless a hook refuses. The messages stay in the store.
 *
 * S1 The summary is a message like any other: it passes the create chain, and is stored in one commit with the record that says
 *    what it stands for. After a crash before that commit nothing has happened.
 * S2 Each summary holds what the one before it said: of all of them only the newest is sent.
 *
 * @throws {RunError} as the model and blocking hooks do; then nothing has changed
 */
export async function compact(view: ThreadView, compaction: Compaction): Promise<CompactionResult> {
  const { core } = view;
  const part = await partToSummarise(view, compaction);
  const messageCount = part.rest.length;
  if (messageCount === 0) return { status: 'nothing' };
  const { trigger = 'manual', instructions } = compaction;
  const { isRefused, reason, contexts } = await ask(view, { trigger, messageCount });
  if (isRefused) return { status: 'denied', ...(reason === undefined ? {} : { reason }) };

  const said = instructions === undefined ? contexts : [instructions, ...contexts];
  const additions = await textsToKeep(view, said, { name: 'summary.instructions' });
  const { message, withheldCount } = await view.step('summary', (at) =>
    writeSummary(at, part, { ...compaction, additions }),
  );
  const next = { summaryId: message.id, throughId: await lastStored(view, part.rest, message.id) };
  await view.step('summary.store', (at) => storeMessage(at, message, { thread: { compaction: next } }));
  core.record.compaction = next;
  await announceMessage(view, message, 'summary');
  const done = { ...next, messageCount, withheldCount };
  core.events.emit({ type: 'compacted', trigger, ...done });
  return { status: 'compacted', ...done };
}

/** An `ask` is a deny: there is nobody to ask. */
function ask(
  view: ThreadView,
  info: CompactionInfo,
): Promise<{ isRefused: boolean; reason: string | undefined; contexts: readonly string[] }> {
  return Promise.resolve(
    view.step('summary.asked', async (at) => {
      const { scope, runtime } = view.core;
      const { decision, reason, context } = await runtime.executor.run('before_compaction', scope, at, info);
      return { isRefused: decision === 'deny' || decision === 'ask', reason, contexts: context };
    }),
  );
}

/** The opening, the last summary, and what the next one takes the place of; nothing of the rest where there is not enough. */
async function partToSummarise(
  { core }: ThreadView,
  { options, keepTokens = tokensToKeep(options), inTurn, leastTokens = 0 }: Compaction,
): Promise<StoredHistory> {
  const history = await loadHistory(core);
  const tokens = history.rest.map(await tokenCounter());
  const cut = findCut(history.rest, { tokens, keepTokens, inTurn });
  const size = tokens.slice(0, cut).reduce((sum, count) => sum + count, 0);
  return { ...history, rest: size < leastTokens ? [] : history.rest.slice(0, cut) };
}

/** The summary as the create chain left it: nothing else of it is kept anywhere (design §7.4). */
async function writeSummary(
  view: ThreadView,
  history: StoredHistory,
  request: Compaction & Pick<SummaryRequest, 'additions'>,
): Promise<{ message: StoredMessage; withheldCount: number }> {
  const { text, withheldCount } = await summarise(view, { ...request, history });
  const draft = { role: 'system', content: summaryContent(text) } as const;
  const prepared = await passCreateChain(view, draft, view.flow.idOf('summary'));
  return { message: { ...prepared, summary_through: history.rest.at(-1)?.id }, withheldCount };
}

/** The last of the summarised messages that nobody deleted while the model wrote; where none is left, the summary's own id (H2). */
async function lastStored(
  { core }: ThreadView,
  messages: readonly StoredMessage[],
  summaryId: string,
): Promise<string> {
  for (const { id } of messages.toReversed()) {
    if ((await core.store.getMessage(core.id, id)) !== null) return id;
  }
  return summaryId;
}

/**
 * Compacts a thread between two turns, after those that were sent before.
 *
 * @throws {RunError} `invalid_input` for bad options; `thread_busy`, `thread_terminated`; as the model and blocking hooks do
 */
export function compactThread(core: ThreadCore, asked: CompactOptions = {}): Promise<CompactionResult> {
  core.refuseMessages();
  checkOptions('a compaction', asked, { trigger: true, instructions: true, keepTokens: true });
  checkValues(asked);
  return core.turns.enter({ id: crypto.randomUUID(), isNamed: false }, async (flow) => {
    const letGo = core.lease.hold();
    try {
      await admitMessages(core);
      flow.pin(await core.lease.held());
      await core.turns.finishLeftBehind();
      const view = core.state.in(flow);
      const { prompt, options = {} } = findCompaction(view);
      return await compact(view, { ...asked, prompt, options, inTurn: false });
    } finally {
      await flushRuns(core)?.catch(() => {}); // They wait for the next commit.
      letGo();
    }
  });
}

function checkValues({ trigger, instructions, keepTokens }: CompactOptions): void {
  const isKnown = trigger === undefined || trigger === 'manual' || trigger === 'auto';
  const isText = instructions === undefined || typeof instructions === 'string';
  if (isKnown && isText && isCount(keepTokens, 0)) return;
  throw new RunError(
    'invalid_input',
    'compact takes { trigger: "manual" | "auto", instructions: a text, keepTokens: a whole number of at least 0 }, each of them optional.',
  );
}
