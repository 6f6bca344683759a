// Install: the commands that put hooks into agents and gateways before MCP servers, take them out, and show them. The program calls it; it does nothing itself.

import type { Command } from 'commander';
import type { InstallFlags } from '../agents/install.ts';
import type { AgentsFlags } from '../agents/list.ts';
import { exampleAfterError } from '../example-after-error.ts';
import { writeDetails } from '../help.ts';

const installDetails = `
It adds an entry for each event to the agent's configuration and leaves everything else in the file as it is. The change is shown
before it is made. Install again after an update: what is there already stays.

The hooks run only after "spec-hooks trust". A hook that an agent cannot run as documented is refused with the reason, unless
--allow-partial names it.

Agents: claude-code, codex, gemini, qwen, cursor, copilot, opencode, pi. "spec-hooks agents NAME" shows what one can do.
With --gateway: claude-desktop, cursor, vscode, codex. "uninstall --gateway" puts their MCP servers back, byte for byte.

Examples:
  $ spec-hooks install claude-code                    for this project
  $ spec-hooks install codex --user                   your own hooks, in every project
  $ spec-hooks install gemini --allow-partial notify  although "notify" runs there in part
  $ spec-hooks install cursor --gateway --dry-run     what would change in .cursor/mcp.json

Exit code: 0 installed, 1 not, or none of it runs yet, 2 wrong usage.`;

const uninstallDetails = `
Examples:
  $ spec-hooks uninstall codex          from this project
  $ spec-hooks uninstall                from all agents of this project
  $ spec-hooks uninstall codex --user   your own hooks
  $ spec-hooks uninstall cursor --gateway   its MCP servers are started by it again

Exit code: 0 they are not there any more, 1 not, 2 wrong usage.`;

const agentsDetails = `
Agents skip hooks that nobody has reviewed, or that they cannot read, without a word. So each event that reaches the hooks is noted:
an agent that has told of nothing yet may not have loaded them.

Examples:
  $ spec-hooks agents         where the hooks run, and when each agent last told of something
  $ spec-hooks agents codex   what Codex does with each hook

With --json:
  { "installed": [{ "agent", "scope": "project" | "user", "file", "lastEvent", "lastAt", "trusted": boolean }],
    "agents": [{ "name", "title", "version", "date", "how": "observed" | "read", "hooks": { … }, "limits": [string] }] }

Exit code: 0 all that are installed have told of something, 1 one has not, or is not trusted, 2 wrong usage.`;

/** `spec-hooks install`, `uninstall` and `agents`: the hooks in coding agents. */
export function addAgentCommands(program: Command): void {
  addPlace(program.command('install'))
    .description('run the hooks in a coding agent, such as Claude Code or Codex')
    .argument(
      '<agent>',
      'claude-code, codex, gemini, qwen, cursor, copilot, opencode or pi; with --gateway a client of MCP',
    )
    .option('--allow-partial <id...>', 'hooks that the agent may run in part, or never')
    .option('--gateway', 'lead the MCP servers of a client through the gateway')
    .addHelpText('after', writeDetails(installDetails))
    .showHelpAfterError(exampleAfterError('install codex'))
    .action(async (agent: string, flags: InstallFlags) => {
      // Loaded here, so that --help does not wait for it.
      const { installGateway } = await import('../mcp-clients/install.ts');
      const { install } = await import('../agents/install.ts');
      process.exitCode = await (flags.gateway === true ? installGateway : install)(agent, flags);
    });
  addPlace(program.command('uninstall'))
    .description('take the hooks out of a coding agent')
    .argument('[agent]', 'the agent (default: all of them); with --gateway a client of MCP')
    .option('--gateway', 'put the MCP servers of a client back as they were')
    .addHelpText('after', writeDetails(uninstallDetails))
    .action(async (agent: string | undefined, flags: InstallFlags) => {
      const { uninstallGateway } = await import('../mcp-clients/install.ts');
      const { uninstall } = await import('../agents/install.ts');
      process.exitCode = await (flags.gateway === true
        ? uninstallGateway(agent, flags)
        : uninstall(agent, flags));
    });
  program
    .command('agents')
    .description('show which coding agents run the hooks, and what each can do')
    .argument('[agent]', 'one agent, with what it does with each hook')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', writeDetails(agentsDetails))
    .action(async (agent: string | undefined, flags: AgentsFlags) => {
      const { listAgents } = await import('../agents/list.ts');
      process.exitCode = await listAgents(agent, flags);
    });
}

function addPlace(command: Command): Command {
  return command
    .option('--project', 'for the project here, in files that it can share (default)')
    .option('--user', 'your own hooks, in every project')
    .option('--yes', 'change the file without being asked')
    .option('--dry-run', 'show the change, and make none');
}
