// Completion: writes what a shell needs to complete the command. `spec-hooks completion` calls it; it never reads the project.

import { Argument, type Command } from 'commander';
import { exampleAfterError } from '../example-after-error.ts';
import { writeDetails } from '../help.ts';

const details = `
Examples:
  $ spec-hooks completion bash >> ~/.bashrc
  $ spec-hooks completion zsh > "\${fpath[1]}/_spec-hooks"
  $ spec-hooks completion fish > ~/.config/fish/completions/spec-hooks.fish

Exit code: 0 written, 2 wrong usage.`;

/** `spec-hooks completion`: what shells need to complete commands, options and files. */
export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .description('write a completion script for a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish']))
    .showHelpAfterError(exampleAfterError('completion bash'))
    .addHelpText('after', writeDetails(details))
    .action(async (shell: 'bash' | 'zsh' | 'fish') => {
      // Loaded here, so that --help does not wait for it.
      const { completion } = await import('./run.ts');
      await completion(program, shell);
    });
}
