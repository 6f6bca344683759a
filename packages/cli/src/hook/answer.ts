import { isAbsolute } from 'node:path';
import { parseArgs } from 'node:util';
import { type Agent, findAgent, type Output, refuseEvent } from '@spec/agents';
import { DefinitionError } from '@spec/hooks';
import { type HookScope, ownFolder, stateFolder } from '../agent-state/places.ts';
import { type KeptSession, noteHeartbeat, openSession } from '../agent-state/sessions.ts';
import { type SpooledRun, spoolEvent } from '../agent-state/spool.ts';
import { noteGuards, readLocalFile } from './local-file.ts';
import { openHooks, settingsFolder, type UntrustedCode } from './open-hooks.ts';
import { startWatchdog } from './watchdog.ts';

/** How long an agent's hook command may take, in milliseconds: well below what the agent waits. */
const DEADLINE = 25_000;

/** More than any agent sends: a tool's input with a large file in it. */
const MAX_BYTES = 33_554_432;

/** What `spec-hooks hook` is called with. */
interface Called {
  readonly agent: Agent;
  readonly event: string;
  readonly scope: HookScope;
  /** Absolute. */
  readonly root: string;
  /** Whether a launcher reads standard output alone: it writes an objection where the agent reads it. */
  readonly isLaunched: boolean;
}

/**
 * Answers one event of a coding agent: reads it from standard input, and prints what the agent understands. Prints nothing else, whatever the
 * hooks print: some agents take any text for an answer.
 */
export async function answerAgent(args: readonly string[]): Promise<void> {
  const called = readCalled(args);
  const { agent, event } = called;
  const { seconds } = agent.events[event] ?? {};
  const limit = seconds === undefined ? DEADLINE : seconds * 800;
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
  const state = stateFolder(root);
  const input = await readInput();
  noteHeartbeat(state, agent.name, event);
  const runs: SpooledRun[] = [];
  const opened = await openHooks(called, (run) => runs.push({ ...run, at: Date.now() * 1000 + runs.length }));
  const session = readSession(input);
  const memory = openSession(state, `${agent.name} ${session}`);
  try {
    if ('refusal' in opened) return answerUntrusted(called, opened, memory);
    noteGuards(settingsFolder(called.scope, root), agent.name, opened.host.guardedEvents);
    const output = await opened.host.answer({ event, input, memory, abortSignal });
    await opened.close();
    return output;
  } finally {
    spoolEvent(state, { agent: agent.name, session, runs });
    memory.save();
  }
}

const silence: Output = { stdout: '', stderr: '', code: 0 };

/** Hooks that cannot be asked deny what they guarded when they last ran; where that is not known, all that can be guarded. */
function refuse({ agent, event, scope, root }: Called, why: string): Output {
  const guards = readLocalFile(settingsFolder(scope, root))?.guards[agent.name];
  return guards === undefined || guards.includes(event) ? refuseEvent(agent, event, why) : silence;
}

/** Code that nobody has trusted guards nothing yet, and the session is told once. Code that has changed guarded, and what it guarded is denied. */
function answerUntrusted(called: Called, { refusal, subject }: UntrustedCode, memory: KeptSession): Output {
  const { agent, event } = called;
  const look = `A person can look at it with: spec-hooks trust ${subject}`;
  if (refusal === 'changed')
    return refuse(called, `The code of the hooks has changed since it was trusted. ${look}.`);
  const row = agent.events[event];
  if (memory.told || row === undefined || !tellingMoments.has(row.moment)) return silence;
  memory.told = true;
  const untold = `The hooks of this project do not run: nobody on this machine has trusted their code. ${look}`;
  return row.write({ context: untold, userMessage: untold }, event);
}

/** When an agent passes on what it is told. */
const tellingMoments: ReadonlySet<string> = new Set(['session_start', 'prompt']);

function readCalled(args: readonly string[]): Called {
  const { values } = parseArgs({
    args: [...args],
    options: {
      agent: { type: 'string' },
      event: { type: 'string' },
      root: { type: 'string' },
      launcher: { type: 'boolean', default: false },
    },
  });
  const { agent = '', event = '', root, launcher: isLaunched } = values;
  const found = findAgent(agent);
  if (!Object.hasOwn(found.events, event))
    throw new DefinitionError(
      'bad_option',
      `${found.title} has no event "${event}" that hooks are for. It has: ${Object.keys(found.events).join(', ')}.`,
    );
  if (root === undefined) return { agent: found, event, scope: 'user', root: ownFolder(), isLaunched };
  if (!isAbsolute(root)) throw new DefinitionError('bad_option', '--root must be an absolute path.');
  return { agent: found, event, scope: 'project', root, isLaunched };
}

async function readInput(): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= MAX_BYTES) chunks.push(chunk); // Read to its end: an agent that cannot write fails its hook.
  }
  return length > MAX_BYTES ? '' : Buffer.concat(chunks).toString('utf8');
}

const SESSION = /"session_id"\s*:\s*"([^"\\]{1,200})"/;

/** Without parsing it: that is the host's, and tells what is wrong. */
function readSession(input: string): string {
  return SESSION.exec(input)?.[1] ?? '';
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

function describeFailure(error: unknown): string {
  return error instanceof DefinitionError ? error.message : 'The hooks could not be loaded.';
}
