import { fileURLToPath } from 'node:url';
import { bundleProgram } from '@spec/test-helpers/bundle-program';
import { type McpServerOptions, mcpServer } from '../../src/mcp/index.ts';
import type { Thread } from '../../src/runtime/thread.ts';

/** The program of `@modelcontextprotocol/server-everything`. */
export const everything: string = fileURLToPath(
  import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'),
);

/** One file: reading those of the SDK takes two thirds of a start. */
const script = await bundleProgram(new URL('server.mjs', import.meta.url));

/** How the tests' own server is started. */
export function testServer(...args: readonly string[]): { command: string; args: string[] } {
  return { command: process.execPath, args: [script, ...args] };
}

/** Connects to a server for one test. */
export async function withServer(
  options: McpServerOptions,
  run: (server: Awaited<ReturnType<typeof mcpServer>>) => Promise<void>,
): Promise<void> {
  const server = await mcpServer(options);
  try {
    await run(server);
  } finally {
    await server.close();
  }
}

/** The contents of a thread's tool results. */
export async function readResults(thread: Thread): Promise<(string | null)[]> {
  return (await thread.messages()).filter(({ role }) => role === 'tool').map(({ content }) => content);
}
