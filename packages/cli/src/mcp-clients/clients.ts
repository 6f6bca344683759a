import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { DefinitionError, nearest } from '@spec/hooks';
import type { HookScope } from '../agent-state/places.ts';

/** A client of MCP whose configuration can be led through the gateway. */
export interface McpClient {
  /** As it is typed: `cursor`. */
  readonly name: string;
  readonly title: string;
  readonly format: 'json' | 'toml';
  /** The field with the servers. */
  readonly field: string;
  /** Relative to the project; absent if the client has servers of the person alone. */
  readonly project?: string;
  /** Absolute. */
  readonly user: () => string;
}

/** The folder in which programs keep a person's configuration on this system. */
function appFolder(): string {
  if (process.platform === 'darwin') return join(homedir(), 'Library/Application Support');
  const given = process.platform === 'win32' ? process.env.APPDATA : process.env.XDG_CONFIG_HOME;
  return given !== undefined && isAbsolute(given) ? given : join(homedir(), '.config');
}

function codexHome(): string {
  const { CODEX_HOME = '' } = process.env;
  return isAbsolute(CODEX_HOME) ? CODEX_HOME : join(homedir(), '.codex');
}

/** All clients, as their documentation says on 2026-11-25. */
const clients: readonly McpClient[] = [
  {
    ...{ name: 'claude-desktop', title: 'Claude Desktop', format: 'json', field: 'mcpServers' },
    user: () => join(appFolder(), 'Claude/claude_desktop_config.json'),
  },
  {
    ...{ name: 'cursor', title: 'Cursor', format: 'json', field: 'mcpServers', project: '.cursor/mcp.json' },
    user: () => join(homedir(), '.cursor/mcp.json'),
  },
  {
    ...{ name: 'vscode', title: 'VS Code', format: 'json', field: 'servers', project: '.vscode/mcp.json' },
    user: () => join(appFolder(), 'Code/User/mcp.json'),
  },
  {
    ...{ name: 'codex', title: 'Codex', format: 'toml', field: 'mcp_servers', project: '.codex/config.toml' },
    user: () => join(codexHome(), 'config.toml'),
  },
];

/**
 * Finds a client by its name.
 *
 * @throws {DefinitionError} `unknown_id`, with the nearest name
 */
export function findClient(name: string): McpClient {
  const found = clients.find((client) => client.name === name);
  if (found !== undefined) return found;
  const names = clients.map((client) => client.name);
  const meant = nearest(name, names);
  const hint = meant === undefined ? `There are: ${names.join(', ')}.` : `Did you mean "${meant}"?`;
  throw new DefinitionError('unknown_id', `There is no client of MCP "${name}". ${hint}`);
}

/** The file of a client, and whose hooks run: of the project if it can have servers, unless a person says otherwise. */
export function findClientFile(
  client: McpClient,
  wanted: HookScope | undefined,
): { readonly file: string; readonly scope: HookScope } {
  const scope = wanted ?? (client.project === undefined ? 'user' : 'project');
  if (scope === 'user') return { file: client.user(), scope };
  if (client.project === undefined)
    throw new DefinitionError('bad_option', `${client.title} has servers of a person alone: use --user.`);
  return { file: join(process.cwd(), client.project), scope };
}
