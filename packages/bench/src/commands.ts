import { spawn } from 'node:child_process';
import { type CommandStart, runCommand } from '@spec/commands';
import type { Bench } from './bench.ts';
import { measure } from './measure.ts';

/** A hook as people have them: it reads its input, and answers with an object. */
const COMMAND = 'cat >/dev/null; echo "{}"';
const PAYLOAD = JSON.stringify({
  session_id: 'bench',
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command: 'git status' },
});
const AT_ONCE = 50;

const BARE = 'child_process.spawn';
const DETACHED = 'child_process.spawn, detached';
const GROUP = 'a command hook';
const NAMESPACE = 'a command hook in a namespace';

const BUSY =
  'A process group of Node is a session of its own. Linux schedules sessions apart, so on a busy machine each waits for its first turn: compare with the detached spawn there.';

export const commandsInTurn: Bench = commands(
  'commands-in-turn',
  'command hooks one after another, beside a bare spawn of the same command',
  1,
);
export const commandsAtOnce: Bench = commands(
  'commands-at-once',
  `${AT_ONCE} command hooks at once, beside as many bare spawns of the same command`,
  AT_ONCE,
);

/** What it costs that a command ends, with whatever it started, beside a spawn that only waits for its pipes to close. */
function commands(name: string, about: string, atOnce: number): Bench {
  const times = (run: () => Promise<unknown>) => () => Promise.all(Array.from({ length: atOnce }, run));
  return {
    name,
    about,
    unit: 'ns',
    comparisons: [
      { of: GROUP, against: BARE, atMost: 1.3 },
      { of: GROUP, against: DETACHED },
      { of: NAMESPACE, against: BARE, atMost: 3.5 },
    ],
    notes: [BUSY, ...(atOnce === 1 ? [] : [`The figures are of ${atOnce} commands together.`])],
    async run() {
      await ran('namespace');
      const contenders = {
        [BARE]: times(() => bare(false)),
        [DETACHED]: times(() => bare(true)),
        [GROUP]: times(() => ran('group')),
        [NAMESPACE]: times(() => ran('namespace')),
      };
      return measure(contenders, { batch: 1, rounds: 15, time: atOnce === 1 ? 150 : 300 });
    },
  };
}

function bare(detached: boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', COMMAND], { cwd: '/', detached });
    const output: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => output.push(chunk));
    child.on('error', reject);
    child.on('close', () => resolve(Buffer.concat(output).toString()));
    child.stdin.end(PAYLOAD);
  });
}

async function ran(isolate: 'group' | 'namespace'): Promise<void> {
  const start: CommandStart = {
    command: COMMAND,
    cwd: '/',
    env: { CLAUDE_PROJECT_DIR: '/' },
    payload: PAYLOAD,
    isGate: true,
    timeoutMs: 60_000,
    isolate,
  };
  const { outcome } = await runCommand(start);
  if (outcome !== 'exited') throw new Error(`the command of the bench ended as ${outcome}`);
}
