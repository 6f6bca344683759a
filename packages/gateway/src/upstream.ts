import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { McpError, type Result } from '@modelcontextprotocol/sdk/types.js';
import { isRecord } from '@spec/hooks';
import { type ListPage, listAllPages } from '@spec/hooks/node';
import type { HearEvent } from './events.ts';
import { describeFailure, explainFailure, isUnknownWay, UpstreamFailure } from './failures.ts';
import type { Limits } from './limits.ts';
import { type Message, Peer, type RequestOptions } from './peer.ts';
import { waitAtMost, waitOrFail } from './wait-at-most.ts';

/** A server that the gateway stands before. */
export interface UpstreamServer {
  /** Names it in messages, in the names of tools that hooks see, and before a tool's name that another server has too. */
  readonly name: string;
  /** Makes the way to the server; again for every connection. */
  readonly open: () => Transport;
  /** Another way, for a server that refuses the first as one that it does not know (HTTP 400, 404, 405). */
  readonly openOld?: () => Transport;
  /** What a person can do where it asks for a login: a command. */
  readonly loginHint?: string;
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

/** What is in a list of a server. */
type Item = Readonly<Record<string, unknown>>;

/** The characters of a list. Each listing compares all of them with what is trusted, and a server has a client list as often as it likes. */
const MAX_LISTED = 10_000_000;

/** What is waited before a server is started again, in milliseconds: at first and at most. One that stood for the longest begins anew. */
const FIRST_PAUSE = 1_000;
const LAST_PAUSE = 60_000;

/** A server, for one client. One that ends is started again; a request under way is never made again: nobody knows whether it took effect. */
export class Upstream {
  readonly name: string;
  readonly #options: UpstreamOptions;
  #connection: Promise<Connection> | undefined;
  #current: Connection | undefined;
  #pause = FIRST_PAUSE;
  #restart: ReturnType<typeof setTimeout> | undefined;
  #steady: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;
  /** It has refused the first way, and taken the other. */
  #isOld = false;
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

  /** Waits until it is there or has failed, as long as a call may take at most. */
  async untilStarted(): Promise<void> {
    await waitAtMost(this.#connection ?? Promise.resolve(), this.#options.limits.call);
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
  async list(method: string, item: string, field: string): Promise<Item[]> {
    const timeoutMs = this.#options.limits.call;
    const ask = async (cursor: string | undefined, timeout: number): Promise<ListPage<Item>> => {
      const message = cursor === undefined ? { method } : { method, params: { cursor } };
      const signal = new AbortController().signal;
      const { [field]: items, nextCursor } = await this.ask(message, { signal, timeout, total: timeout });
      if (!Array.isArray(items) || !items.every(isRecord))
        throw this.#fail(`gave no valid list of its ${item}s`);
      return { items, nextCursor: typeof nextCursor === 'string' ? nextCursor : undefined };
    };
    const refuse = (what: string): Error => this.#fail(what);
    return listAllPages({ item, timeoutMs, maxCharacters: MAX_LISTED, ask, refuse });
  }

  /** It has ended, and nobody has started it again yet. What nobody waits for starts it no sooner. */
  get isAway(): boolean {
    return this.#connection === undefined;
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
    clearTimeout(this.#steady);
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
    try {
      return await this.#connectBy(this.#isOld);
    } catch (error) {
      const { openOld } = this.#options.server;
      if (openOld === undefined || this.#isOld || !isUnknownWay(error)) throw this.#tellFailure(error);
    }
    try {
      const connection = await this.#connectBy(true);
      this.#isOld = true;
      return connection;
    } catch (error) {
      throw this.#tellFailure(error);
    }
  }

  async #connectBy(isOld: boolean): Promise<Connection> {
    const { server, limits, hear, onStart } = this.#options;
    const peer = this.#makePeer();
    this.#peers.add(peer);
    try {
      await this.#openWay(peer, isOld && server.openOld !== undefined ? server.openOld() : server.open());
      if (this.#isClosed) throw this.#fail('is closed');
      const welcome = await this.#greet(peer, limits.start);
      const connection: Connection = { peer, welcome, open: 0, isRetired: false };
      peer.onclose = () => {
        this.#peers.delete(peer);
        this.#ended(connection);
      };
      this.#current = connection;
      this.welcome = welcome;
      this.#watchSteadiness();
      hear({ kind: 'server_started', server: this.name });
      onStart(this);
      return connection;
    } catch (error) {
      this.#peers.delete(peer);
      await peer.close().catch(() => {});
      throw error;
    }
  }

  /** A way may never open: such a server would be waited for without a word. */
  async #openWay(peer: Peer, way: Transport): Promise<void> {
    const fail = () => this.#fail('did not start in time');
    await waitOrFail(peer.connect(way), this.#options.limits.start, fail);
  }

  #watchSteadiness(): void {
    clearTimeout(this.#steady);
    this.#steady = setTimeout(() => {
      this.#pause = FIRST_PAUSE;
    }, LAST_PAUSE);
    this.#steady.unref();
  }

  #tellFailure(error: unknown): Error {
    const { name } = this;
    const failure = this.#explain(error, { method: 'initialize' });
    const why = describeFailure(failure, { server: name, method: 'initialize' });
    this.#options.hear({ kind: 'server_failed', server: name, why });
    return failure;
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
    const why = `The MCP server "${this.name}" has ended.`;
    this.#options.hear({ kind: 'server_failed', server: this.name, why });
    this.#forget(connection);
  }

  /** Whatever broke, the next request gets a new connection; those that are under way keep theirs. */
  #retire(connection: Connection): void {
    connection.isRetired = true;
    this.#forget(connection);
  }

  #forget(connection: Connection): void {
    if (this.#current !== connection) return;
    clearTimeout(this.#steady);
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

  #explain(error: unknown, message: Message): Error {
    return explainFailure(error, { server: this.#options.server, message });
  }

  #fail(what: string): UpstreamFailure {
    return new UpstreamFailure(this.name, what);
  }
}
