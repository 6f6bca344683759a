import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ErrorCode, McpError, type Result } from '@modelcontextprotocol/sdk/types.js';
import { isRecord } from '@spec/hooks';
import { type ListPage, listAllPages } from '@spec/hooks/node';
import type { HearEvent } from './events.ts';
import type { Limits } from './limits.ts';
import { type Message, Peer, type RequestOptions } from './peer.ts';

/** A server that the gateway stands before. */
export interface UpstreamServer {
  /** Names it in messages, in the names of tools that hooks see, and before a tool's name that another server has too. */
  readonly name: string;
  /** Makes the way to the server; again for every connection. */
  readonly open: () => Transport;
}

/** What a client said of itself. Servers hear it as if they were connected to it. */
export interface Hello {
  readonly protocolVersion: string;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly clientInfo: unknown;
}

/** What a server said of itself. */
export interface Welcome {
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly serverInfo: unknown;
  readonly instructions: string | undefined;
}

/** Who hears of a server. */
export interface UpstreamOptions {
  readonly server: UpstreamServer;
  readonly hello: Hello;
  readonly limits: Limits;
  readonly hear: HearEvent;
  /** It is there, for the first time or again. */
  readonly onStart: (upstream: Upstream) => void;
  readonly onNotification: (upstream: Upstream, message: Message) => void;
  readonly onRequest: (upstream: Upstream, message: Message, signal: AbortSignal) => Promise<Result>;
}

interface Connection {
  readonly peer: Peer;
  readonly welcome: Welcome;
  /** How many requests are under way. */
  open: number;
  /** Takes no more requests, and ends with its last one. */
  isRetired: boolean;
}

/** How long is waited before a server is started again, in milliseconds: from the first to the last. */
const FIRST_PAUSE = 1_000;
const LAST_PAUSE = 60_000;

/**
 * A server, for one client. One that ends is started again; a request that was under way is never made again, since nobody knows whether
 * it took effect.
 */
export class Upstream {
  readonly name: string;
  readonly #options: UpstreamOptions;
  #connection: Promise<Connection> | undefined;
  #current: Connection | undefined;
  #pause = FIRST_PAUSE;
  #restart: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;
  /** All that are connected, or about to be. */
  readonly #peers = new Set<Peer>();
  /** What it said of itself last. */
  welcome: Welcome | undefined;

  constructor(options: UpstreamOptions) {
    this.#options = options;
    this.name = options.server.name;
  }

  /** Starts it. Never rejects: one that does not start is tried again. */
  async start(): Promise<void> {
    await this.#connected().catch(() => {});
  }

  /** @throws what the server answers, or {@link UpstreamFailure} */
  async ask(message: Message, options: RequestOptions): Promise<Result> {
    const connection = await this.#connected();
    connection.open++;
    try {
      return await connection.peer.ask(message, options);
    } catch (error) {
      if (!(error instanceof McpError) && !options.signal.aborted) this.#retire(connection);
      throw this.#explain(error, message);
    } finally {
      connection.open--;
      this.#endIfIdle(connection);
    }
  }

  /** Tells it something, if it is there. */
  tell(message: Message): void {
    void this.#current?.peer.tell(message);
  }

