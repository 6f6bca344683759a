import {
  type AnyHook,
  defineHook,
  type HookOptions,
  type LifecycleName,
  recordEntry,
  type ThreadState,
} from '@spec/hooks';
import { isGate } from '../gates.ts';
import type { CompiledEntry, Occasion } from '../normal-form.ts';
import type { CommandRunner } from '../run/command-runner.ts';
import type { Background } from './background.ts';
import { candidatesByName } from './by-tool-name.ts';
import { refusedOrSkipped, skipped } from './entry-run.ts';
import { type AnyEventRow, findToolName } from './events.ts';
import { type EntryOpinion, mergeOpinions } from './merged.ts';
import { makeOccasion } from './occasion.ts';
import type { CompiledFile, Surroundings } from './options.ts';
import { type EntryGroup, type GroupResult, strategies } from './strategies.ts';
import { whyNots } from './why-not.ts';

/** The parts of a chain member: the entries of one file for one lifecycle hook. */
export interface MemberParts {
  readonly file: CompiledFile;
  readonly event: LifecycleName;
  readonly row: AnyEventRow;
  /** In the order in which they run. */
  readonly entries: readonly CompiledEntry[];
  readonly runner: CommandRunner;
  readonly background: Background;
  readonly surroundings: Surroundings;
}

/**
 * Makes one chain member for all entries of a file for one event (design C1).
 *
 * M1 Each entry is recorded once for each firing, even if it does not run or ends after the hook. Entries that the
 *    tool's name alone rules out are recorded only at the tool's first call in a thread, since later calls do not differ.
 * M2 The member's own deadline is never earlier than that of an entry.
 * M3 If no entry matches the occasion, nothing is started or created.
 */
export function makeMember(parts: MemberParts): AnyHook {
  const { file, event, row, entries, surroundings } = parts;
  const byName = candidatesByName(entries);

  async function execute(state: ThreadState, ...args: readonly unknown[]): Promise<unknown> {
    const toolName = findToolName(event, args);
    const known = toolName === undefined ? undefined : byName.get(toolName);
    const isNew = toolName !== undefined && byName.isNew(state.threadId, toolName);
    if (known?.entries.length === 0 && !isNew) return null;
    const occasion = await makeOccasion({ event, state, ...surroundings }, await row.details(args, state));
    if (toolName === undefined) return ask(parts, { state, args, occasion, entries });
    const candidates = known ?? byName.learn(toolName, occasion);
    if (isNew) for (const skip of candidates.skips) recordEntry(state, skip);
    return ask(parts, { state, args, occasion, entries: candidates.entries });
  }

  const id = `${file.id}_${event}`;
  const options = { hook: event, id, timeout: chooseTimeout(parts), execute };
  return defineHook(options as HookOptions<LifecycleName>) as AnyHook;
}

/** One firing, with the entries that may match it. */
interface Firing {
  readonly state: ThreadState;
  readonly args: readonly unknown[];
  readonly occasion: Occasion;
  readonly entries: readonly CompiledEntry[];
}

async function ask(parts: MemberParts, firing: Firing): Promise<unknown> {
  const { row, file } = parts;
  const { state, args, occasion: first } = firing;
  const refusal = file.refusal?.();
  const { opinions, occasion } =
    refusal === undefined ? await runGroups(parts, firing) : refuseGroup(refusal, parts, firing);
  const isRewritten = occasion.tool?.input !== first.tool?.input;
  const merged = mergeOpinions(opinions, isRewritten ? occasion.tool?.input : undefined);
  return row.give({ merged, args, state, dialect: file.dialect });
}

function refuseGroup(why: string, parts: MemberParts, firing: Firing): GroupResult {
  const group = makeGroup(parts, firing, firing.state.execution.abortSignal);
  return { opinions: refuseAll(why, group), occasion: firing.occasion };
}

/** Runs the entries. Each event of the format has its strategy. */
async function runGroups(parts: MemberParts, firing: Firing): Promise<GroupResult> {
  const { file, background } = parts;
  const { state, entries } = firing;
  let { occasion } = firing;
  const opinions: EntryOpinion[] = [];
  for (const [eventName, group] of groupEntries(entries)) {
    const run = strategies[file.dialect.strategy(eventName)];
    const awaited = group.filter(({ entry }) => entry.isAwaited);
    const others = group.filter(({ entry }) => !entry.isAwaited);
    if (others.length > 0) {
      const asked = occasion;
      background.start(state.threadId, async (signal) => {
        await run(makeGroup(parts, { ...firing, occasion: asked, entries: others }, signal));
      });
    }
    if (awaited.length === 0) continue;
    const signal = state.execution.abortSignal;
    const result = await run(makeGroup(parts, { ...firing, occasion, entries: awaited }, signal));
    opinions.push(...result.opinions);
    occasion = result.occasion;
  }
  return { opinions, occasion };
}

/** Groups entries by the format's events, because each has its strategy. */
function groupEntries(entries: readonly CompiledEntry[]): Map<string, CompiledEntry[]> {
  const groups = new Map<string, CompiledEntry[]>();
  for (const compiled of entries) {
    const { eventName } = compiled.entry;
    const group = groups.get(eventName);
    if (group === undefined) groups.set(eventName, [compiled]);
    else group.push(compiled);
  }
  return groups;
}

function makeGroup(
  { file, event, runner, surroundings, background }: MemberParts,
  { state, occasion, entries }: Firing,
  signal: AbortSignal,
): EntryGroup {
  const { dialect, refusal } = file;
  const own = { isGate: isGate(event), signal };
  return {
    entries,
    occasion,
    context: { state, dialect, runner, surroundings, refusal, background, ...own },
  };
}

/** The longest time that a hook may take: some 24 days. */
const LONGEST_MS = 2 ** 31 - 1;

/** Allows for starting, ending and reading a command, for its condition, and for a busy machine. */
const SLACK_MS = 5_000;

/** The sum of the times of all entries, run one after another (M2). The wait for a free runner is unknown. */
function chooseTimeout({ file, entries }: MemberParts): number {
  if (file.maxConcurrent !== undefined) return LONGEST_MS;
  const sum = entries.reduce((ms, { entry }) => ms + entry.timeoutMs + SLACK_MS, SLACK_MS);
  return Math.min(sum, LONGEST_MS);
}

/**
 * Says what happens to entries that must not run. Guards deny what they guard, because a missing guard would allow
 * everything; other entries are skipped.
 *
 * @param why the reason, as the end of a sentence about their file
 */
function refuseAll(why: string, { entries, occasion, context }: EntryGroup): EntryOpinion[] {
  const verdicts = whyNots(entries, occasion);
  return entries.flatMap((compiled) => {
    const { entry } = compiled;
    const mismatch = verdicts.get(compiled);
    const result = typeof mismatch === 'string' ? skipped(entry, mismatch) : refusedOrSkipped(entry, why);
    recordEntry(context.state, result.run);
    return result.answer === undefined ? [] : [{ entry, answer: result.answer }];
  });
}
