import { nameRun } from '@spec/hooks/node';
import type { ChainRun, MessageChain, NamedRun } from '../api.ts';
import { readConversation } from './read-conversation.ts';
import { readMessage } from './read-messages.ts';
import type { Source } from './read-threads.ts';

/** Which message, and whether the texts before and after each hook are asked for. */
export interface ChainQuestion {
  readonly thread: string;
  readonly message: string;
  readonly withValues: boolean;
}

/** A message with the runs that it had; `null` where it is not there. */
export async function readChain(source: Source, question: ChainQuestion): Promise<MessageChain | null> {
  const { thread, message: id, withValues } = question;
  const message = await readMessage(source, thread, id);
  const page = await readConversation(source, thread, { size: 2, around: id });
  const row = page?.messages.find((one) => one.id === id);
  if (message === null || row === undefined) return null;
  if (!withValues || !source.showsContent) return { message, runs: row.runs };
  return { message, runs: await Promise.all(row.runs.map((run) => addChanges(source, run))) };
}

async function addChanges({ records }: Source, run: NamedRun): Promise<ChainRun> {
  if (!run.changed) return run;
  const traced = (await records.runsAt(run.at)).find((one) => nameRun(one) === run.run);
  const values = traced?.values as { readonly before?: unknown; readonly after?: unknown } | undefined;
  if (values === undefined) return { ...run, changes: null };
  // Loaded here, so that the link does not wait for it.
  const { compareTexts } = await import('./compare-texts.ts');
  return { ...run, changes: compareTexts(values.before, values.after) };
}
