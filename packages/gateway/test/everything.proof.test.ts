import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { expect, test } from 'vitest';
import { everything, explore, exploreCommand } from './explore-everything.ts';
import { withGateway } from './kit.ts';

const [command, ...args] = everything;
const open = () => new StdioClientTransport({ command, args, stderr: 'ignore' }) as Transport;

test('server-everything is behind the gateway what it is without it', { timeout: 120_000 }, async () => {
  const expected = await exploreCommand(everything, { PATH: process.env.PATH ?? '' });
  await withGateway({ servers: [{ name: 'everything', open }] }, async ({ client }) => {
    expect(await explore(client)).toEqual(expected);
  });
});
