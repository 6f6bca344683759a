import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { boundedFetch } from './bounded-fetch.ts';
import { type ProcessOptions, processTransport } from './process-transport.ts';

/** Where the server is: a process that is started, or an address. */
export type McpTransportOptions =
  | ({ readonly url?: never } & ProcessOptions)
  | {
      /** The address of a server that speaks streamable HTTP. */
      readonly url: string | URL;
      /** For a server that speaks HTTP as MCP did before 2025: a stream of events, and posts beside it. */
      readonly sse?: boolean;
      /** Sent with every request, such as `authorization`. */
      readonly headers?: Readonly<Record<string, string>>;
      readonly command?: never;
    };

/**
 * The way to an MCP server. What it sends is bounded: 10 MB in one message. A process ends with all that it has started.
 *
 * @param timeoutMs how long a request may take over HTTP
 * @param authProvider keeps the tokens of a server that asks for OAuth
 */
export function openMcpTransport(
  options: McpTransportOptions,
  timeoutMs: number,
  authProvider?: OAuthClientProvider,
): Transport {
  if (options.url === undefined) return processTransport(options);
  const { url, headers = {}, sse = false } = options;
  const parts = {
    requestInit: { headers: { ...headers } },
    fetch: boundedFetch(timeoutMs),
    ...(authProvider === undefined ? {} : { authProvider }),
  };
  // The SDK's classes differ from its own interface in whether what they have may be undefined.
  return (
    sse ? new SSEClientTransport(new URL(url), parts) : new StreamableHTTPClientTransport(new URL(url), parts)
  ) as Transport;
}
