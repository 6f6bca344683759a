import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { everything, exploreCommand } from '../../packages/gateway/test/explore-everything.ts';
import { type Lab, nameTried, pythonTried, type ServerCommand } from './lab.ts';
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
    const program = [lab.node, join(lab.programs, file)] as const;
    const [alone, behind] = [await look(lab, program, server), await look(lab, program, gateway)];
    rows.push(compare(`client ${nameTried(name)}`, alone, behind));
  }
  const python = lab.makePython();
  if (python === undefined) {
    console.log('skipped: the client for Python (there is no python3 with venv)');
    return rows;
  }
  const program = [python, join(lab.programs, 'sdk.py')] as const;
  const [alone, behind] = [await look(lab, program, server), await look(lab, program, gateway)];
  return [...rows, compare(`client ${pythonTried}`, alone, behind)];
}

/** All that the SDK's client finds at the reference server that has everything. */
export async function proveEverything(lab: Lab): Promise<SeenRow> {
  const [command, ...args] = everything;
  const gateway = lab.makeGateway('everything', { command, args });
  const [alone, behind] = [await exploreCommand(everything, lab.env), await exploreCommand(gateway, lab.env)];
  const title = '`@modelcontextprotocol/server-everything` 2026.8.31, with the client of the SDK';
  return compare(title, writeEach(alone), writeEach(behind));
}

type Seen = Readonly<Record<string, string>>;

function compare(title: string, alone: Seen, behind: Seen): SeenRow {
  const other = Object.keys(alone).filter((key) => alone[key] !== behind[key]);
  const same = `sees the same behind the gateway (${Object.keys(alone).length} kinds of requests)`;
  const seen = other.length === 0 ? same : `sees another answer to ${other.join(', ')}`;
  return { title, seen, held: other.length === 0 };
}

function writeEach(seen: Readonly<Record<string, unknown>>): Seen {
  return Object.fromEntries(Object.entries(seen).map(([key, value]) => [key, JSON.stringify(value)]));
}

/** What a client saw, as JSON by request. @param program what runs it, and its file */
async function look(
  { programs, env }: Lab,
  [command, file]: readonly [string, string],
  server: ServerCommand,
): Promise<Seen> {
  const options = { cwd: programs, env, maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)(command, [file, ...server], options);
  return writeEach(JSON.parse(stdout));
}
