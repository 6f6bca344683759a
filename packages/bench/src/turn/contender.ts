/** What is measured: a module that runs the turns of workload.ts and stores them in a folder. */
export interface Contender {
  connect(options: ConnectOptions): Promise<Connection>;
}

export type Synchronous = 'FULL' | 'NORMAL';

export interface ConnectOptions {
  /** Its own, empty folder. */
  readonly folder: string;
  readonly synchronous: Synchronous;
}

export interface Connection {
  /** A thread of so many stored messages (conversation.ts), open; what it gives runs the next turn on it. */
  thread(length: number): Promise<() => unknown>;
  close(): unknown;
}
