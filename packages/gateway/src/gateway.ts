import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { checkOptionNames, type OptionNames } from '@spec/hooks';
import { createHost, type Host, type HostOptions } from '@spec/hooks/host';
import type { HearEvent } from './events.ts';
import { honours } from './honours.ts';
import { type GatewayLimits, readLimits } from './limits.ts';
import { type FirstUse, memoryPins, type PinStore } from './pins.ts';
import { answerClient } from './routes.ts';
import { checkServerNames } from './server-names.ts';
import { Session, type SessionParts } from './session.ts';
import type { UpstreamServer } from './upstream.ts';

/** What stands behind a gateway, and which hooks run in it. */
export interface GatewayOptions
  extends Pick<HostOptions, 'hooks' | 'policies' | 'allowPartial' | 'timeout' | 'onRun' | 'environment'> {
  /** In the order of their precedence: of two tools with one name the first server's keeps it. */
  readonly servers: readonly UpstreamServer[];
  readonly limits?: GatewayLimits;
  /** Keeps what is trusted of servers. Default: nothing is kept beyond this process. */
  readonly pins?: PinStore;
  /** Whether the tools of a server are trusted when they are seen for the first time. Default: `trust`. */
  readonly firstUse?: FirstUse;
  /** What a server's pins are kept under. Default: its name. */
  readonly nameSubject?: (server: string) => string;
  /** Hears what happens. Must not throw. */
  readonly onEvent?: HearEvent;
}

/** An MCP server that stands before others. */
export interface Gateway {
  /** Serves one client, until its connection ends. */
  connect(transport: Transport): Promise<GatewaySession>;
  /** Tells all clients to ask for the tools anew: a person has looked at what was held back. */
  refresh(): void;
  /** Ends all connections. */
  close(): Promise<void>;
}

/** One client of a gateway. */
export interface GatewaySession {
  readonly id: string;
  /** Settles when the client has gone. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

const optionNames: OptionNames<GatewayOptions> = {
  ...{ servers: true, limits: true, pins: true, firstUse: true, nameSubject: true, onEvent: true },
  ...{ hooks: true, policies: true, allowPartial: true, timeout: true, onRun: true, environment: true },
};

/**
 * Stands before MCP servers: each call of a client passes the hooks, each way.
 *
 * @throws {DefinitionError} `bad_option` for servers whose names, or whose tools, cannot be told apart, or a bad limit; `bad_hook` if the gateway cannot run a hook as
 * documented, with the reason for each
 */
export function createGateway(options: GatewayOptions): Gateway {
  checkOptionNames('createGateway', options, optionNames);
  const {
    servers,
    limits = {},
    pins = memoryPins(),
    firstUse = 'trust',
    nameSubject = (name) => name,
  } = options;
  const { onEvent = () => {} } = options;
  checkServerNames(servers.map(({ name }) => name));
  const sessions = new Map<string, Session>();
  const parts: SessionParts = {
    ...{ servers, limits: readLimits(limits), hear: onEvent, catalog: { pins, firstUse, nameSubject } },
    host: makeHost(options, sessions),
  };
  return {
    connect: (transport) => openSession(sessions, parts, transport),
    refresh() {
      for (const { relay, upstreams } of sessions.values())
        for (const one of upstreams) relay.listsChanged(one);
    },
    async close() {
      await Promise.all([...sessions.values()].map((session) => session.close()));
    },
  };
}

function makeHost(options: GatewayOptions, sessions: ReadonlyMap<string, Session>): Host {
  const { hooks = [], policies = [], allowPartial = [], timeout, onRun, environment } = options;
  return createHost({
    ...{ name: '@spec/gateway', honours, hooks, policies, allowPartial },
    ...(timeout === undefined ? {} : { timeout }),
    ...(onRun === undefined ? {} : { onRun }),
    ...(environment === undefined ? {} : { environment }),
    onAsk: (ask) => sessions.get(ask.threadId)?.ask(ask) ?? false,
  });
}

async function openSession(
  sessions: Map<string, Session>,
  parts: SessionParts,
  transport: Transport,
): Promise<GatewaySession> {
  const session = new Session(parts);
  sessions.set(session.id, session);
  let onClose = (): void => {};
  const closed = new Promise<void>((resolve) => {
    onClose = () => {
      sessions.delete(session.id);
      resolve();
    };
  });
  await session.open(transport, { answer: (request) => answerClient(session, request), onClose });
  return { id: session.id, closed, close: () => session.close() };
}
