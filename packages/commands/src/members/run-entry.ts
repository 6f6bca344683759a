import { areTextsRewritten, DefinitionError, RunError, recordEntry, type ThreadState } from '@spec/hooks';
import { refusalIn } from '../dialects/nested/refusal.ts';
import type { HandlerEnd, HandlerFailed } from '../handlers/handler-end.ts';
import type {
  CommandEntry,
  CompiledEntry,
  Dialect,
  EntryAnswer,
  Invocation,
  Occasion,
} from '../normal-form.ts';
import type { CommandRunner } from '../run/command-runner.ts';
import type { Background } from './background.ts';
import { answered, type EntryResult, failed, type Measured, refusedOrSkipped, skipped } from './entry-run.ts';
import type { Surroundings } from './options.ts';
import { type HandlerRun, runHandler, runOrDetach } from './run-handler.ts';

/** What the entries of one file share during one firing of an event. */
export interface EntryContext {
  readonly state: ThreadState;
  readonly dialect: Dialect;
  readonly runner: CommandRunner;
  readonly surroundings: Surroundings;
  readonly isGate: boolean;
  readonly signal: AbortSignal;
  /** Where a command can continue in the background. If absent, none can. */
  readonly background?: Background;
  /** Why the entries must not run now. Called again right before each one, since others ran meanwhile. */
  readonly refusal?: (() => string | undefined) | undefined;
}

/** What a listener of the thread may show while an entry runs. */
const STATUS_EVENT = 'command_hook_status';

/** Milliseconds that a condition may take (settings document, `condition`). */
const CONDITION_MS = 1_000;

/** Runs a matching entry and records it. Never rejects. */
export async function runEntry(
  compiled: CompiledEntry,
  occasion: Occasion,
  context: EntryContext,
): Promise<EntryResult> {
  const { state, background } = context;
  const result = await makeResult(compiled, occasion, context);
  if (!('rest' in result)) {
    recordEntry(state, result.run);
    return result;
  }
  const { entry } = compiled;
  background?.start(state.threadId, async (signal) => recordEntry(state, (await result.rest(signal)).run));
  return skipped(entry, IN_BACKGROUND);
}

/** Recorded when it ends. */
const IN_BACKGROUND =
  'its output said that it goes on in the background, where what it answers does not count';

/** Takes the answer of an entry that continued in the background. */
interface DetachedEntry {
  readonly rest: (signal: AbortSignal) => Promise<EntryResult>;
}

async function makeResult(
  compiled: CompiledEntry,
  occasion: Occasion,
  context: EntryContext,
): Promise<EntryResult | DetachedEntry> {
  const { entry } = compiled;
  const startedAt = performance.now();
  let sizeBefore = 0;
  const measured = () => ({ ms: performance.now() - startedAt, sizeBefore });
  try {
    const invocation = compiled.invocation(occasion);
    sizeBefore = invocation.payload.length;
    const run = { entry, invocation, timeoutMs: entry.timeoutMs, ...context };
    const unmet = context.refusal?.() === undefined ? await unmetCondition(run) : undefined;
    if (typeof unmet === 'string') return skipped(entry, unmet);
    if (unmet !== undefined) return failed(entry, unmet, measured());
    const refusal = context.refusal?.();
    if (refusal !== undefined) return refusedOrSkipped(entry, refusal);
    emitStatus(compiled, context);
    const end = await runOrDetach(run, context.background && compiled.background);
    if ('rest' in end)
      return { rest: async (signal) => endedInBackground(entry, await end.rest(signal), measured()) };
    if ('failure' in end)
      return failed(entry, { ...end, refusal: readRefusal(end, { compiled, occasion }) }, measured());
    const whole = compiled.answer(end.answer, occasion);
    const answer = areTextsRewritten(context.state) ? whole : (compiled.shorten?.(whole, occasion) ?? whole);
    const counted = entry.isAwaited || !decides(answer) ? answer : { uncounted: TOO_LATE };
    return answered(entry, counted, { ...measured(), sizeAfter: measureAnswer(end) });
  } catch (error) {
    return failed(entry, notInvoked(error), measured());
  }
}

const TOO_LATE = 'it runs in the background, where what it decides comes too late';

function decides({ decision, endsTurn, keepsGoing }: EntryAnswer): boolean {
  return decision !== undefined || endsTurn !== undefined || keepsGoing !== undefined;
}

/** What a handler forbade before it failed. Nothing else counts of what it printed. */
function readRefusal(
  { printed }: HandlerFailed,
  { compiled, occasion }: { readonly compiled: CompiledEntry; readonly occasion: Occasion },
): EntryAnswer {
  return printed === undefined ? {} : refusalIn(compiled.answer({ exitCode: 0, ...printed }, occasion));
}

function endedInBackground(entry: CommandEntry, end: HandlerEnd, measured: Measured): EntryResult {
  if ('failure' in end) return failed(entry, end, measured);
  const { exitCode } = end.answer;
  const uncounted = IN_BACKGROUND;
  const failure = { effect: 'none', why: `it exited with code ${exitCode} in the background` } as const;
  return answered(entry, exitCode === 0 ? { uncounted } : { failure }, {
    ...measured,
    sizeAfter: measureAnswer(end),
  });
}

/** Why the entry does not match after all, or how its condition failed. */
async function unmetCondition(
  run: HandlerRun & Pick<EntryContext, 'dialect'>,
): Promise<string | HandlerFailed | undefined> {
  const { dialect, entry, invocation, timeoutMs } = run;
  if (dialect.conditionIsCommand !== true || entry.condition === undefined) return undefined;
  const asked: Invocation = { ...invocation, handler: { type: 'command', command: entry.condition } };
  const end = await runHandler({ ...run, invocation: asked, timeoutMs: Math.min(CONDITION_MS, timeoutMs) });
  const { exitCode } = 'answer' in end ? end.answer : end;
  if (exitCode === 0) return undefined;
  if (exitCode !== undefined || 'answer' in end) return `its condition exited with ${exitCode}`;
  return { ...end, failure: { ...end.failure, why: `its condition: ${end.failure.why}` } };
}

function emitStatus({ entry }: CompiledEntry, { state }: EntryContext): void {
  const { id, statusMessage } = entry;
  if (statusMessage === undefined) return;
  try {
    state.emit(STATUS_EVENT, { id, message: statusMessage });
  } catch {
    // In the background the hook has settled, so nobody can be shown it.
  }
}

function measureAnswer(end: HandlerEnd): number {
  return 'answer' in end ? end.answer.stdout.length : 0;
}

/** An entry that could not be started did not run. Of a foreign error only the kind is named. */
export function notInvoked(error: unknown): HandlerFailed {
  const isOurs = error instanceof RunError || error instanceof DefinitionError;
  return {
    failure: { effect: 'onLaunchError', why: isOurs ? error.message : 'it could not be invoked' },
    outcome: error instanceof RunError && error.code === 'invalid_input' ? 'invalid_input' : 'failed',
    code: error instanceof RunError ? error.code : 'hook_failed',
  };
}
