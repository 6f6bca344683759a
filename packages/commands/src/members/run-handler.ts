import { resolve } from 'node:path';
import type { ThreadState } from '@spec/hooks';
import type { CommandHandler } from '../entry-handler.ts';
import { type HandlerEnd, type HandlerFailed, notAnswered } from '../handlers/handler-end.ts';
import { runHttp, whyNeverAsked } from '../handlers/http.ts';
import { runPrompt, whyNoModel } from '../handlers/prompt.ts';
import { runTool, whyNoTool } from '../handlers/tool.ts';
import type { CommandEntry, CompiledEntry, Invocation } from '../normal-form.ts';
import type { CommandOutcome, CommandResult, CommandStart, UnfinishedOutcome } from '../run/command.ts';
import type { CommandRunner } from '../run/command-runner.ts';
import { findLaunchProblem } from '../run/launch.ts';
import { launchFailure } from '../run/outcomes.ts';
import { findPayloadFault } from '../run/payload-faults.ts';
import { namedFiles } from '../trust/script-files.ts';
import { readFileOrNothing } from '../trust/sight.ts';
import { type Detached, runDetachable } from './detached.ts';
import { isGuard } from './guards.ts';
import type { Surroundings } from './options.ts';

/** What is known about a handler's run before it begins. */
export interface PlannedRun {
  readonly entry: CommandEntry;
  readonly invocation: Invocation;
  readonly timeoutMs: number;
  /** Whether it guards something and so needs its whole input. */
  readonly isGate: boolean;
  readonly state: ThreadState;
  readonly surroundings: Surroundings;
}

/** What a handler's run needs. */
export interface HandlerRun extends PlannedRun {
  readonly signal: AbortSignal;
  readonly runner: CommandRunner;
  readonly onFirstLine?: (line: string) => void;
}

/** Finds what will certainly keep a handler from running; `undefined` if only a run can tell. */
export async function findObstacle(run: PlannedRun): Promise<HandlerFailed | undefined> {
  const { invocation, state, surroundings } = run;
  const { handler } = invocation;
  switch (handler.type) {
    case 'command': {
      const problem = findLaunchProblem(commandStart(run, handler));
      return problem && unfinished(problem, run);
    }
    case 'http':
      return findUnfitPayload(run) ?? failedFor(whyNeverAsked(handler, surroundings));
    case 'prompt':
    case 'agent':
      return findUnfitPayload(run) ?? failedFor(await whyNoModel(handler, state));
    case 'mcp_tool':
      return findUnfitPayload(run) ?? failedFor(whyNoTool(handler, state));
  }
}

function failedFor(why: string | undefined): HandlerFailed | undefined {
  return why === undefined ? undefined : notAnswered(why);
}

/** Runs a handler to its end. Never rejects. */
export async function runHandler(run: HandlerRun): Promise<HandlerEnd> {
  const end = await runOrDetach(run);
  // Nothing takes it over, so it is ended.
  return 'rest' in end ? end.rest(AbortSignal.abort()) : end;
}

/** The same for a command that may go on in the background. */
export async function runOrDetach(
  run: HandlerRun,
  background?: CompiledEntry['background'],
): Promise<HandlerEnd | Detached> {
  const { invocation, timeoutMs, signal, state, surroundings } = run;
  const { handler } = invocation;
  switch (handler.type) {
    case 'command':
      if (background === undefined) return makeEnd(await runShellCommand(run, handler), run);
      return runDetachable({
        signal,
        background,
        run: async (until, onFirstLine) => {
          const own = { ...run, signal: until, onFirstLine };
          return makeEnd(await runShellCommand(own, handler), own);
        },
      });
    case 'http':
      return findUnfitPayload(run) ?? runHttp(invocation, handler, { ...surroundings, timeoutMs, signal });
    case 'prompt':
    case 'agent':
      return findUnfitPayload(run) ?? runPrompt(handler, { timeoutMs, signal, state });
    case 'mcp_tool':
      return findUnfitPayload(run) ?? runTool(handler, { timeoutMs, signal, state });
  }
}

/** A payload that whoever is asked may not be able to read: a service of a model refuses it, and a server fails on it. */
function findUnfitPayload(run: PlannedRun): HandlerFailed | undefined {
  const fault = findPayloadFault(run.invocation.payload);
  return fault && unfinished(launchFailure(fault), run);
}

function runShellCommand(run: HandlerRun, handler: CommandHandler): Promise<CommandResult> {
  const { runner, signal, onFirstLine } = run;
  const start = commandStart(run, handler);
  return runner.run({ ...start, ...(onFirstLine === undefined ? {} : { onFirstLine }), signal });
}

