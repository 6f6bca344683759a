import pg from 'pg';

interface Listener {
  hear(payload: string): void;
  onGap(): void;
}

/** Hears notifications on a connection of its own, which it opens when somebody listens and again when it was lost. */
export class Ear {
  readonly #url: string | undefined;
  readonly #channels = new Map<string, Set<Listener>>();
  #client: pg.Client | undefined;
  #opening: Promise<void> | undefined;
  #isClosed = false;

  constructor(url: string | undefined) {
    this.#url = url;
  }

  /** @returns a function that ends it */
  listen(channel: string, listener: Listener): () => void {
    const listeners = this.#channels.get(channel) ?? new Set();
    const isFirst = listeners.size === 0;
    listeners.add(listener);
    this.#channels.set(channel, listeners);
    if (isFirst) this.#ask(`listen ${channel}`);
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0 || this.#channels.get(channel) !== listeners) return;
      this.#channels.delete(channel);
      this.#ask(`unlisten ${channel}`);
    };
  }

  /** Over a connection that is yet to be opened all channels are asked for. */
  #ask(text: string): void {
    if (this.#client === undefined) this.#open();
    else this.#client.query(text).catch(() => {}); // The connection is lost, and opened again.
  }

  #open(): void {
    if (this.#isClosed || this.#channels.size === 0) return;
    this.#opening ??= this.#connect().finally(() => {
      this.#opening = undefined;
      if (this.#client === undefined && !this.#isClosed) setTimeout(() => this.#open(), 200).unref();
    });
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: 'spec-hooks',
      connectionTimeoutMillis: 2_000,
      keepAlive: true,
    });
    client.on('error', () => {});
    client.on('notification', ({ channel, payload = '' }) => {
      for (const listener of this.#channels.get(channel) ?? []) listener.hear(payload);
    });
    client.on('end', () => {
      if (this.#client !== client) return;
      this.#client = undefined;
      for (const listeners of this.#channels.values()) for (const listener of listeners) listener.onGap();
      this.#open();
    });
    try {
      await client.connect();
      this.#client = client;
      for (const channel of this.#channels.keys()) await client.query(`listen ${channel}`);
    } catch {
      if (this.#client === client) this.#client = undefined;
      await client.end().catch(() => {});
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#channels.clear();
    await this.#opening;
    const client = this.#client;
    this.#client = undefined;
    await client?.end();
  }
}
