import { DefinitionError, findUnknownOption, type OptionNames } from '@spec/hooks';
import { type OnUnreadable, warnOnce } from '@spec/runtime/store-kit';
import { nameStore } from './failures.ts';

/** The part of a `Pool` of `pg` that a store needs. */
export interface PostgresPool {
  query(query: {
    name: string;
    text: string;
    values: unknown[];
    rowMode: 'array';
  }): Promise<{ rows: unknown[][] }>;
}

/** Options of `postgresStore`: `url` or `pool`, and settings. */
export interface PostgresOptions {
  /** Such as `postgres://user@host:5432/database`. Without a password, `PGPASSWORD` or the file `PGPASSFILE` gives it. */
  readonly url?: string | undefined;
  /** Your own `Pool` of `pg`, with your settings; `close()` leaves it open. */
  readonly pool?: PostgresPool | undefined;
  /** The schema of the tables; default `spec_hooks`. Several stores may share a database under different names. */
  readonly schema?: string | undefined;
  /**
   * `FULL`, the default: stored data survives a crash of the server. `NORMAL`: it survives the end of this process, but a crash of the
   * server may lose the newest commits, always whole ones. Leases and the inbox are always stored as under `FULL`.
   */
  readonly synchronous?: 'FULL' | 'NORMAL' | undefined;
  /** Default true: makes missing tables and updates old ones. `false` for a user without the right to do so; the tables must exist then. */
  readonly migrate?: boolean | undefined;
  /** Default false. `true`: the server lets this store write nothing, so a replica will do; the tables must exist. Not with `pool`. */
  readonly readOnly?: boolean | undefined;
  /** How long a call is tried again while the server is out of reach, in milliseconds; default 5,000. */
  readonly patienceMs?: number | undefined;
  /** The most connections at once; default 8. Not with `pool`. */
  readonly connections?: number | undefined;
  /** Appends made at the same time share a statement and a sync; default true. */
  readonly batching?: boolean | undefined;
  /** Called with a damaged row that a list leaves out (`store_unreadable`). Default: a process warning, once for each row. */
  readonly onUnreadable?: OnUnreadable | undefined;
}

/** Checked options with their defaults. */
export interface PostgresSettings {
  readonly url: string | undefined;
  readonly pool: PostgresPool | undefined;
  readonly schema: string;
  readonly synchronous: 'FULL' | 'NORMAL';
  readonly migrate: boolean;
  readonly readOnly: boolean;
  readonly patienceMs: number;
  readonly connections: number;
  readonly batching: boolean;
  readonly onUnreadable: OnUnreadable;
}

const optionNames: OptionNames<PostgresOptions> = {
  url: true,
  pool: true,
  schema: true,
  readOnly: true,
  patienceMs: true,
  connections: true,
  onUnreadable: true,
  synchronous: true,
  migrate: true,
  batching: true,
};

/** @throws DefinitionError `bad_option`, naming the option. */
export function checkStoreOptions(options: PostgresOptions): PostgresSettings {
  return check('postgresStore', options, optionNames);
}

/** Options of `postgresSignals`, as those of {@link PostgresOptions}. */
export type PostgresSignalOptions = Pick<PostgresOptions, 'url' | 'schema'>;

/** @throws DefinitionError `bad_option`, naming the option. */
export function checkSignalOptions(options: PostgresSignalOptions): PostgresSettings {
  return check('postgresSignals', options, { url: true, schema: true });
}

function check(
  caller: string,
  options: PostgresOptions,
  names: Readonly<Record<string, true>>,
): PostgresSettings {
  const problem = isObject(options)
    ? (findUnknownOption(options, names) ?? findProblem(options))
    : 'needs options, such as { url }';
  if (problem !== undefined) throw new DefinitionError('bad_option', `${caller}: ${problem}`);
  const { url, pool, schema = 'spec_hooks', synchronous = 'FULL' } = options;
  const { migrate = true, readOnly = false } = options;
  const { patienceMs = 5_000, connections = 8, batching = true } = options;
  const { onUnreadable = warnOnce(nameStore(schema)) } = options;
  return {
    ...{ url, pool, schema, synchronous, migrate, readOnly, patienceMs },
    ...{ connections, batching, onUnreadable },
  };
}

function findProblem(options: PostgresOptions): string | undefined {
  const { schema, synchronous, migrate, readOnly, patienceMs, connections, batching, onUnreadable } = options;
  if (schema !== undefined && !(typeof schema === 'string' && /^[a-z_][a-z0-9_]{0,62}$/.test(schema)))
    return 'schema must be a name of small letters, digits and _, at most 63 of them, that does not begin with a digit';
  if (synchronous !== undefined && synchronous !== 'FULL' && synchronous !== 'NORMAL')
    return "synchronous must be 'FULL' or 'NORMAL'";
  if (!isFlag(migrate)) return 'migrate must be true or false';
  if (!isFlag(readOnly)) return 'readOnly must be true or false';
  if (!isFlag(batching)) return 'batching must be true or false';
  if (!isCount(patienceMs, 0)) return 'patienceMs must be a whole number of milliseconds, 0 or more';
  if (!isCount(connections, 1)) return 'connections must be a whole number of 1 or more';
  if (onUnreadable !== undefined && typeof onUnreadable !== 'function')
    return 'onUnreadable must be a function';
  return findWrongAddress(options);
}

function findWrongAddress({ url, pool }: PostgresOptions): string | undefined {
  if ((url === undefined) === (pool === undefined)) return 'give url or pool, one of the two';
  if (pool !== undefined)
    return isObject(pool) && typeof pool.query === 'function' ? undefined : 'pool must be a Pool of pg';
  const form =
    'url must be such as postgres://user@host:5432/database; write / : @ ? # and % in a password as %2F and so on';
  return typeof url === 'string' && isAddress(url) ? undefined : form;
}

/** The message never quotes the value: it may hold a password. */
function isAddress(url: string): boolean {
  try {
    const { protocol } = new URL(url);
    return protocol === 'postgres:' || protocol === 'postgresql:';
  } catch {
    return false;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isFlag(value: unknown): boolean {
  return value === undefined || typeof value === 'boolean';
}

function isCount(value: unknown, least: number): boolean {
  return (
    value === undefined || (Number.isSafeInteger(value) && Number(value) >= least && Number(value) < 2 ** 31)
  );
}
