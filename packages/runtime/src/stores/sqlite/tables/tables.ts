// Tables: the statements of each table. Only the store's methods call it; it never begins a transaction.

import type { Commits } from '../file/commits.ts';
import type { Connection } from '../file/connection.ts';
import { type CallTable, callTable } from './calls.ts';
import { type FileTable, fileTable } from './files.ts';
import { type LeaseTable, leaseTable } from './leases.ts';
import { type LedgerTable, prepareLedger } from './ledger.ts';
import { type LedgerPages, ledgerPages } from './ledger-pages.ts';
import { type MessageTable, messageTable } from './messages.ts';
import { type QueueTable, queueTable } from './queue.ts';
import { type ThreadTable, threadTable } from './threads.ts';
import { type ValueTable, valueTable } from './values.ts';

/** The prepared statements of one connection, by table. */
export interface Tables {
  threads: ThreadTable;
  messages: MessageTable;
  calls: CallTable;
  queue: QueueTable;
  values: ValueTable;
  files: FileTable;
  leases: LeaseTable;
  ledger: LedgerTable;
  ledgerPages: LedgerPages;
}

/** What the store's methods use: the statements, and access to the file. */
export interface OpenFile {
  tables: Tables;
  commits: Commits;
}

/** Reads by a thread's key; returns `absent` if there is no such thread. */
export type ReadThread = <R>(threadId: string, absent: R, work: (thread: number) => R) => Promise<R>;

/** Reads what belongs to a thread. */
export function threadReader({ tables: { threads }, commits }: OpenFile): ReadThread {
  return (threadId, absent, work) =>
    commits.read(() => {
      const thread = threads.keyOf(threadId);
      return thread === undefined ? absent : work(thread);
    });
}

/** Prepares the statements of every table. */
export function prepareTables(connection: Connection): Tables {
  return {
    threads: threadTable(connection),
    messages: messageTable(connection),
    calls: callTable(connection),
    queue: queueTable(connection),
    values: valueTable(connection),
    files: fileTable(connection),
    leases: leaseTable(connection),
    ledger: prepareLedger(connection),
    ledgerPages: ledgerPages(connection),
  };
}
