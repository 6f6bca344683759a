import { fork } from 'node:child_process';
import { once } from 'node:events';

/**
 * Runs a module in a process of its own, and gives the one message that it sends.
 *
 * @param execArgv Flags of Node for the process. Default: those of this one.
 */
export async function inFreshProcess(
  module: URL,
  args: readonly string[],
  execArgv: readonly string[] = process.execArgv,
): Promise<unknown> {
  const child = fork(module, args, { execArgv: [...execArgv] });
  const [[figures], [code]] = await Promise.all([once(child, 'message'), once(child, 'exit')]);
  if (code !== 0) throw new Error(`the process that measures ended with ${String(code)}`);
  return figures;
}
