import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const servers = join(import.meta.dirname, '../../gateway/test/servers');
const main = join(import.meta.dirname, '../dist/main.mjs');

/** Something that goes wrong behind the gateway, as it is built. */
export interface Fault {
  readonly title: string;
  /** Gives `held`, or what was seen instead. */
  readonly run: () => Promise<string>;
}

/** The ways of `malicious.mjs`, and what the client hears of a call. */
const ways: Readonly<Record<string, RegExp>> = {
  huge: /ended while harm ran|did not answer in time/,
  slow: /did not answer in time, while harm ran/,
  'wrong ids': /did not answer in time, while harm ran/,
  garbage: /did not answer in time, while harm ran/,
  flood: /ended while harm ran|did not answer in time/,
  'changing lists': /done/,
};

/** All faults: each takes a gateway of its own, some seconds. */
export const gatewayFaults: readonly Fault[] = [
  { title: 'a server is killed (`kill -9`) in a call', run: killInCall },
  { title: 'a hundred calls at once', run: callHundredTimes },
  ...Object.entries(ways).map(([way, told]) => ({
    title: `a malicious server: ${way}`,
    run: () => withGateway({ bad: ['malicious.mjs', way] }, (client) => harm(client, told)),
  })),
];

/** What harms its own call does no harm to the calls of another server, before and after. */
async function harm(client: Client, told: RegExp): Promise<string> {
  const [bad, good] = await Promise.all([callTool(client, 'harm'), callTool(client, 'test_simple_text')]);
  if (!told.test(bad)) return `the call gave: ${bad}`;
  const later = await callTool(client, 'test_simple_text');
  const isGood = [good, later].every((text) => text.includes('This is a simple text response'));
  return isGood ? 'held' : `the call of the other server gave: ${good}, and later ${later}`;
}

async function killInCall(): Promise<string> {
  return withGateway({}, async (client, folder) => {
    const waiting = callTool(client, 'wait', ({ progress }) => process.kill(progress, 'SIGKILL'));
    const other = await callTool(client, 'test_simple_text');
    const killed = await waiting;
    if (!killed.includes('whether the call took effect is unknown')) return `the call gave: ${killed}`;
    const again = await callTool(client, 'pid');
    const isThere = /\d/.test(again) && other.includes('This is a simple text response');
    return isThere ? 'held' : `in ${folder}, the next calls gave: ${again}, ${other}`;
  });
}

async function callHundredTimes(): Promise<string> {
  return withGateway({}, async (client) => {
    const ids = Array.from({ length: 100 }, (_, n) => String(n));
    const results = await Promise.all(
      ids.map((arg1) =>
        client.getPrompt({ name: 'test_prompt_with_arguments', arguments: { arg1, arg2: '' } }),
      ),
    );
    const wrong = ids.filter((id, at) => !JSON.stringify(results[at]).includes(`arg1='${id}'`));
    const calls = await Promise.all(ids.map(() => callTool(client, 'test_simple_text')));
    const lost = calls.filter((text) => !text.includes('This is a simple text response'));
    return wrong.length + lost.length === 0 ? 'held' : `${wrong.length + lost.length} had another result`;
  });
}

/** The text of a result, or of an error. */
async function callTool(
  client: Client,
  name: string,
  onprogress?: (progress: { readonly progress: number }) => void,
): Promise<string> {
  const options = onprogress === undefined ? {} : { onprogress };
  return client.callTool({ name }, undefined, options).then(JSON.stringify, String);
}

/** A client of the gateway, before a good server, one that tells its process, and others. */
async function withGateway(
  others: Readonly<Record<string, readonly string[]>>,
  run: (client: Client, folder: string) => Promise<string>,
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-faults-'));
  const start = ([file = '', ...args]: readonly string[]) => ({
    command: process.execPath,
    args: [join(servers, file), ...args],
  });
  writeFileSync(join(folder, 'description.txt'), 'Pays.');
  const shop = {
    command: process.execPath,
    args: [join(import.meta.dirname, 'mcp-server.mjs'), join(folder, 'description.txt')],
  };
  const given = Object.entries(others).map(([name, args]) => [name, start(args)]);
  const mcpServers = { ...Object.fromEntries(given), good: start(['conformance.mjs', 'stdio']), shop };
  const file = join(folder, 'gateway.json');
  writeFileSync(file, JSON.stringify({ mcpServers, limits: { call: '3s' } }));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [main, 'gateway', '--config', file],
    env: { HOME: folder, PATH: process.env.PATH ?? '' },
    stderr: 'ignore',
  });
  const client = new Client({ name: 'faults', version: '1.0.0' });
  try {
    await client.connect(transport);
    return await run(client, folder);
  } finally {
    await client.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
