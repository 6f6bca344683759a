import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { rotated, type Series } from '../measure.ts';
import { inFolder } from '../scratch.ts';
import type { Answer, Request } from './child.ts';
import type { Synchronous } from './contender.ts';

/** Who runs what, by the names that the figures have. */
export type Runs = Readonly<Record<string, Run>>;

export interface Run {
  /** The contender's module. */
  readonly module: URL;
  readonly length: number;
  readonly synchronous: Synchronous;
  /** How many threads have a turn at the same time. Default 1. */
  readonly atOnce?: number;
}

export interface RaceOptions {
  /** Default 15. */
  readonly rounds?: number;
  /** What each gets in a round; a turn that has begun is always finished. Default 150. */
  readonly milliseconds?: number;
  readonly warmUp?: Request;
  /** Flags of Node for the processes. Default: those of this one. */
  readonly execArgv?: readonly string[];
}

/**
 * What is run first, without waiting for a disk: until the compiler has seen enough of everything, a turn of a large program takes
 * several times as long.
 */
const thousandsOfTurns: Request = { length: 100, synchronous: 'NORMAL', milliseconds: 8_000, enough: 4_000 };

/**
 * Lets contenders run turns one after another, each in a process of its own, so that neither memory nor imports of one disturb
 * another.
 *
 * @returns turns a second, for each and round
 */
export function race(
  runs: Runs,
  {
    rounds = 15,
    milliseconds = 150,
    warmUp = thousandsOfTurns,
    execArgv = process.execArgv,
  }: RaceOptions = {},
): Promise<Series> {
  return inFolder(async (folder) => {
    const runners = Object.entries(runs).map(([name, run], at) =>
      start({ name, run, execArgv }, join(folder, `${at}`)),
    );
    try {
      for (const runner of runners) await ask(runner, warmUp);
      for (const runner of runners) await ask(runner, { ...runner.run, milliseconds });
      for (let round = 0; round < rounds; round++) {
        for (const runner of rotated(runners, round))
          runner.figures.push(await ask(runner, { ...runner.run, milliseconds }));
      }
      return Object.fromEntries(runners.map(({ name, figures }) => [name, figures]));
    } finally {
      await Promise.all(runners.map(end));
    }
  });
}

interface Runner {
  readonly name: string;
  readonly run: Omit<Request, 'milliseconds'>;
  readonly process: ChildProcess;
  readonly figures: number[];
}

interface Start extends Pick<Runner, 'name'> {
  readonly run: Run;
  readonly execArgv: readonly string[];
}

function start({ name, run: { module, ...run }, execArgv }: Start, folder: string): Runner {
  mkdirSync(folder);
  const flags = { execArgv: [...execArgv] };
  const child = fork(new URL('./child.ts', import.meta.url), [module.href, folder], flags);
  return { name, run, process: child, figures: [] };
}

async function ask({ name, process }: Runner, request: Request): Promise<number> {
  process.send(request);
  const answer = await waitForAnswer(process);
  if ('turnsPerSecond' in answer) return answer.turnsPerSecond;
  throw new Error(`${name} did not finish its turns: ${answer.error}`);
}

async function waitForAnswer(process: ChildProcess): Promise<Answer> {
  const over = new AbortController();
  const { signal } = over;
  const answered = once(process, 'message', { signal }).then(([answer]) => answer as Answer);
  const ended = once(process, 'exit', { signal }).then(([code]) => ({
    error: `its process ended with ${String(code)}`,
  }));
  ended.catch(() => {}); // Nobody waits for it any more.
  try {
    return await Promise.race([answered, ended]);
  } finally {
    over.abort();
  }
}

async function end({ process }: Runner): Promise<void> {
  if (process.exitCode !== null || process.signalCode !== null) return;
  const ended = once(process, 'exit');
  if (process.connected) process.send('close');
  else process.kill();
  await ended;
}
