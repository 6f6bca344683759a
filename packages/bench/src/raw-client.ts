import Database from 'better-sqlite3';
import type { Synchronous } from './turn/contender.ts';

/** A file of ours, opened by better-sqlite3 and nothing else, with the settings that our store has. */
export function rawClient(path: string, synchronous: Synchronous): Database.Database {
  const client = new Database(path);
  configure(client, synchronous);
  return client;
}

/** The settings of our store. */
export function configure(client: Database.Database, synchronous: Synchronous): void {
  const settings = [
    'journal_mode = WAL',
    `synchronous = ${synchronous}`,
    'secure_delete = ON',
    'foreign_keys = ON',
  ];
  for (const setting of settings) client.pragma(setting);
}
