// Init: writes the first files of a project. `spec-hooks init` calls it; it never writes over a file unless it is forced to.

import { type Command, Option } from 'commander';
import { writeDetails } from '../help.ts';
import type { InitFlags } from './run.ts';

const details = `
What is written: hooks.config.ts, which names the settings files that are there; hooks/limit-to-20-messages.ts, a first hook; its test, and
its case for "spec-hooks test"; and tsconfig.json where there is none. Modules are called .mts where package.json does not say
"type": "module".

Examples:
  $ spec-hooks init              in the working folder
  $ spec-hooks init my-agent     in another

With --json: { "files": [string] }

Exit code: 0 written, 1 a file is there already, 2 wrong usage.`;

/** `spec-hooks init`: a project with one hook. */
export function addInitCommand(program: Command): void {
  program
    .command('init')
    .description('write a configuration, a first hook, its test and its case')
    .argument('[folder]', 'where to write them', '.')
    .addOption(
      new Option(
        '--test <runner>',
        'who runs the test (default: vitest where package.json names it)',
      ).choices(['vitest', 'node']),
    )
    .option('--force', 'write over files that are there')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', writeDetails(details))
    .action(async (folder: string, flags: InitFlags) => {
      // Loaded here, so that --help does not wait for it.
      const { init } = await import('./run.ts');
      process.exitCode = await init(folder, flags);
    });
}
