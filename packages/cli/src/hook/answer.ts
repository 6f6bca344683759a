import type { Output } from '@spec/agents';
import { stateFolder } from '../agent-state/places.ts';
import { noteHeartbeat, openSession } from '../agent-state/sessions.ts';
import { openAnsweringHooks } from './answer-event.ts';
import { type Called, findLimit, readCalled } from './called.ts';
import { readInput, readSession } from './read-input.ts';
import { answerUntrusted, describeFailure, refuse } from './refusals.ts';
import { startDaemon } from './start-daemon.ts';
import { startWatchdog } from './watchdog.ts';

/**
 * Answers one event of a coding agent: reads it from standard input, and prints what the agent understands. Prints nothing else, whatever the
 * hooks print: some agents take any text for an answer. Where the launcher looks for a daemon, one is started for the next event.
 */
export async function answerAgent(args: readonly string[]): Promise<void> {
  const called = readCalled(args);
  const limit = findLimit(called);
  const endWatch = startWatchdog(limit + 2_000);
  const write = silencePrints(called);
  const output = await answer(called, AbortSignal.timeout(limit)).catch((error: unknown) =>
    refuse(called, describeFailure(error)),
  );
  endWatch();
  write(output);
}

async function answer(called: Called, abortSignal: AbortSignal): Promise<Output> {
  const { agent, event, root } = called;
  process.chdir(root);
  const state = stateFolder(root);
  const input = await readInput(process.stdin as AsyncIterable<Buffer>);
  noteHeartbeat(state, agent.name, event);
  const opened = await openAnsweringHooks(called);
  const session = readSession(input);
  const memory = openSession(state, `${agent.name} ${session}`);
  if ('refusal' in opened) {
    const output = answerUntrusted(called, opened, memory);
    await memory.save();
    return output;
  }
  const output = await opened.answer({ event, input, session, memory, abortSignal });
  if (agent.events[event]?.moment !== 'session_end') startDaemon(called);
  await opened.close();
  return output;
}

/** Gives back what writes the answer. Nothing is written before or after it; a hook that ends the process gives no answer, whatever its exit code. */
function silencePrints({ isLaunched }: Called): (output: Output) => void {
  const { stdout, stderr } = process;
  const writeOut = stdout.write.bind(stdout);
  const writeError = stderr.write.bind(stderr);
  const swallow = (_: unknown, encoding?: unknown, done?: unknown): boolean => {
    const called = typeof encoding === 'function' ? encoding : done;
    if (typeof called === 'function') called();
    return true;
  };
  stdout.write = swallow;
  stderr.write = swallow;
  process.on('uncaughtException', () => {}).on('unhandledRejection', () => {});
  let isAnswered = false;
  process.on('exit', () => {
    if (!isAnswered) process.exitCode = 1;
  });
  return ({ stdout: text, stderr: objection, code }) => {
    isAnswered = true;
    // What hooks leave running ends here: the agent waits for this process.
    const end = (): never => process.exit(code);
    if (objection === '') writeOut(text, end);
    else (isLaunched ? writeOut : writeError)(objection, end);
  };
}