function commandStart(
  { entry, invocation, timeoutMs, isGate, surroundings }: PlannedRun,
  { command, args, shell, cwd = '.' }: CommandHandler,
): CommandStart {
  const { payload, payloadVariables, env } = invocation;
  const { projectDir, pass, isolate } = surroundings;
  return {
    command,
    ...(args === undefined ? {} : { args }),
    ...(shell === undefined ? {} : { shell }),
    ...(pass === undefined ? {} : { pass }),
    ...(isolate === undefined ? {} : { isolate }),
    cwd: resolve(projectDir, cwd),
    env,
    payload,
    payloadVariables,
    isGate,
    scripts: () => scriptTexts(entry, projectDir),
    timeoutMs,
  };
}

/** The current text of the scripts in an entry's fingerprint. */
function scriptTexts(entry: CommandEntry, projectDir: string): string[] {
  const { dialect, position } = entry;
  return namedFiles([entry], { projectDir, settingsPath: resolve(position.file), dialect }).scripts.map(
    readFileOrNothing,
  );
}

function makeEnd(result: CommandResult, { entry, timeoutMs, isGate, signal }: HandlerRun): HandlerEnd {
  const { stdout, stderr, cut } = result;
  const printed = { stdout, stderr, ...(cut === undefined ? {} : { cut }) };
  if (result.outcome === 'exited') return { answer: { exitCode: result.code, ...printed } };
  if (result.outcome === 'aborted' && !signal.aborted)
    return { ...notRun('onLaunchError', CLOSED), ...(isGuard(entry) ? { mustBlock: true } : {}) };
  return { ...unfinished(result, { entry, isGate, timeoutMs }), printed };
}

function unfinished(
  end: UnfinishedOutcome,
  { entry, isGate, timeoutMs }: Pick<PlannedRun, 'entry' | 'isGate' | 'timeoutMs'>,
): HandlerFailed {
  const failure = describeFailure(end, timeoutMs);
  return mustBlock(end, { entry, isGate }) ? { ...failure, mustBlock: true } : failure;
}

/** The guard cannot be given its whole input. Whoever chooses the input could otherwise get past the guard. */
function mustBlock(end: CommandOutcome, { entry, isGate }: Pick<HandlerRun, 'entry' | 'isGate'>): boolean {
  if (end.outcome === 'input_too_large' || end.outcome === 'input_unclear') return isGate;
  const isUnfit = end.outcome === 'launch_failed' && UNFIT.has(end.code);
  return isUnfit && isGate && isGuard(entry);
}

/** Input that no command can be given. */
const UNFIT: ReadonlySet<string> = new Set(['nul_character', 'lone_surrogate', 'nested_too_deep', 'E2BIG']);

/** The turn goes on, and a missing guard would allow everything. */
const CLOSED = 'the settings that it comes from were closed';

/** Says what it means for an entry that its command did not end by itself. */
export function describeFailure(end: UnfinishedOutcome, timeoutMs: number): HandlerFailed {
  switch (end.outcome) {
    case 'timed_out':
      return {
        failure: { effect: 'onTimeout', why: `no answer within ${timeoutMs} ms` },
        outcome: 'timed_out',
        code: 'hook_timed_out',
      };
    case 'aborted':
      return {
        failure: { effect: 'onExit', why: 'it was ended from outside' },
        outcome: 'aborted',
        code: 'aborted',
      };
    case 'killed':
      return notRun('onExit', `its process was killed by ${end.signal}`);
    case 'not_found':
      return { ...notRun('onLaunchError', 'the command was not found (127)'), exitCode: 127 };
    case 'not_executable':
      return { ...notRun('onLaunchError', 'the command is not executable (126)'), exitCode: 126 };
    case 'bad_folder':
      return notRun('onLaunchError', 'the project folder cannot be entered (bad_folder)');
    case 'launch_failed':
      return notRun('onLaunchError', `it could not be started (${end.code})`);
    case 'input_too_large':
      return {
        ...notRun(
          'onLaunchError',
          `${end.variable}, which it names, is too large to be set (input_too_large)`,
        ),
        outcome: 'invalid_input',
        code: 'input_too_large',
      };
    case 'input_unclear':
      return notRun('onLaunchError', `${end.variable}, which it names, would have more than one value`);
  }
}

function notRun(effect: HandlerFailed['failure']['effect'], why: string): HandlerFailed {
  return { failure: { effect, why }, outcome: 'failed', code: 'hook_failed' };
}
