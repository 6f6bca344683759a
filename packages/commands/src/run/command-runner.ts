import { checkOptionNames, DefinitionError, onAbort } from '@spec/hooks';
import type { CommandResult, CommandStart } from './command.ts';
import { runUntil } from './run-command.ts';
import { sweep } from './sweep.ts';

/** Commands that end together, such as those of one session. */
export interface CommandRunner {
  /**
   * Runs a command as {@link runCommand} does, once there is room for it. Its time begins then. One that is aborted while it waits does not
   * start; after `close` every one is `aborted`.
   */
  run(start: CommandStart): Promise<CommandResult>;
  /** Ends all commands of this runner, even those that nobody awaits. Settles when they and their leftovers are gone. */
  close(): Promise<void>;
}

export interface CommandRunnerOptions {
  /** The most commands that run at the same time; others wait in order. Default 64. */
  readonly maxConcurrent?: number;
}

/** Creates a runner. @throws {DefinitionError} `bad_option` if `maxConcurrent` is not a whole number from 1 on */
export function createCommandRunner(options: CommandRunnerOptions = {}): CommandRunner {
  checkOptionNames('createCommandRunner', options, { maxConcurrent: true });
  const { maxConcurrent = 64 } = options;
  if (!Number.isInteger(maxConcurrent) || maxConcurrent < 1) {
    throw new DefinitionError(
      'bad_option',
      'maxConcurrent of a command runner must be a whole number from 1 on',
    );
  }
  const closing = new AbortController();
  const waiting = new Set<() => void>();
  const running = new Set<Promise<CommandResult>>();

  function begin(start: CommandStart): Promise<CommandResult> {
    const run = runUntil(start, closing.signal);
    running.add(run);
    return run.finally(() => {
      running.delete(run);
      const [next] = waiting;
      if (running.size < maxConcurrent) next?.();
    });
  }
  function wait(start: CommandStart): Promise<CommandResult> {
    return new Promise((resolve) => {
      const next = () => {
        waiting.delete(next);
        forget();
        resolve(begin(start));
      };
      const forget = onAbort(start.signal, next);
      waiting.add(next);
    });
  }

  return {
    run: (start) => (running.size < maxConcurrent || start.signal?.aborted ? begin(start) : wait(start)),
    async close() {
      closing.abort();
      for (const next of waiting) next();
      await Promise.all(running);
      await sweep();
    },
  };
}
