import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ErrorCode,
  LATEST_PROTOCOL_VERSION,
  type Result,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/sdk/types.js';
import { isRecord } from '@spec/hooks';
import type { Host, HostAnswer, HostAsk } from '@spec/hooks/host';
import { Catalog, type CatalogOptions } from './catalog.ts';
import type { GatewayEvent, HearEvent } from './events.ts';
import { fitsTemplate } from './fits-template.ts';
import type { Limits } from './limits.ts';
import { type Message, makeError, Peer } from './peer.ts';
import { askByElicitation } from './person.ts';
import { Relay } from './relay.ts';
import { Tasks } from './tasks.ts';
import { type Hello, Upstream, type UpstreamServer } from './upstream.ts';
import { waitAtMost } from './wait-at-most.ts';
import { makeWelcome } from './welcome.ts';

/** What all clients of a gateway share. */
export interface SessionParts {
  readonly host: Host;
  readonly servers: readonly UpstreamServer[];
  readonly limits: Limits;
  readonly hear: HearEvent;
  readonly catalog: Omit<CatalogOptions, 'hear'>;
}

type Params = Readonly<Record<string, unknown>>;

/** A request of the client. */
export interface ClientRequest {
  readonly id: string | number;
  readonly method: string;
  readonly params: Params;
  readonly signal: AbortSignal;
}

/** How a session answers its client, and who hears that the client has gone. */
export interface SessionUse {
  readonly answer: (request: ClientRequest) => Promise<Result>;
  readonly onClose: () => void;
}

/** The code of MCP for a resource that is not there. */
const NO_RESOURCE = -32_002;

/** One client, with connections of its own to all servers: they know of it what they would know without a gateway. */
export class Session {
  readonly id: string = crypto.randomUUID();
  readonly parts: SessionParts;
  readonly client: Peer = new Peer();
  readonly relay: Relay;
  upstreams: readonly Upstream[] = [];
  catalog: Catalog;
  /** What the client said of itself. */
  hello: Hello | undefined;
  /** The request of the client in whose course each call of a tool is made. */
  readonly calls: Map<string, string | number> = new Map();
  /** The calls of the client that run as tasks. */
  readonly tasks: Tasks = new Tasks();
  /** What servers that start again must be told: whose resources are watched, by URI, and the level of logs. */
  readonly watched: Map<string, Upstream> = new Map();
  #level: Params | undefined;
  #isEnded = false;

  constructor(parts: SessionParts) {
    this.parts = parts;
    this.catalog = new Catalog([], { ...parts.catalog, hear: parts.hear });
    this.relay = new Relay(this);
  }

  /** Connects the client. */
  async open(transport: Transport, { answer, onClose }: SessionUse): Promise<void> {
    this.client.fallbackRequestHandler = ({ method, params }, { requestId, signal }) =>
      answer({ id: requestId, method, params: params ?? {}, signal });
    this.client.fallbackNotificationHandler = async (message) => this.relay.tellServers(message);
    this.client.onclose = () => {
      onClose();
      void this.#end();
    };
    await this.client.connect(transport);
  }

  async close(): Promise<void> {
    await this.client.close();
    await this.#end();
  }

  async #end(): Promise<void> {
    this.#isEnded = true;
    this.relay.close();
    await Promise.all(this.upstreams.map((upstream) => upstream.close()));
  }

  /** Asks the person at the client about a call. */
  async ask(ask: HostAsk): Promise<HostAnswer> {
    const { limits } = this.parts;
    const during = ask.about === 'tool_call' ? this.calls.get(ask.toolCallId) : undefined;
    return askByElicitation(this.client, ask, { hello: this.hello, timeout: limits.person, during });
  }

  /** Starts the servers, and waits for them for a while: those that are later tell that their lists have changed. */
  async begin(params: Params): Promise<Result> {
    if (this.hello !== undefined)
      throw makeError(ErrorCode.InvalidRequest, 'This client is initialized already.');
    const { servers, limits, catalog } = this.parts;
    const hello = readHello(params);
    this.hello = hello;
    this.upstreams = servers.map((server) => this.#makeUpstream(server, hello));
    this.catalog = new Catalog(this.upstreams, { ...catalog, hear: (event) => this.#hear(event) });
    const started = Promise.all(this.upstreams.map((upstream) => upstream.start()));
    await waitAtMost(started, limits.firstAnswer);
    await waitAtMost(this.catalog.refresh('tools/list'), limits.firstAnswer);
    const welcome = makeWelcome(this.upstreams, (upstream) => this.catalog.readInstructions(upstream));
    return { protocolVersion: hello.protocolVersion, ...welcome };
  }

  #makeUpstream(server: UpstreamServer, hello: Hello): Upstream {
    const { limits } = this.parts;
    return new Upstream({
      ...{ server, hello, limits },
      hear: (event) => this.#hear(event),
      onStart: (upstream) => this.#serverStarted(upstream),
      onNotification: (upstream, message) => this.relay.hearServer(upstream, message),
      onRequest: (upstream, message, signal) => this.relay.askClient(upstream, message, signal),
    });
  }

  /** That servers end with their client is no news. */
  #hear(event: GatewayEvent): void {
    if (!this.#isEnded) this.parts.hear(event);
  }

  /** A server that is there, perhaps again, must know what the client has asked of it. */
  #serverStarted(upstream: Upstream): void {
    if (this.#level !== undefined) void this.#tellLevel(upstream, this.#level);
    for (const [uri, owner] of this.watched)
      if (owner === upstream)
        void this.#request(upstream, { method: 'resources/subscribe', params: { uri } });
    this.relay.listsChanged(upstream);
  }

  /** Which logs the client wants. */
  async setLevel(level: Params): Promise<void> {
    this.#level = level;
    await Promise.all(this.upstreams.map((upstream) => this.#tellLevel(upstream, level)));
  }

  async #tellLevel(upstream: Upstream, params: Params): Promise<void> {
    if (upstream.welcome?.capabilities.logging === undefined) return;
    await this.#request(upstream, { method: 'logging/setLevel', params });
  }

  /** Asks for what nobody waits for. */
  async #request(upstream: Upstream, message: Message): Promise<void> {
    const { call: timeout } = this.parts.limits;
    const { signal } = new AbortController();
    await upstream.ask(message, { signal, timeout, total: timeout }).catch(() => {});
  }

  /**
   * The server that has a resource: the one that lists it, else the one whose template it fits, else the only one with resources.
   *
   * @throws an error for the client, if there is none
   */
  async requireResource(uri: string): Promise<Upstream> {
    const listed = await this.catalog.find('resources/list', uri);
    if (listed !== undefined) return listed.upstream;
    const templates = await this.catalog.refresh('resources/templates/list');
    const fitting = [...templates.values()].find(({ own }) => fitsTemplate(uri, own));
    if (fitting !== undefined) return fitting.upstream;
    const having = this.upstreams.filter(({ welcome }) => welcome?.capabilities.resources !== undefined);
    if (having.length === 1 && having[0] !== undefined) return having[0];
    throw makeError(NO_RESOURCE, 'No server has this resource.');
  }
}

/** A client's own tasks, of sampling and elicitation, are no part of what is passed on. */
function readHello({ protocolVersion, capabilities: given, clientInfo }: Params): Hello {
  const asked = String(protocolVersion);
  const { tasks: _, ...capabilities } = isRecord(given) ? given : {};
  return {
    protocolVersion: SUPPORTED_PROTOCOL_VERSIONS.includes(asked) ? asked : LATEST_PROTOCOL_VERSION,
    capabilities,
    clientInfo,
  };
}
