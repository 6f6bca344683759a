import { Command } from 'commander';
import { addConformCommand } from './conform/command.ts';
import { addReplayCommand } from './replay/command.ts';
import { version } from './version.ts';

/** The command table: all commands with their arguments, options and examples. To add one, add it here. */
export function createProgram(): Command {
  const program = new Command('spec-hooks')
    .description('See, check and replay hooks of AI agents.')
    .version(version, '-v, --version')
    .option('--debug', 'print stack traces')
    .exitOverride()
    .showHelpAfterError('(add --help for usage)');
  addReplayCommand(program);
  addConformCommand(program);
  return program;
}
