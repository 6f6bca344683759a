import { randomUUID } from 'node:crypto';
import type { HookMessage } from '@spec/hooks';
import Database from 'better-sqlite3';

/** A message with the fields that hooks add to it. */
export type Message = HookMessage & Record<string, unknown>;

/** The messages of one thread, in a table of SQLite's: what an application has that stores for itself. */
export interface Messages {
  insert(draft: Record<string, unknown>): Message;
  update(id: string, changes: Record<string, unknown>): Message;
  /** Whether there was one. */
  remove(id: string): boolean;
  all(): Message[];
  close(): void;
}

export function openMessages(path: string): Messages {
  const db = new Database(path);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = NORMAL');
  db.exec(
    'CREATE TABLE IF NOT EXISTS messages (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, message TEXT NOT NULL)',
  );
  const insert = db.prepare('INSERT INTO messages (id, message) VALUES (?, ?)');
  const update = db.prepare('UPDATE messages SET message = ? WHERE id = ?');
  const remove = db.prepare('DELETE FROM messages WHERE id = ?');
  const one = db.prepare('SELECT message FROM messages WHERE id = ?').pluck();
  const all = db.prepare('SELECT message FROM messages ORDER BY seq').pluck();
  return {
    insert(draft) {
      const message = { id: randomUUID(), created_at: Date.now() * 1000, ...draft } as Message;
      insert.run(message.id, JSON.stringify(message));
      return message;
    },
    update(id, changes) {
      if ('id' in changes && changes.id !== id) throw new Error('A message keeps its id.');
      const found = one.get(id);
      if (found === undefined) throw new Error(`There is no message ${id}.`);
      const message = { ...(JSON.parse(found as string) as Message), ...changes, id };
      update.run(JSON.stringify(message), id);
      return message;
    },
    remove: (id) => remove.run(id).changes > 0,
    all: () => (all.all() as string[]).map((json) => JSON.parse(json) as Message),
    close: () => void db.close(),
  };
}
