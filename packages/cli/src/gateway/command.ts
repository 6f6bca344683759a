// Gateway: stands before MCP servers, with the hooks of a project or a person. A client of MCP starts it; it changes no file but what it keeps of servers.

import type { Command } from 'commander';
import { exampleAfterError } from '../example-after-error.ts';
import { writeDetails } from '../help.ts';
import type { GatewayFlags } from './run.ts';

const details = `
Starts the MCP servers that FILE names in "mcpServers", as clients do, and serves a client in their place. Each call, resource and
prompt passes the hooks, and "spec-hooks log" shows what they did. Tools that a server changes or adds are held back: spec-hooks
trust --tools.

FILE is JSON, with or without comments; \${NAME} in it stands for a variable:
  { "mcpServers": { "github": { "command": "github-mcp", "env": { "TOKEN": "\${TOKEN}" } },
                    "wiki": { "url": "https://wiki.example/mcp" } },
    "limits": { "call": "2m" }, "allowPartial": ["redact_message"], "firstUse": "hold" }

Examples:
  $ spec-hooks gateway --config gateway.json
  $ spec-hooks gateway --config gateway.json --port 8931     over HTTP
  $ spec-hooks gateway --login https://wiki.example/mcp      at a server

Exit code: 0 the client has gone, 1 the hooks must not run or a login failed, 2 wrong usage.`;

/** `spec-hooks gateway`: an MCP server before others. */
export function addGatewayCommand(program: Command): void {
  program
    .command('gateway')
    .description('stand before MCP servers, with every call through the hooks')
    .argument('[command...]', 'behind --, the command of one server')
    .option('--config <file>', 'the file with the servers')
    .option('--name <server>', 'what the one server is called')
    .option('--client <name>', 'the client whose configuration names the one server')
    .option('--root <folder>', 'the folder of the project whose hooks run (default: that of the file)')
    .option('--user', 'your own hooks')
    .option('--login <address>', 'log in at a server with a browser (OAuth)')
    .option('--logout <address>', 'forget that login')
    .option('--port <number>', 'serve over HTTP on this port of 127.0.0.1; 0 takes a free one')
    .addHelpText('after', writeDetails(details))
    .showHelpAfterError(exampleAfterError('gateway --config gateway.json'))
    .action(async (command: string[], flags: GatewayFlags) => {
      // Loaded here, so that --help does not wait for it.
      const { runGateway } = await import('./run.ts');
      process.exitCode = await runGateway(command, flags);
    });
}
