import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { findLibrariesOfPostgres, postgresFolder } from './install.ts';
import { type Service, startService } from './service.ts';

/** A PostgreSQL server of ours. */
export interface PostgresServer extends Service {
  /** With user and password. */
  readonly url: string;
  /** The address without the password, and the password. */
  readonly address: string;
  readonly password: string;
}

interface PostgresOptions {
  /** Its data and all that belongs to it; made where it is not there. */
  readonly folder: string;
  readonly port: number;
  /** `false`: nothing waits for the disk. A crash of the machine may then lose everything, one of the server nothing. */
  readonly isDurable?: boolean;
}

/** PostgreSQL refuses to run as root: then it runs as `nobody`, to whom the folders above its data must be open. */
const nobody = { uid: 65_534, gid: 65_534 };
const user = process.getuid?.() === 0 ? nobody : undefined;

/** Starts PostgreSQL with its data in a folder, on loopback alone. */
export async function startPostgres({
  folder,
  port,
  isDurable = true,
}: PostgresOptions): Promise<PostgresServer> {
  const native = postgresFolder();
  const data = join(folder, 'data');
  const env = { LD_LIBRARY_PATH: findLibrariesOfPostgres(), TZ: 'UTC' };
  const password = makeData(folder, { native, data, env });
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    'unix_socket_directories=',
    'dynamic_shared_memory_type=mmap', // The shared memory of containers is small.
    'max_connections=200',
    ...(isDurable ? [] : ['fsync=off', 'full_page_writes=off']),
  ];
  const service = await startService({
    name: 'postgres',
    folder,
    file: join(native, 'bin/postgres'),
    args: ['-D', data, ...settings.flatMap((setting) => ['-c', setting])],
    env,
    user,
    endsBy: 'SIGINT', // SIGTERM would wait for its clients.
    isReady: (pid) => isReady(data, pid),
  });
  const address = `postgres://spec@127.0.0.1:${port}/postgres`;
  return { ...service, address, password, url: address.replace('@', `:${password}@`) };
}

interface ReplicaOptions extends PostgresOptions {
  /** The server that it follows, and the folder of that. */
  readonly primary: PostgresServer;
  readonly primaryFolder: string;
  /**
   * Calls `copy` between `pg_backup_start('replica', true)` and `pg_backup_stop(false)` on one connection to the primary. Gives the
   * `labelfile` of the latter.
   */
  backUp(copy: () => void): Promise<string>;
}

/** Starts a server that follows another one: a copy of its data, by hand, because the binaries have no pg_basebackup. */
export async function startReplica(options: ReplicaOptions): Promise<PostgresServer> {
  const { primary, primaryFolder, backUp, ...own } = options;
  const data = join(own.folder, 'data');
  const label = await backUp(() => {
    mkdirSync(own.folder, { recursive: true });
    for (const name of ['data', 'password'])
      cpSync(join(primaryFolder, name), join(own.folder, name), {
        recursive: true,
        filter: (file) => existsSync(file),
      });
  });
  for (const file of ['postmaster.pid', 'postmaster.opts']) rmSync(join(data, file), { force: true });
  const { hostname, port, username } = new URL(primary.address);
  const place = `host=${hostname} port=${port} user=${username} password=${primary.password} application_name=replica`;
  appendFileSync(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${place}'\n`);
  writeFileSync(join(data, 'backup_label'), label);
  writeFileSync(join(data, 'standby.signal'), '');
  if (user !== undefined) giveAway(own.folder, user);
  return startPostgres(own);
}

function giveAway(path: string, { uid, gid }: typeof nobody): void {
  const below = readdirSync(path, { recursive: true, encoding: 'utf8' });
  for (const file of [path, ...below.map((name) => join(path, name))]) chownSync(file, uid, gid);
}

interface NewData {
  readonly native: string;
  readonly data: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Makes the data the first time. Gives the password. */
function makeData(folder: string, { native, data, env }: NewData): string {
  const file = join(folder, 'password');
  if (existsSync(join(data, 'PG_VERSION'))) return readFileSync(file, 'utf8').trim();
  const password = randomBytes(16).toString('hex');
  mkdirSync(data, { recursive: true, mode: 0o700 });
  writeFileSync(file, `${password}\n`, { mode: 0o600 });
  if (user !== undefined) for (const path of [folder, data, file]) chownSync(path, user.uid, user.gid);
  const flags = ['--auth=scram-sha-256', `--pwfile=${file}`, '--encoding=UTF8', '--locale=C', '--no-sync'];
  execFileSync(join(native, 'bin/initdb'), ['-D', data, '-U', 'spec', ...flags], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
    ...user,
  });
  return password;
}

/** The server writes how far it is into a file of its data; one that was killed leaves its file behind. */
function isReady(data: string, pid: number): boolean {
  try {
    const lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
    return lines[0] === `${pid}` && /^(?:ready|standby)/.test(lines[7] ?? '');
  } catch {
    return false;
  }
}
