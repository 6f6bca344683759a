import { RunError } from '@spec/hooks';
import type { Session } from './connection/session.ts';
import { nameStore, unreadable } from './failures.ts';
import { inSchema, migrations } from './schema/migrations.ts';

/** The oldest release with all that the tables and functions need. */
const oldestServer = 14;

type ServerRow = [
  version: number,
  encoding: string,
  isReplica: boolean,
  isReadOnly: boolean,
  hasMeta: boolean,
];

/**
 * Checks that the server is usable, and brings the schema to this version.
 * @param migrate makes and changes tables; otherwise they must exist
 * @throws RunError `store_unreadable`, `store_older`, `store_newer` or `store_failed`
 */
export async function openSchema(session: Session, migrate: boolean): Promise<void> {
  const { schema } = session.settings;
  const hasMeta = await checkServer(session);
  const version = hasMeta ? await readVersion(session) : 0;
  if (version > migrations.length) throw newer(schema, version);
  if (migrate && version < migrations.length) await applyMigrations(session);
  if (migrate) return mendRestored(session);
  if (version === migrations.length) return;
  if (version === 0)
    throw unreadable(
      schema,
      'it has no tables; open it once without migrate: false, as a user who may create them',
    );
  throw older(schema, version);
}

/**
 * Checks that the server can be read, a replica too, and that the schema is of this version.
 * @throws RunError `store_unreadable`, `store_older`, `store_newer` or `store_failed`
 */
export async function checkSchema(session: Session): Promise<void> {
  const { schema } = session.settings;
  const hasMeta = await checkServer(session, 'read');
  const version = hasMeta ? await readVersion(session) : 0;
  if (version > migrations.length) throw newer(schema, version);
  if (version === 0) throw unreadable(schema, 'it has no tables; name the schema of a store');
  if (version < migrations.length) throw older(schema, version);
  if (await wasRestored(session))
    throw unreadable(
      schema,
      'it was restored from a dump of another server; open it once with postgresStore, as its owner',
    );
}

/** Rows whose transaction this server has not had yet came with a dump: nobody could say what is new beside them. */
const fromElsewhere = 'r.stored_in >= pg_snapshot_xmax(pg_current_snapshot())';

async function wasRestored(session: Session): Promise<boolean> {
  const look = session.prepare(`select exists (select from $schema.hook_runs r where ${fromElsewhere})`);
  return (await session.ask(look, []))[0]?.[0] === true;
}

/** Gives such rows a transaction of this server, some at a time. */
async function mendRestored(session: Session): Promise<void> {
  const mend = session.prepare(`
    update $schema.hook_runs m set stored_in = default where m.key in (
      select r.key from $schema.hook_runs r where ${fromElsewhere} limit 10000)`);
  while (await wasRestored(session)) await session.ask(mend, []);
}

/** Whether the schema exists. */
async function checkServer(session: Session, access: 'write' | 'read' = 'write'): Promise<boolean> {
  const { schema } = session.settings;
  const look = session.prepare(`
    select current_setting('server_version_num')::integer, current_setting('server_encoding'), pg_is_in_recovery(),
      current_setting('transaction_read_only')::boolean, to_regclass('$schema.meta') is not null`);
  const [row] = await session.ask(look, []);
  const [version, encoding, isReplica, isReadOnly, hasMeta] = row as ServerRow;
  const problem = findServerProblem({
    version,
    encoding,
    isReadOnly: access === 'write' && (isReplica || isReadOnly),
  });
  if (problem !== undefined) throw unreadable(schema, problem);
  return hasMeta;
}

/** Why the server cannot be used; `undefined` if it can. */
export function findServerProblem(server: {
  readonly version: number;
  readonly encoding: string;
  readonly isReadOnly: boolean;
}): string | undefined {
  const release = Math.floor(server.version / 10_000);
  if (release < oldestServer) return `the server is PostgreSQL ${release}; use ${oldestServer} or newer`;
  if (server.encoding !== 'UTF8')
    return "the database has another encoding than UTF8; create one with ENCODING 'UTF8' TEMPLATE template0";
  if (server.isReadOnly)
    return 'the server takes no writes: it is a replica, or the database is set to read only; connect to the primary, or unset default_transaction_read_only';
  return undefined;
}

async function readVersion(session: Session): Promise<number> {
  const [[version] = []] = await session.ask(session.prepare('select version from $schema.meta'), []);
  return Number(version);
}

/**
 * Applies all missing migrations in one statement, and so in one transaction. A second process waits and finds nothing to do. The statement
 * is a `do` block, because a prepared statement is one command.
 */
async function applyMigrations(session: Session): Promise<void> {
  const { schema } = session.settings;
  const steps = migrations.map((sql, index) => {
    const body = inSchema(sql, schema);
    return `if seen <= ${index} then execute $step${index}$${body}$step${index}$; end if;`;
  });
  const text = `do $migrate$
declare seen integer;
begin
  perform pg_advisory_xact_lock(hashtextextended('spec-hooks ${schema}', 0));
  execute 'create schema if not exists "${schema}"';
  execute 'create table if not exists "${schema}".meta (version integer not null)';
  execute 'select coalesce(max(version), 0) from "${schema}".meta' into seen;
  ${steps.join('\n  ')}
  if seen < ${migrations.length} then
    execute 'delete from "${schema}".meta';
    execute 'insert into "${schema}".meta values (${migrations.length})';
  end if;
end
$migrate$`;
  await session.ask(session.prepare(text), []);
}

function newer(schema: string, version: number): RunError {
  const message = `${nameStore(schema)}: it was written by a newer version (schema ${version}, this one knows ${migrations.length}); update @spec/postgres`;
  return new RunError('store_newer', message);
}

function older(schema: string, version: number): RunError {
  const message = `${nameStore(schema)}: it was written by an older version (schema ${version}, this one needs ${migrations.length}); open it once without migrate: false`;
  return new RunError('store_older', message);
}
