import { DefinitionError, type Records } from '@spec/hooks';
import type { Store } from '@spec/runtime';

/** A database, as `--db` names it. Its address may hold a password: nothing prints it. */
export interface PostgresPlace {
  readonly url: string;
  readonly schema?: string;
  /** As a person calls it. */
  readonly name: string;
}

/** The database that `--db` names, such as `postgres://agents@db.internal/agents?schema=support`; `undefined` for a file. @throws {DefinitionError} `bad_option` */
export function findPostgres(db: string): PostgresPlace | undefined {
  if (!/^postgres(?:ql)?:/i.test(db)) return undefined;
  if (!URL.canParse(db))
    throw new DefinitionError(
      'bad_option',
      '--db is no address of a database: write postgres://user@host:5432/database.',
    );
  const url = new URL(db);
  const schema = url.searchParams.get('schema') ?? undefined;
  url.searchParams.delete('schema');
  const name = [`${url.host}${url.pathname}`, ...(schema === undefined ? [] : [schema])].join(' ');
  return { url: url.href, name, ...(schema !== undefined && { schema }) };
}

/** Reads what is recorded in a database. @throws {DefinitionError} `missing_dependency` */
export async function openPostgresRecords({ url, schema }: PostgresPlace): Promise<Records> {
  const { postgresRecords } = await importPostgres();
  return postgresRecords({ url, schema });
}

const optionsOf = {
  read: { readOnly: true },
  write: { migrate: false },
  make: {},
} as const;

/** Opens a database; only to `make` one makes and changes tables. @throws {DefinitionError} `missing_dependency` */
export async function openPostgresStore(
  { url, schema }: PostgresPlace,
  use: keyof typeof optionsOf,
): Promise<Store> {
  const { postgresStore } = await importPostgres();
  return postgresStore({ url, schema, ...optionsOf[use] });
}

async function importPostgres(): Promise<typeof import('@spec/postgres')> {
  try {
    return await import('@spec/postgres');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new DefinitionError(
      'missing_dependency',
      'A database is read by the package @spec/postgres, which is not installed. Install it: npm install @spec/postgres',
    );
  }
}
