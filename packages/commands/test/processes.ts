import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CommandStart } from '../src/run/run-command.ts';

/** A command with a mark of the test's own, by which its processes are found, whatever became of them. */
export function marked(
  command: string,
  more: Partial<CommandStart> = {},
): { start: CommandStart; processes(): number[] } {
  const mark = randomUUID();
  const start: CommandStart = {
    command,
    cwd: '/',
    payload: '{}',
    isGate: false,
    timeoutMs: 5_000,
    ...more,
    env: { TEST_MARK: mark, ...more.env },
  };
  return { start, processes: () => processesWith(mark) };
}

/** Whether this system lets us have process namespaces; prints the reason for tests that are skipped. */
export function namespacesAllowed(): boolean {
  const { status } = spawnSync('unshare', ['--user', '--map-current-user', '--pid', '--fork', 'true']);
  if (status !== 0) console.log('namespaces are not tested: the system refuses them here');
  return status === 0;
}

/** The ids of the living processes whose environment or command line holds a text. */
export function processesWith(text: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((id) => Number.isInteger(id) && (holds(id, 'environ', text) || holds(id, 'cmdline', text)));
}

function holds(id: number, file: string, text: string): boolean {
  try {
    return readFileSync(`/proc/${id}/${file}`).includes(text);
  } catch {
    return false;
  }
}

/** Waits until something holds, on a busy machine too, but not for as long as what the tests start sleeps; tells whether it did. */
export async function within(holds: () => boolean): Promise<boolean> {
  const until = performance.now() + 20_000;
  while (!holds()) {
    if (performance.now() > until) return false;
    await sleep(10);
  }
  return true;
}
