// New: writes a hook and its test. `spec-hooks new` calls it, and `init` its templates; it never writes over a file unless it is forced to.

import { type Command, Option } from 'commander';
import { exampleAfterError } from '../example-after-error.ts';
import { writeDetails } from '../help.ts';
import type { NewFlags } from './run.ts';

const details = `
Examples:
  $ spec-hooks new before_tool_call deny_force_push   hooks/deny-force-push.ts and its test
  $ spec-hooks new filter_messages last_20 --dir policies

With --json: { "hook", "id", "files": [string] }

Exit code: 0 written, 1 a file is there already or the id is taken, 2 wrong usage.`;

/** `spec-hooks new`: a hook with its test. */
export function addNewCommand(program: Command): void {
  program
    .command('new')
    .description('write a typed hook and its test')
    .argument('<hook>', 'when it runs, such as before_tool_call: see docs/hooks-reference.md')
    .argument('<id>', 'its name, snake_case and unique')
    .option('--dir <folder>', 'where to write it (default: the hooks folder of hooks.config.ts, else hooks)')
    .addOption(
      new Option(
        '--test <runner>',
        'who runs the test (default: vitest where package.json names it)',
      ).choices(['vitest', 'node']),
    )
    .option('--force', 'write over files that are there')
    .option('--json', 'print the result as JSON')
    .showHelpAfterError(exampleAfterError('new before_tool_call deny_force_push'))
    .addHelpText('after', writeDetails(details))
    .action(async (hook: string, id: string, flags: NewFlags) => {
      // Loaded here, so that --help does not wait for it.
      const { newHook } = await import('./run.ts');
      process.exitCode = await newHook(hook, id, flags);
    });
}
