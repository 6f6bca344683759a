// Bundle: makes of a project's hooks what an agent loads where there is no Node. The program calls it; it changes no agent's configuration.

import type { Command } from 'commander';
import { exampleAfterError } from '../example-after-error.ts';
import { writeDetails } from '../help.ts';
import type { BundleFlags } from './run.ts';

const details = `
A mod is a plugin of Claude Code whose hooks run inside of it, without a process for each event. It has no Node: a module that needs
Node is refused by its name, and so are rules, triggers and settings files. "spec-hooks install claude-code" runs those.

The same hooks make the same files. Make them anew when the hooks change: the mod holds them as they were. It needs the package
esbuild, and code that you trust (spec-hooks trust).

Examples:
  $ spec-hooks bundle claude-mod                     into claude-mod; then claude --plugin-dir claude-mod
  $ spec-hooks bundle claude-mod --out mods/guards --force

Exit code: 0 made, 1 not, 2 wrong usage.`;

/** `spec-hooks bundle`: the hooks of a project as a mod of Claude Code. */
export function addBundleCommand(program: Command): void {
  program
    .command('bundle')
    .description('make a mod for Claude Code of the hooks here')
    .argument('<form>', 'claude-mod')
    .option('--out <folder>', 'where to write it', 'claude-mod')
    .option('--allow-partial <id...>', 'hooks that a mod may run in part, or never')
    .option('--force', 'write over files that are there')
    .showHelpAfterError(exampleAfterError('bundle claude-mod'))
    .addHelpText('after', writeDetails(details))
    .action(async (form: string, flags: BundleFlags) => {
      // Loaded here, so that --help does not wait for it.
      const { bundle } = await import('./run.ts');
      process.exitCode = await bundle(form, flags);
    });
}
