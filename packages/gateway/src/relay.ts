import type { Result } from '@modelcontextprotocol/sdk/types.js';
import { isRecord } from '@spec/hooks';
import type { HearEvent } from './events.ts';
import type { Limits } from './limits.ts';
import { type Message, makeError, type Peer, type RequestOptions } from './peer.ts';
import { type Tasks, withoutResult } from './tasks.ts';
import { Traffic } from './traffic.ts';
import type { Upstream } from './upstream.ts';

/** The requests of one server that clients may have to answer at once. */
const MAX_ASKED = 64;

/** How long a change of a list waits for others before a client is told, and how long after that, in milliseconds. */
const LIST_PAUSE = 50;
const LIST_REST = 1_000;

/** The notification that tells of a change, by the capability that the server has. */
const listChanges: Readonly<Record<string, string>> = {
  tools: 'notifications/tools/list_changed',
  prompts: 'notifications/prompts/list_changed',
  resources: 'notifications/resources/list_changed',
};

/** The client and the servers between which something is passed on. */
interface Ends {
  readonly client: Peer;
  readonly upstreams: readonly Upstream[];
  /** The resources that the client watches, by URI. */
  readonly watched: ReadonlyMap<string, Upstream>;
  /** Which calls of the client run as tasks. */
  readonly tasks: Pick<Tasks, 'isRunBy'>;
  readonly parts: { readonly limits: Limits; readonly hear: HearEvent };
}

/** A change of a list that a client is told of soon, or was told of just now. */
interface ListChange {
  timer: ReturnType<typeof setTimeout>;
  /** It has changed once more meanwhile. */
  isAgain: boolean;
}

/** Passes on what is no guarded request: both ways, within bounds. */
export class Relay {
  readonly #ends: Ends;
  readonly #traffic = new Map<Upstream, Traffic>();
  readonly #asked = new Map<Upstream, number>();
  /** The client's requests that each server is answering, the latest last. */
  readonly #answering = new Map<Upstream, (string | number)[]>();
  /** The client is ready for what it has not asked for. */
  #isReady = false;
  readonly #changes = new Map<string, ListChange>();

  constructor(ends: Ends) {
    this.#ends = ends;
  }

  /** Passes a request of the client on to a server, with its progress. */
  askServer(
    upstream: Upstream,
    { method, params = {} }: Message,
    { id, signal }: { readonly id: string | number; readonly signal: AbortSignal },
  ): Promise<Result> {
    const options = this.#makeOptions(upstream, params, { id, signal });
    return this.during(upstream, id, () => upstream.ask({ method, params }, options));
  }

  /** What a server asks and tells meanwhile belongs to this request of the client. */
  async during(upstream: Upstream, id: string | number, wait: () => Promise<Result>): Promise<Result> {
    const answering = this.#answering.get(upstream) ?? [];
    this.#answering.set(upstream, answering);
    answering.push(id);
    try {
      return await wait();
    } finally {
      answering.splice(answering.lastIndexOf(id), 1);
    }
  }

  /** Passes a request of a server on to the client: sampling, elicitation, roots. */
  async askClient(
    upstream: Upstream,
    { method, params = {} }: Message,
    signal: AbortSignal,
  ): Promise<Result> {
    const asked = this.#asked.get(upstream) ?? 0;
    if (asked >= MAX_ASKED) throw makeError(-32_000, `More than ${MAX_ASKED} requests wait for the client.`);
    this.#asked.set(upstream, asked + 1);
    const { person } = this.#ends.parts.limits;
    const token = readToken(params);
    try {
      return await this.#ends.client.ask(
        { method, params },
        {
          ...{ signal, timeout: person, total: person, during: this.#answering.get(upstream)?.at(-1) },
          onProgress:
            token === undefined
              ? undefined
              : (progress) =>
                  upstream.tell({ method: PROGRESS, params: { ...progress, progressToken: token } }),
        },
      );
    } finally {
      this.#asked.set(upstream, (this.#asked.get(upstream) ?? 1) - 1);
    }
  }

