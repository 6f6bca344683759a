import { recordEntry } from '@spec/hooks';
import type { JsonObject } from 'type-fest';
import type { CompiledEntry, Occasion, Strategy } from '../normal-form.ts';
import { type EntryResult, skipped } from './entry-run.ts';
import { type EntryOpinion, rewriteInput } from './merged.ts';
import { type EntryContext, runEntry } from './run-entry.ts';
import { whyNot } from './why-not.ts';

/** The entries of one event of a file, with what they run in. */
export interface EntryGroup {
  readonly entries: readonly CompiledEntry[];
  readonly occasion: Occasion;
  readonly context: EntryContext;
}

/** What came of a group. */
export interface GroupResult {
  readonly opinions: readonly EntryOpinion[];
  /** What is asked about from now on: with the rewrites of those that ran. */
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
  let endedBy: string | undefined;
  for (const compiled of entries) {
    const { entry } = compiled;
    const why = endedBy === undefined ? whyNot(compiled, occasion) : `${endedBy} had decided`;
    if (why !== undefined) {
      recordEntry(context.state, skipped(entry, why).run);
      continue;
    }
    const opinion = opinionOf(await runEntry(compiled, occasion, context));
    if (opinion === undefined) continue;
    opinions.push(opinion);
    occasion = rewritten(occasion, opinion);
    if (ends(opinion)) endedBy = entry.id;
  }
  return { opinions, occasion };
}

async function allTogether({ entries, occasion: first, context }: EntryGroup): Promise<GroupResult> {
  const chosen = distinct(
    entries.filter((compiled) => {
      const why = whyNot(compiled, first);
      if (why !== undefined) recordEntry(context.state, skipped(compiled.entry, why).run);
      return why === undefined;
    }),
    context,
  );
  const results = await Promise.all(chosen.map((compiled) => runEntry(compiled, first, context)));
  const opinions = results.flatMap((result) => opinionOf(result) ?? []);
  return { opinions, occasion: opinions.reduce(rewritten, first) };
}

/** Of identical handlers the first, where the dialect runs them once. */
function distinct(
  entries: readonly CompiledEntry[],
  { dialect, state }: EntryContext,
): readonly CompiledEntry[] {
  if (dialect.identicalOnce !== true) return entries;
  const seen = new Map<string, string>();
  return entries.filter(({ entry }) => {
    const key = JSON.stringify([entry.handler, entry.condition]);
    const twin = seen.get(key);
    if (twin === undefined) seen.set(key, entry.id);
    else recordEntry(state, skipped(entry, `${twin} has the same handler`).run);
    return twin === undefined;
  });
}

function opinionOf({ entry, answer }: EntryResult): EntryOpinion | undefined {
  return answer === undefined ? undefined : { entry, answer };
}

function rewritten(occasion: Occasion, opinion: EntryOpinion): Occasion {
  const { tool } = occasion;
  if (tool === undefined) return occasion;
  const input: JsonObject = rewriteInput(tool.input, opinion);
  return input === tool.input ? occasion : { ...occasion, tool: { ...tool, input } };
}
