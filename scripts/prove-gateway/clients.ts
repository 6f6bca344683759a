import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Lab, nameTried, type ServerCommand } from './lab.ts';
import type { SeenRow } from './observed.ts';

/** The programs of real clients, by the package that each is about. */
const clients = {
  'sdk.mjs': '@modelcontextprotocol/sdk',
  'ai-sdk.mjs': '@ai-sdk/mcp',
  'inspector.mjs': '@modelcontextprotocol/inspector',
  'langchain.mjs': '@langchain/mcp-adapters',
} as const;

/** What each client sees of a server that is a process, alone and behind the gateway. */
export async function proveClients(lab: Lab): Promise<readonly SeenRow[]> {
  const server = lab.makeServer('stdio');
  const [command, ...args] = server;
  const gateway = lab.makeGateway('clients', { command, args });
  const rows: SeenRow[] = [];
  for (const [file, name] of Object.entries(clients)) {
    const [alone, behind] = [await look(lab, file, server), await look(lab, file, gateway)];
    const other = Object.keys(alone).filter((key) => alone[key] !== behind[key]);
    rows.push({
      title: `client ${nameTried(name)}`,
      seen:
        other.length === 0
          ? `sees the same behind the gateway (${Object.keys(alone).length} requests)`
          : `sees another answer to ${other.join(', ')}`,
      held: other.length === 0,
    });
  }
  return rows;
}

/** What a client saw, as JSON by request. */
async function look(
  { node, programs, env }: Lab,
  file: string,
  server: ServerCommand,
): Promise<Readonly<Record<string, string>>> {
  const options = { cwd: programs, env, maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)(node, [join(programs, file), ...server], options);
  const seen: Readonly<Record<string, unknown>> = JSON.parse(stdout);
  return Object.fromEntries(Object.entries(seen).map(([key, value]) => [key, JSON.stringify(value)]));
}
