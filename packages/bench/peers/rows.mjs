import { join } from 'node:path';
import Database from 'better-sqlite3';

/**
 * What an application writes by hand where a library stores nothing itself: a table of messages with an index over thread and place,
 * one transaction a message.
 */
export function openRows({ folder, synchronous }) {
  const client = new Database(join(folder, 'rows.db'));
  client.pragma('journal_mode = WAL');
  client.pragma(`synchronous = ${synchronous}`);
  client.exec(`create table messages (
    key integer primary key, thread text not null, seq integer not null, id text not null,
    role text not null, message text not null, metadata text, created_at integer not null
  );
  create unique index messages_order on messages (thread, seq);`);
  const insert = client.prepare(
    'insert into messages (thread, seq, id, role, message, metadata, created_at) values (?, ?, ?, ?, ?, ?, ?)',
  );
  const last = client
    .prepare('select message from messages where thread = ? order by seq desc limit ?')
    .pluck();
  const add = (thread, seq, { metadata = null, ...message }) =>
    insert.run(
      thread,
      seq,
      crypto.randomUUID(),
      message.role ?? message.type,
      JSON.stringify(message),
      metadata,
      Date.now(),
    );
  return {
    add,
    addAll: client.transaction((thread, from, messages) => {
      for (const [at, message] of messages.entries()) add(thread, from + at, message);
    }),
    last: (thread, count) =>
      last
        .all(thread, count)
        .map((text) => JSON.parse(text))
        .reverse(),
    close: () => client.close(),
  };
}
