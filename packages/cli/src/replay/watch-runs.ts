import type { HookToolCall } from '@spec/hooks';
import type { RunValues } from '@spec/runtime';
import { textChanges } from './changes.ts';
import { describeCall, redacted } from './judge/called.ts';
import type { HookChange } from './show-changes.ts';

/** Gathers what hooks did in one conversation, each intervention once. */
export interface RunWatch {
  readonly note: (run: RunValues) => void;
  /** In the order in which it happened, once all hooks have run. */
  finish(): HookChange[];
}

/** An entry's run and that of the hook around it are told as one: under the entry's id, with what the hook decided. */
export function watchRuns(): RunWatch {
  const found: HookChange[] = [];
  const waiting = new Map<string, RunValues[]>();

  function note(run: RunValues): void {
    if ('entryOf' in run) waiting.set(run.hook, [...(waiting.get(run.hook) ?? []), run]);
    else noteHook(run);
  }

  function noteHook(run: RunValues): void {
    const entries = takeEntries(run);
    const changes = textChanges(run.before, run.after);
    const outcome = readOutcome(run);
    const ids = entries.filter((entry) => entry.outcome === run.outcome).map(({ id }) => id);
    const { hook, id, before } = run;
    if (outcome !== undefined || changes.length > 0)
      found.push({ hook, id: ids.join(', ') || id, ...tellOutcome(run, before), changes });
    else found.push(...entries.flatMap((entry) => tellEntry(entry)));
  }

  /** The entries of a hook that saw the same as it did. */
  function takeEntries({ hook, before }: RunValues): RunValues[] {
    const all = waiting.get(hook) ?? [];
    waiting.set(
      hook,
      all.filter(({ entryOf }) => entryOf !== before),
    );
    return all.filter(({ entryOf }) => entryOf === before);
  }

  return {
    note,
    finish: () => [...found, ...[...waiting.values()].flat().flatMap((entry) => tellEntry(entry))],
  };
}

function tellEntry(entry: RunValues): HookChange[] {
  if (readOutcome(entry) === undefined) return [];
  const { hook, id, entryOf } = entry;
  return [{ hook, id, ...tellOutcome(entry, entryOf), changes: [] }];
}

function readOutcome({ outcome }: RunValues): 'denied' | 'asked' | undefined {
  return outcome === 'denied' || outcome === 'asked' ? outcome : undefined;
}

type ToldOutcome = Pick<HookChange, 'outcome' | 'tool' | 'input' | 'reason'>;

function tellOutcome(run: RunValues, subject: unknown): ToldOutcome {
  const outcome = readOutcome(run);
  const reason = run.decision?.reason;
  return {
    ...(outcome === undefined ? {} : { outcome }),
    ...describeCall(readCall(subject)),
    ...(outcome === undefined || reason === undefined ? {} : { reason: redacted(reason) }),
  };
}

/** The tool call that a hook is about, where it is about one. */
function readCall(subject: unknown): HookToolCall | undefined {
  const { toolCall = subject } = (subject ?? {}) as { readonly toolCall?: unknown };
  const { function: called } = (toolCall ?? {}) as Partial<HookToolCall>;
  return typeof called?.name === 'string' ? (toolCall as HookToolCall) : undefined;
}
