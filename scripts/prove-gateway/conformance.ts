import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Lab, nameTried } from './lab.ts';
import type { SeenRow } from './observed.ts';

/** Which checks of each scenario pass: `2 passed, 0 failed`. */
type Verdicts = ReadonlyMap<string, string>;

/** The official conformance tests of MCP, at a server alone and behind the gateway, as a process and at an address. */
export async function proveConformance(lab: Lab): Promise<readonly SeenRow[]> {
  const url = await lab.serve((port) => lab.makeServer('http', port));
  const [command, ...args] = lab.makeServer('stdio');
  const ways = {
    'a process': await serveGateway(lab, 'process', { command, args }),
    'at an address': await serveGateway(lab, 'address', { url }),
  };
  const alone = await judge(lab, url);
  const rows: SeenRow[] = [describe('the server alone', alone, alone)];
  for (const [way, address] of Object.entries(ways))
    rows.push(describe(`behind the gateway, the server ${way}`, await judge(lab, address), alone));
  return rows;
}

function serveGateway(lab: Lab, name: string, server: object): Promise<string> {
  return lab.serve((port) => lab.makeGateway(name, server, '--port', port));
}

function describe(title: string, verdicts: Verdicts, alone: Verdicts): SeenRow {
  const worse = [...alone].filter(([name, verdict]) => verdicts.get(name) !== verdict);
  const passed = [...verdicts.values()].filter((verdict) => verdict.endsWith(' 0 failed')).length;
  const named = worse.map(([name]) => `, other than alone: ${name} (${verdicts.get(name) ?? 'not judged'})`);
  return {
    title: `${nameTried('@modelcontextprotocol/conformance')}, ${title}`,
    seen: `${passed} of ${alone.size} scenarios pass${named.join('')}`,
    held: worse.length === 0 && alone.size > 0,
  };
}

async function judge({ node, programs, env }: Lab, url: string): Promise<Verdicts> {
  const program = join(programs, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
  const options = { cwd: programs, env, maxBuffer: 64 * 1024 * 1024 };
  // It ends with 1 where a scenario fails, and prints all the same.
  const { stdout } = await promisify(execFile)(node, [program, 'server', '--url', url], options).catch(
    (error: { stdout: string }) => error,
  );
  const lines = stdout.matchAll(/^\s*[✓✗]\s+([\w-]+): (\d+ passed, \d+ failed)/gm);
  return new Map(Array.from(lines, ([, name = '', verdict = '']) => [name, verdict]));
}
