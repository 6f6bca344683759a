/**
 * The tables of the first version; `$schema` stands for the quoted name of the schema.
 *
 * T1 `leases` has one row for each thread, made with it. The row is the lock of the thread: every commit locks it first and reads
 *    everything else after that. `version` counts the commits.
 * T2 Indexed ids, keys and paths compare by bytes (`collate "C"`): an index in a language's order breaks when the system's libraries change.
 * T3 JSON is stored as text: jsonb sorts keys, changes numbers and refuses some texts. Columns for any JavaScript number are float8.
 * T4 `seq` is the order of messages in their thread; gaps are fine. `hook_runs.key` is the order of commits within a thread.
 */
export const tables = `
create table $schema.threads (
  key bigint generated always as identity primary key,
  id text collate "C" not null,
  agent_id text not null,
  user_id text,
  parent_id text collate "C",
  depth float8 not null,
  created_at float8 not null,
  current_side text not null,
  terminated text,
  compaction text,
  metadata text not null
);
create unique index threads_id on $schema.threads (id);
create index threads_parent on $schema.threads (parent_id);

create table $schema.open_turns (
  thread bigint primary key references $schema.threads on delete cascade,
  turn_id text not null,
  form float8
);

create sequence $schema.fences;
create table $schema.leases (
  thread bigint primary key references $schema.threads on delete cascade,
  fence bigint not null default 0,
  owner text,
  expires_at float8 not null default 0,
  ttl_ms float8 not null default 0,
  turn_id text,
  version bigint not null default 0,
  last_seq bigint not null default 0,
  last_commit text not null,
  last_posts text[] not null default '{}'
) with (fillfactor = 50);

create table $schema.messages (
  thread bigint not null references $schema.threads on delete cascade,
  seq bigint not null,
  id text collate "C" not null,
  role text not null,
  flags integer not null,
  created_at float8 not null,
  depth float8,
  parent_id text,
  name text,
  tool_call_id text,
  content text,
  tool_calls text,
  metadata text,
  extra text,
  primary key (thread, seq)
);
create unique index messages_id on $schema.messages (thread, id);

create table $schema.tool_calls (
  thread bigint not null,
  seq bigint not null,
  position float8 not null,
  id text not null,
  name text not null,
  status text not null,
  primary key (thread, seq, position),
  foreign key (thread, seq) references $schema.messages on delete cascade
);

create table $schema.queue (
  key bigint generated always as identity primary key,
  thread bigint not null references $schema.threads on delete cascade,
  id text collate "C" not null,
  kind text not null,
  payload text not null
);
create unique index queue_id on $schema.queue (thread, id);

create table $schema.kept_values (
  thread bigint not null references $schema.threads on delete cascade,
  key text collate "C" not null,
  value text not null,
  primary key (thread, key)
);

create table $schema.files (
  thread bigint not null references $schema.threads on delete cascade,
  path text collate "C" not null,
  name text not null,
  mime_type text not null,
  size float8 not null,
  data bytea not null,
  primary key (thread, path)
);

create table $schema.hook_runs (
  key bigint generated always as identity primary key,
  thread bigint not null references $schema.threads on delete cascade,
  stored_in xid8 not null default pg_current_xact_id(),
  turn_id text,
  step float8 not null,
  oldest float8 not null,
  youngest float8 not null,
  runs text not null
);
create index hook_runs_thread on $schema.hook_runs (thread, key);
create index hook_runs_stored on $schema.hook_runs (stored_in);
`;
