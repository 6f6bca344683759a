import { spawn } from 'node:child_process';
import { RunError } from '@spec/hooks';

const deadlineMs = 30_000;
const outputBytes = 8_388_608;

/**
 * Runs `spec-hooks` once more, in a process of its own, and gives the JSON that it prints: edited hooks count at once, and one that ends its
 * process or prints hits nobody.
 * @throws RunError `hook_failed` where it prints something else, or `hook_timed_out`
 */
export async function askCommand<Answer>(args: readonly string[], input = ''): Promise<Answer> {
  const { argv, execArgv, execPath } = process;
  const child = spawn(execPath, [...execArgv, argv[1] ?? '', ...args], {
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
  });
  const end = (): void => endGroup(child.pid);
  process.once('exit', end);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    end();
  }, deadlineMs);
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (output.length > outputBytes) end();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-2_000);
  });
  await new Promise((resolve) => child.once('close', resolve).once('error', resolve));
  clearTimeout(timer);
  process.off('exit', end);
  if (isLate)
    throw new RunError(
      'hook_timed_out',
      `The hooks of the project did not answer within ${deadlineMs / 1_000} s.`,
    );
  try {
    return JSON.parse(output) as Answer;
  } catch {
    throw new RunError('hook_failed', errors.trim() || 'The hooks of the project could not be loaded.');
  }
}

/** The process with all that it started. */
function endGroup(id: number | undefined): void {
  if (id === undefined) return;
  try {
    process.kill(-id, 'SIGKILL');
  } catch {
    // It is over.
  }
}
