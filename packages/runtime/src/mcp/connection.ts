import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  type CallToolResult,
  CallToolResultSchema,
  ErrorCode,
  ListToolsResultSchema,
  McpError,
  ResultSchema,
  type Tool,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { RunError } from '@spec/hooks';
import { type ListPage, listAllPages } from '@spec/hooks/node';
import { MAX_BYTES, MessageTooLong } from './bounded-fetch.ts';
import { readOlderForm } from './tool-result.ts';

export interface ConnectionOptions {
  /** The server's, for messages. */
  readonly name: string;
  /** Makes the way to the server; again for every connection. */
  readonly transport: () => Transport;
  /** How long the start and each request may take, in milliseconds. */
  readonly timeoutMs: number;
  /** Called when the server tells that its tools are no longer the same. */
  readonly onToolsChanged: () => void;
}

interface ToolCall {
  readonly name: string;
  readonly input: Record<string, unknown>;
  readonly signal: AbortSignal;
}

/**
 * A connection to one MCP server. One that broke is made anew for the next call; a call that was under way is never made again, and one
 * that could be answered all the same is waited for.
 */
export class McpConnection {
  readonly #options: ConnectionOptions;
  #client: Promise<Client> | undefined;
  /** How many calls are under way. */
  readonly #calls = new Map<Client, number>();
  /** Takes no more calls, and ends with its last one. */
  readonly #retired = new Set<Client>();
  #isClosed = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** What the server tells about its use. @throws {RunError} `tool_failed` */
  async instructions(): Promise<string | undefined> {
    return (await this.#connected()).getInstructions();
  }

  /** All tools, page by page. @throws {RunError} `tool_failed`, also for a server that lists tools without end */
  async listTools(): Promise<Tool[]> {
    const client = await this.#connected();
    const ask = async (cursor: string | undefined, timeout: number): Promise<ListPage<Tool>> => {
      const request = { method: 'tools/list', params: cursor === undefined ? {} : { cursor } } as const;
      const when = 'while it listed its tools';
      const response = await client.request(request, ResultSchema, { timeout }).catch((error: unknown) => {
        throw this.#failed(error, when);
      });
      const { tools: items, nextCursor } = this.#read(ListToolsResultSchema.safeParse(response), when);
      return { items, nextCursor };
    };
    const { timeoutMs } = this.#options;
    return listAllPages({ item: 'tool', timeoutMs, ask, refuse: (what) => this.#error(what) });
  }

  /** Calls a tool; where the server refuses the call, its words are an error result. @throws {RunError} `tool_failed` */
  async call({ name, input, signal }: ToolCall): Promise<CallToolResult> {
    const client = await this.#connected();
    const request = { method: 'tools/call', params: { name, arguments: input } } as const;
    const when = `while ${name} ran; whether the call took effect is unknown`;
    this.#count(client, 1);
    try {
      const { timeoutMs: timeout } = this.#options;
      const answer = await client.request(request, ResultSchema, { signal, timeout });
      if ('task' in answer) throw this.#error(`began a task that nobody asked for ${when}`);
      return this.#read(CallToolResultSchema.safeParse(readOlderForm(answer)), when);
    } catch (error) {
      if (error instanceof RunError) throw error;
      if (isRefusal(error, client))
        return { isError: true, content: [{ type: 'text', text: error.message }] };
      if (!(error instanceof McpError)) this.#retire(client);
      throw this.#failed(error, when);
    } finally {
      this.#count(client, -1);
    }
  }

  /** Ends the connection, and the server where it is a process. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const client = await this.#client?.catch(() => undefined);
    await Promise.all(
      [...this.#retired, ...(client === undefined ? [] : [client])].map((one) => one.close()),
    );
  }

  #connected(): Promise<Client> {
    if (this.#isClosed) return Promise.reject(this.#error('is closed'));
    this.#client ??= this.#connect().catch((error: unknown) => {
      this.#client = undefined;
      throw error;
    });
    return this.#client;
  }

  async #connect(): Promise<Client> {
    const { transport, timeoutMs, onToolsChanged } = this.#options;
    const client = new Client({ name: '@spec/runtime', version: '0.1.0' });
    client.setNotificationHandler(ToolListChangedNotificationSchema, onToolsChanged);
    try {
      await rejectLate(client.connect(transport(), { timeout: timeoutMs }), timeoutMs);
    } catch (error) {
      await client.close();
      throw this.#failed(error, 'while it started');
    }
    client.onclose = () => {
      this.#client = undefined;
    };
    return client;
  }

  /** Whatever broke, the next call gets a new connection; those that are under way keep theirs. */
  #retire(client: Client): void {
    if (!this.#retired.has(client)) this.#client = undefined;
    this.#retired.add(client);
    delete client.onclose;
  }

  #count(client: Client, change: number): void {
    const count = (this.#calls.get(client) ?? 0) + change;
    if (count > 0) this.#calls.set(client, count);
    else this.#calls.delete(client);
    if (count > 0 || !this.#retired.delete(client)) return;
    void client.close().catch(() => {});
  }

  /** What a server says that is no valid result fails the one call. */
  #read<T>({ success, data }: { success: boolean; data?: T | undefined }, when: string): T {
    if (!success || data === undefined) throw this.#error(`gave no valid result ${when}`);
    return data;
  }

  /** Tells what failed without the text of the failure (C9). */
  #failed(error: unknown, when: string): RunError {
    const { code } = (error ?? {}) as { code?: unknown };
    if (error instanceof MessageTooLong)
      return this.#error(`sent more than ${MAX_BYTES} bytes in one message ${when}`);
    if (code === ErrorCode.RequestTimeout)
      return this.#error(`did not answer within ${this.#options.timeoutMs} ms ${when}`);
    if (code === ErrorCode.ConnectionClosed) return this.#error(`ended ${when}`);
    if (code === 'ENOENT') return this.#error('has no such command or working folder');
    const status =
      typeof code === 'number' && code >= 100 ? `answered with HTTP ${code}` : 'could not be reached';
    return this.#error(`${error instanceof McpError ? `answered with error ${error.code}` : status} ${when}`);
  }

  #error(what: string): RunError {
    return new RunError('tool_failed', `The MCP server "${this.#options.name}" ${what}.`);
  }
}

/** The SDK's time begins with the first request, and a stream of events may never come to it. */
async function rejectLate(connecting: Promise<void>, ms: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new McpError(ErrorCode.RequestTimeout, 'It did not start in time')), ms);
  });
  await Promise.race([connecting, late]).finally(() => clearTimeout(timer));
}

/** The server answered, with an error instead of a result. Servers use the codes, too, that the SDK gives its own errors. */
function isRefusal(error: unknown, client: Client): error is McpError {
  if (!(error instanceof McpError)) return false;
  if (error.code === ErrorCode.ConnectionClosed) return client.transport !== undefined;
  return error.code !== ErrorCode.RequestTimeout || !isOwnTimeout(error.data);
}

/** What the SDK says of a request whose time is up. */
function isOwnTimeout(data: unknown): boolean {
  return typeof (data as { timeout?: unknown } | null | undefined)?.timeout === 'number';
}
