import { dirname, resolve } from 'node:path';
import { createGateway, type Gateway } from '@spec/gateway';
import { durationInMs } from '@spec/hooks';
import { realPaths } from '@spec/hooks/node';
import { ownFolder, stateFolder } from '../agent-state/places.ts';
import { openRunSpool, type RunSpool } from '../agent-state/run-spool.ts';
import { exitCodes } from '../exit-codes.ts';
import { readAccepted } from '../hook/accepted.ts';
import { openFolder, settingsFolder, type UntrustedCode } from '../hook/open-hooks.ts';
import { withHooksApart } from '../hooks-apart.ts';
import { printable } from '../printable.ts';
import { findProjectFolder } from '../project/config.ts';
import type { Project } from '../project/load-project.ts';
import { describeLost } from '../trust/lost-code.ts';
import { wrongUsage } from '../wrong-usage.ts';
import { type GatewayConfig, isOpenToOthers, readGatewayConfig } from './config-file.ts';
import { logIn, logOut } from './login.ts';
import { openServer } from './open-server.ts';
import { openPinStore, watchPins } from './pin-store.ts';
import { openStdio, type Stdio, serveHttp, serveStdio } from './serve.ts';
import { tellEvent } from './tell.ts';
import { readWrappedServer } from './wrapped-server.ts';

/** The options of `spec-hooks gateway`, as they were typed. */
export interface GatewayFlags {
  readonly config?: string;
  /** Of a server that a client has put behind the gateway. */
  readonly name?: string;
  readonly client?: string;
  readonly root?: string;
  readonly user?: boolean;
  readonly port?: string;
  /** The address of a server to log in at, or to forget the login of. */
  readonly login?: string;
  readonly logout?: string;
}

/** Serves clients until they have gone. @param command of the one server, if no file names servers. Gives the exit code. */
export async function runGateway(command: readonly string[], flags: GatewayFlags): Promise<number> {
  if (flags.login !== undefined) return logIn(flags.login);
  if (flags.logout !== undefined) return logOut(flags.logout);
  const port = flags.port === undefined ? undefined : Number(flags.port);
  if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port < 65_536))
    return wrongUsage('--port must be a number from 0 to 65535.');
  if (flags.user === true && flags.root !== undefined) return wrongUsage('Give --user or --root, not both.');
  const servers = readServers(command, flags);
  const stdio = openStdio();
  return withHooksApart(() => serve({ flags, servers, port, stdio }));
}

interface Servers {
  readonly config: GatewayConfig;
  /** Where the project is looked for. */
  readonly folder: string;
  /** What comes before the name of a server in what its pins are kept under. */
  readonly place: string;
}

function readServers(command: readonly string[], flags: GatewayFlags): Servers {
  if (flags.config === undefined) {
    const { name = 'server', client = 'client', root = process.cwd() } = flags;
    const folder = findProjectFolder(root);
    const place = flags.user === true ? client : `${folder} ${client}`;
    return { config: readWrappedServer(name, command), folder, place };
  }
  const file = resolve(flags.config);
  const config = readGatewayConfig(file);
  if (isOpenToOthers(file) && holdsSecrets(config))
    process.stderr.write(
      `spec-hooks: ${printable(flags.config)} can be read by others on this machine, and holds what may be secret: chmod 600 it.\n`,
    );
  return { config, folder: findProjectFolder(flags.root ?? dirname(file)), place: file };
}

interface Serving {
  readonly flags: GatewayFlags;
  readonly servers: Servers;
  readonly port: number | undefined;
  readonly stdio: () => Stdio;
}

async function serve({ flags, servers, port, stdio }: Serving): Promise<number> {
  const from = process.cwd();
  const scope = flags.user === true ? 'user' : 'project';
  const root = flags.user === true ? ownFolder() : servers.folder;
  const opened = await openFolder({ scope, root });
  if ('refusal' in opened) {
    tellUntrusted(root, opened);
    return exitCodes.findings;
  }
  const ledger = openRunSpool(stateFolder(root), 'gateway');
  const allowPartial = readAccepted(settingsFolder(scope, root), 'gateway');
  const gateway = openGateway({ ...servers, from, allowPartial }, opened, ledger.note);
  const endWatch = watchPins(() => gateway.refresh());
  try {
    await (port === undefined ? serveStdio(gateway, stdio) : serveHttp(gateway, port));
  } finally {
    endWatch();
    await gateway.close();
    ledger.write();
    await opened.close();
  }
  return exitCodes.fine;
}

function tellUntrusted(root: string, code: UntrustedCode): void {
  if (code.refusal === 'lost') {
    process.stderr.write(`spec-hooks: in ${printable(root)}: ${describeLost(code)}\n`);
    return;
  }
  const { refusal, subject } = code;
  const why =
    refusal === 'unknown' ? 'nobody on this machine has trusted it' : 'it has changed since it was trusted';
  process.stderr.write(
    `spec-hooks: the code of the hooks must not run: ${why}. A person can look at it, in ${printable(root)}: spec-hooks trust ${printable(subject)}\n`,
  );
}

interface GatewayPlace extends Servers {
  /** Hooks that may run in part, or never, beside those of the file. */
  readonly allowPartial: readonly string[];
  /** Where servers are started that name no folder. */
  readonly from: string;
}

function openGateway(
  { config, place, from, allowPartial: accepted }: GatewayPlace,
  { hooks, policies, folder }: Project,
  note: RunSpool['note'],
): Gateway {
  const { mcpServers, limits = {}, allowPartial = [], firstUse = 'trust' } = config;
  const timeoutMs = durationInMs(limits.total ?? '1h') ?? 3_600_000;
  const servers = Object.entries(mcpServers).map(([name, server]) =>
    openServer(name, server, { from, timeoutMs }),
  );
  const ids = new Set([...hooks, ...policies].map(({ id }) => id));
  return createGateway({
    ...{ servers, hooks, policies, limits, firstUse, environment: realPaths(folder) },
    allowPartial: [...new Set([...accepted.filter((id) => ids.has(id)), ...allowPartial])],
    pins: openPinStore(),
    nameSubject: (server) => `${place}#${server}`,
    onEvent: tellEvent,
    onRun: (run, { state }) => note(run, state.threadId),
  });
}

/** Whether a configuration gives servers anything that others should not read. */
function holdsSecrets({ mcpServers }: GatewayConfig): boolean {
  return Object.values(mcpServers).some((server) =>
    'url' in server ? server.headers !== undefined : server.env !== undefined,
  );
}