  /** All items of a list. @param item as one word: `tool` */
  async list(method: string, item: string, field: string): Promise<Readonly<Record<string, unknown>>[]> {
    const timeoutMs = this.#options.limits.call;
    const ask = async (
      cursor: string | undefined,
      timeout: number,
    ): Promise<ListPage<Readonly<Record<string, unknown>>>> => {
      const message = cursor === undefined ? { method } : { method, params: { cursor } };
      const signal = new AbortController().signal;
      const { [field]: items, nextCursor } = await this.ask(message, { signal, timeout, total: timeout });
      if (!Array.isArray(items) || !items.every(isRecord))
        throw this.#fail(`gave no valid list of its ${item}s`);
      return { items, nextCursor: typeof nextCursor === 'string' ? nextCursor : undefined };
    };
    return listAllPages({ item, timeoutMs, ask, refuse: (what) => this.#fail(what) });
  }

  /** Ends it because of what it does; it is started again after a pause. */
  punish(why: string): void {
    const connection = this.#current;
    if (connection === undefined) return;
    this.#options.hear({ kind: 'server_failed', server: this.name, why });
    this.#retire(connection);
    void connection.peer.close().catch(() => {});
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#restart);
    await Promise.all([...this.#peers].map((peer) => peer.close().catch(() => {})));
  }

  #connected(): Promise<Connection> {
    if (this.#isClosed) return Promise.reject(this.#fail('is closed'));
    this.#connection ??= this.#connect().catch((error: unknown) => {
      this.#connection = undefined;
      this.#startLater();
      throw error;
    });
    return this.#connection;
  }

  async #connect(): Promise<Connection> {
    const { server, limits, hear, onStart } = this.#options;
    const peer = this.#makePeer();
    this.#peers.add(peer);
    try {
      await peer.connect(server.open());
      if (this.#isClosed) throw this.#fail('is closed');
      const welcome = await this.#greet(peer, limits.start);
      const connection: Connection = { peer, welcome, open: 0, isRetired: false };
      peer.onclose = () => {
        this.#peers.delete(peer);
        this.#ended(connection);
      };
      this.#current = connection;
      this.welcome = welcome;
      this.#pause = FIRST_PAUSE;
      hear({ kind: 'server_started', server: this.name });
      onStart(this);
      return connection;
    } catch (error) {
      this.#peers.delete(peer);
      await peer.close().catch(() => {});
      const failure = this.#explain(error, { method: 'initialize' });
      hear({ kind: 'server_failed', server: this.name, why: failure.message });
      throw failure;
    }
  }

  #makePeer(): Peer {
    const { onNotification, onRequest } = this.#options;
    const peer = new Peer();
    peer.fallbackNotificationHandler = async (message) => onNotification(this, message);
    peer.fallbackRequestHandler = (message, { signal }) => onRequest(this, message, signal);
    return peer;
  }

  async #greet(peer: Peer, timeout: number): Promise<Welcome> {
    const { protocolVersion, capabilities, clientInfo } = this.#options.hello;
    const params = { protocolVersion, capabilities, clientInfo };
    const signal = new AbortController().signal;
    const answer = await peer.ask({ method: 'initialize', params }, { signal, timeout, total: timeout });
    const { serverInfo, instructions } = answer;
    peer.transport?.setProtocolVersion?.(String(answer.protocolVersion));
    await peer.tell({ method: 'notifications/initialized' });
    return {
      capabilities: isRecord(answer.capabilities) ? answer.capabilities : {},
      serverInfo,
      instructions: typeof instructions === 'string' ? instructions : undefined,
    };
  }

  /** It has ended by itself. */
  #ended(connection: Connection): void {
    if (connection.isRetired || this.#isClosed) return;
    this.#options.hear({
      kind: 'server_failed',
      server: this.name,
      why: `The MCP server "${this.name}" has ended.`,
    });
    this.#forget(connection);
  }

  /** Whatever broke, the next request gets a new connection; those that are under way keep theirs. */
  #retire(connection: Connection): void {
    connection.isRetired = true;
    this.#forget(connection);
  }

  #forget(connection: Connection): void {
    if (this.#current !== connection) return;
    this.#current = undefined;
    this.#connection = undefined;
    this.#startLater();
  }

  #endIfIdle({ isRetired, open, peer }: Connection): void {
    if (isRetired && open === 0) void peer.close().catch(() => {});
  }

  #startLater(): void {
    if (this.#isClosed) return;
    clearTimeout(this.#restart);
    this.#restart = setTimeout(() => void this.start(), this.#pause);
    this.#restart.unref();
    this.#pause = Math.min(this.#pause * 2, LAST_PAUSE);
  }

  /** Words of our own for what broke: what the SDK and the system say can hold data. */
  #explain(error: unknown, { method, params }: Message): Error {
    if (error instanceof UpstreamFailure) return error;
    const what =
      method === 'tools/call'
        ? `while ${String(params?.name)} ran; whether the call took effect is unknown`
        : `while it answered ${method}`;
    const { code } = (error ?? {}) as { code?: unknown };
    if (error instanceof McpError && code === ErrorCode.ConnectionClosed) return this.#fail(`ended ${what}`);
    if (error instanceof McpError && code === ErrorCode.RequestTimeout)
      return this.#fail(`did not answer in time, ${what}`);
    if (error instanceof McpError) return error;
    if (code === 'ENOENT') return this.#fail('has no such command or working folder');
    if (code === 401 || (error instanceof Error && error.name === 'UnauthorizedError'))
      return this.#fail('asks for a login');
    if (typeof code === 'number' && code >= 100) return this.#fail(`answered with HTTP ${code} ${what}`);
    return this.#fail(`could not be reached, or sent what is no message of MCP, ${what}`);
  }

  #fail(what: string): UpstreamFailure {
    return new UpstreamFailure(`The MCP server "${this.name}" ${what}.`);
  }
}

/** A server gave no answer. The message holds no data. */
export class UpstreamFailure extends Error {
  /** For the client: the code of JSON-RPC for an internal error. */
  readonly code: number = ErrorCode.InternalError;
}
