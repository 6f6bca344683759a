import { recordEntry } from '@spec/hooks';
import type { JsonObject } from 'type-fest';
import type { CompiledEntry, Occasion, Strategy } from '../normal-form.ts';
import { type EntryResult, failed, skipped } from './entry-run.ts';
import { type EntryOpinion, rewriteInput } from './merged.ts';
import { type EntryContext, runEntry } from './run-entry.ts';
import { type WhyNot, whyNots } from './why-not.ts';

/** The entries of one event of a file, with their context. */
export interface EntryGroup {
  readonly entries: readonly CompiledEntry[];
  readonly occasion: Occasion;
  readonly context: EntryContext;
}

/** The outcome of a group. */
export interface GroupResult {
  readonly opinions: readonly EntryOpinion[];
  /** The occasion from now on, with the rewrites of entries that ran. */
  readonly occasion: Occasion;
}

/** How the entries of a file run for one event (design C1). */
export const strategies: { readonly [S in Strategy]: (group: EntryGroup) => Promise<GroupResult> } = {
  serial: (group) => oneByOne(group, isFinal),
  'first-decision': (group) => oneByOne(group, isDecision),
  parallel: allTogether,
};

function isFinal({ answer }: EntryOpinion): boolean {
  return answer.decision === 'deny' || answer.endsTurn === true;
}

function isDecision(opinion: EntryOpinion): boolean {
  const { decision, keepsGoing } = opinion.answer;
  return isFinal(opinion) || decision !== undefined || keepsGoing === true;
}

async function oneByOne(
  { entries, occasion: first, context }: EntryGroup,
  ends: (opinion: EntryOpinion) => boolean,
): Promise<GroupResult> {
  const opinions: EntryOpinion[] = [];
  let occasion = first;
  let verdicts = whyNots(entries, occasion);
  const twins = findTwins(
    entries.filter((compiled) => verdicts.get(compiled) === undefined),
    context,
  );
  let endedBy: string | undefined;
  for (const [i, compiled] of entries.entries()) {
    const why =
      endedBy === undefined ? (verdicts.get(compiled) ?? twins.get(compiled)) : `${endedBy} had decided`;
    const opinion = readOpinion(await runConsidered({ compiled, why, occasion, context }));
    if (opinion === undefined) continue;
    opinions.push(opinion);
    if (ends(opinion)) endedBy ??= compiled.entry.id;
    const next = rewritten(occasion, opinion);
    if (next !== occasion) verdicts = whyNots(entries.slice(i + 1), next);
    occasion = next;
  }
  return { opinions, occasion };
}

async function allTogether(group: EntryGroup): Promise<GroupResult> {
  const { entries, occasion: first, context } = group;
  const verdicts = whyNots(entries, first);
  if (entries.some((one) => one.entry.isSequential && verdicts.get(one) === undefined))
    return oneByOne(group, isFinal);
  const twins = findTwins(
    entries.filter((compiled) => verdicts.get(compiled) === undefined),
    context,
  );
  const results = await Promise.all(
    entries.map((compiled) => {
      const why = verdicts.get(compiled) ?? twins.get(compiled);
      return runConsidered({ compiled, why, occasion: first, context });
    }),
  );
  const opinions = results.flatMap((result) => readOpinion(result) ?? []);
  return { opinions, occasion: opinions.reduce(rewritten, first) };
}

/** An entry, and whether it matches. */
interface ConsideredEntry {
  readonly compiled: CompiledEntry;
  readonly why: WhyNot;
  readonly occasion: Occasion;
  readonly context: EntryContext;
}

/** Runs an entry, or records why it does not run. */
async function runConsidered({ compiled, why, occasion, context }: ConsideredEntry): Promise<EntryResult> {
  if (why === undefined) return runEntry(compiled, occasion, context);
  const { entry } = compiled;
  const result = typeof why === 'string' ? skipped(entry, why) : failed(entry, why);
  recordEntry(context.state, result.run);
  return result;
}

/**
 * If the dialect runs identical handlers once: all but the first, with the reason why they do not run. One that blocks where another
 * does not, or has more time, is not the same.
 */
function findTwins(entries: readonly CompiledEntry[], { dialect }: EntryContext): Map<CompiledEntry, string> {
  const twins = new Map<CompiledEntry, string>();
  if (dialect.identicalOnce !== true) return twins;
  const seen = new Map<string, string>();
  for (const compiled of entries) {
    const { entry } = compiled;
    const { handler, condition, name, effects, timeoutMs } = entry;
    const key = JSON.stringify([handler, condition, name, effects, timeoutMs]);
    const twin = seen.get(key);
    if (twin === undefined) seen.set(key, entry.id);
    else twins.set(compiled, `${twin} has the same handler`);
  }
  return twins;
}

function readOpinion({ entry, answer }: EntryResult): EntryOpinion | undefined {
  return answer === undefined ? undefined : { entry, answer };
}

function rewritten(occasion: Occasion, opinion: EntryOpinion): Occasion {
  const { tool } = occasion;
  if (tool === undefined) return occasion;
  const input: JsonObject = rewriteInput(tool.input, opinion);
  return input === tool.input ? occasion : { ...occasion, tool: { ...tool, input } };
}
