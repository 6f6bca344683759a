import { Command } from 'commander';
import { addBundleCommand } from './bundle/command.ts';
import { addCheckCommand } from './check/command.ts';
import { addCompletionCommand } from './completion/command.ts';
import { addConformCommand } from './conform/command.ts';
import { addConvertCommand } from './convert/command.ts';
import { addExplainCommand } from './explain/command.ts';
import { addGatewayCommand } from './gateway/command.ts';
import { writeDetails } from './help.ts';
import { addHookCommand } from './hook/command.ts';
import { addInitCommand } from './init/command.ts';
import { addInspectCommand } from './inspect/command.ts';
import { addAgentCommands } from './install/command.ts';
import { addListCommand } from './list/command.ts';
import { addLogCommand } from './log/command.ts';
import { addNewCommand } from './new/command.ts';
import { addReplayCommand } from './replay/command.ts';
import { addRunCommand } from './run/command.ts';
import { addStatsCommand } from './stats/command.ts';
import { addStatusCommand } from './status/command.ts';
import { addStoreCommands } from './store/command.ts';
import { addTestCommand } from './test/command.ts';
import { addTrustCommand } from './trust/command.ts';
import { version } from './version.ts';

const details = `
Examples:
  $ spec-hooks init                          a configuration, a first hook and its test
  $ spec-hooks replay ~/.claude/projects     what hooks would have done
  $ spec-hooks check                         what is wrong with the hooks here

spec-hooks <command> --help has examples, spec-hooks help <command> all of it.`;

/** The command table: all commands with their arguments, options and examples. To add one, add it here. */
export function createProgram(): Command {
  const program = new Command('spec-hooks')
    .description('See, check, explain, try and replay hooks of AI agents.')
    .version(version, '-v, --version')
    .option('--debug', 'print stack traces')
    .addHelpText('after', writeDetails(details))
    .exitOverride()
    .showHelpAfterError('(add --help for usage)');
  addInitCommand(program);
  addNewCommand(program);
  addListCommand(program);
  addStatusCommand(program);
  addCheckCommand(program);
  addTrustCommand(program);
  addAgentCommands(program);
  addBundleCommand(program);
  addHookCommand(program);
  addGatewayCommand(program);
  addConvertCommand(program);
  addReplayCommand(program);
  addConformCommand(program);
  addRunCommand(program);
  addExplainCommand(program);
  addTestCommand(program);
  addLogCommand(program);
  addStatsCommand(program);
  addInspectCommand(program);
  addStoreCommands(program);
  addCompletionCommand(program);
  return program;
}
