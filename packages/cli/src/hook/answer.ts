import { spawn } from 'node:child_process';
import { Worker } from 'node:worker_threads';
import type { Output } from '@spec/agents';
import { stateFolder } from '../agent-state/places.ts';
import { noteHeartbeat, openSession } from '../agent-state/sessions.ts';
import { openAnsweringHooks } from './answer-event.ts';
import { type Called, findLimit, readCalled } from './called.ts';
import { readInput, readSession } from './read-input.ts';
import { answerUntrusted, describeFailure, refuse } from './refusals.ts';

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

/** Starts the daemon that answers the next events, where the launcher looks for one. It outlives this process and the agent. */
function startDaemon({ scope, root, socket }: Pick<Called, 'scope' | 'root' | 'socket'>): void {
  const [, program] = process.argv;
  if (socket === undefined || program === undefined) return;
  const place = scope === 'project' ? ['--root', root] : [];
  const child = spawn(process.execPath, [program, 'hook', '--serve', '--socket', socket, ...place], {
    ...{ cwd: root, detached: true, stdio: 'ignore' },
  });
  // Without a daemon every event is answered as this one.
  child.on('error', () => {});
  child.unref();
}

/**
 * Ends this process when it is not over in time, whatever runs in it: the launcher then answers in its place. A hook that never gives the
 * thread back stops every timer of this thread.
 *
 * @param limit milliseconds
 * @returns takes the watch off
 */
function startWatchdog(limit: number): () => void {
  const text = `setTimeout(() => process.kill(${process.pid}, 'SIGKILL'), ${limit});`;
  const worker = new Worker(text, { eval: true, stdout: true, stderr: true });
  worker.unref();
  return () => void worker.terminate();
}