  /** What the client tells, all servers hear. */
  tellServers(message: Message): void {
    if (message.method === 'notifications/initialized') this.#isReady = true;
    else for (const upstream of this.#ends.upstreams) upstream.tell(message);
  }

  /** What a server tells without being asked. */
  hearServer(upstream: Upstream, message: Message): void {
    const capability = Object.keys(listChanges).find((name) => listChanges[name] === message.method);
    if (capability !== undefined) this.#listChanged(message.method);
    else if (this.#isForClient(upstream, message))
      this.#tellClient(upstream, withoutUnseen(message), this.#answering.get(upstream)?.at(-1));
  }

  #isForClient(upstream: Upstream, { method, params }: Message): boolean {
    if (method === TASK_STATUS) return this.#ends.tasks.isRunBy(upstream, params?.taskId);
    return method !== UPDATED || this.#isWatched(upstream, String(params?.uri));
  }

  /** Who watches a resource hears of what is in it, too, and of no other server's. */
  #isWatched(upstream: Upstream, uri: string): boolean {
    return [...this.#ends.watched].some(([watched, owner]) => owner === upstream && uri.startsWith(watched));
  }

  /** A server that is there again may have other lists now. */
  listsChanged({ welcome }: Upstream): void {
    for (const [capability, method] of Object.entries(listChanges))
      if (welcome?.capabilities[capability] !== undefined) this.#listChanged(method);
  }

  close(): void {
    for (const { timer } of this.#changes.values()) clearTimeout(timer);
  }

  /** A client that has asked for nothing yet need not ask anew. However often lists change, one is told once a second: it asks all servers. */
  #listChanged(method: string): void {
    if (!this.#isReady) return;
    const change = this.#changes.get(method);
    if (change === undefined) this.#tellLater(method);
    else change.isAgain = true;
  }

  #tellLater(method: string): void {
    const tell = (): void => {
      void this.#ends.client.tell({ method });
      change.isAgain = false;
      change.timer = setTimeout(rest, LIST_REST);
    };
    const rest = (): void => {
      this.#changes.delete(method);
      if (change.isAgain) this.#tellLater(method);
    };
    const change: ListChange = { isAgain: false, timer: setTimeout(tell, LIST_PAUSE) };
    this.#changes.set(method, change);
  }

  #makeOptions(
    upstream: Upstream,
    params: Readonly<Record<string, unknown>>,
    { id, signal }: { readonly id: string | number; readonly signal: AbortSignal },
  ): RequestOptions {
    const { call: timeout, total } = this.#ends.parts.limits;
    const token = readToken(params);
    if (token === undefined) return { signal, timeout, total };
    const onProgress = (progress: Readonly<Record<string, unknown>>): void =>
      this.#tellClient(upstream, { method: PROGRESS, params: { ...progress, progressToken: token } }, id);
    return { signal, timeout, total, onProgress };
  }

  #tellClient(upstream: Upstream, message: Message, during: string | number | undefined): void {
    const traffic = this.#traffic.get(upstream) ?? new Traffic();
    this.#traffic.set(upstream, traffic);
    const characters = countCharacters(message);
    const verdict = traffic.admit(characters);
    if (verdict === 'pass') void traffic.whileWaiting(characters, this.#ends.client.tell(message, during));
    else if (traffic.dropped === 1)
      this.#ends.parts.hear({ kind: 'flood', server: upstream.name, dropped: traffic.dropped });
    if (verdict === 'end') upstream.punish(`The MCP server "${upstream.name}" sends too many notifications.`);
  }
}

const PROGRESS = 'notifications/progress';
const TASK_STATUS = 'notifications/tasks/status';
const UPDATED = 'notifications/resources/updated';

function withoutUnseen({ method, params }: Message): Message {
  const isOfTask = method === TASK_STATUS && params !== undefined;
  return { method, params: isOfTask ? withoutResult(params) : params };
}

/** What is nested too deep to be written is never sent. */
function countCharacters({ params }: Message): number {
  try {
    return JSON.stringify(params)?.length ?? 0;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

function readToken(params: Readonly<Record<string, unknown>>): string | number | undefined {
  const meta = params._meta;
  const token = isRecord(meta) ? meta.progressToken : undefined;
  return typeof token === 'string' || typeof token === 'number' ? token : undefined;
}
