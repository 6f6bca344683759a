import { isRecord } from '@spec/hooks';
import type { HookScope } from '../agent-state/places.ts';
import { ownProgram } from '../agents/launcher.ts';
import { HEADERS_VARIABLE, URL_VARIABLE } from '../gateway/wrapped-server.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Whose entries are led through the gateway. */
export interface WrapPlace {
  readonly client: string;
  readonly scope: HookScope;
}

/** Marks an entry as one of ours. */
const MARK = '--client';

/** Whether an entry goes through the gateway already. */
export function isWrapped(entry: unknown): boolean {
  return (
    isRecord(entry) &&
    Array.isArray(entry.args) &&
    entry.args.includes('gateway') &&
    entry.args.includes(MARK)
  );
}

/** Fields by which a client itself logs in at an address. It does not give them to a process, and Codex refuses them there. */
const logins = ['http_headers', 'env_http_headers', 'bearer_token_env_var', 'auth', 'oauth'];

/**
 * The same server, by way of the gateway. What the client puts in for variables, it still does: all texts stay where it looks for them.
 * `undefined`: an entry that is neither a process nor an address, or one where only the client can log in.
 */
export function wrapEntry(name: string, entry: Fields, place: WrapPlace): Fields | undefined {
  const { command, args, url, headers, type, ...rest } = entry;
  const start = startGateway(name, place);
  if (typeof command === 'string') {
    const inner = Array.isArray(args) ? args : [];
    const kind = type === undefined ? {} : { type };
    return { ...kind, command: start.command, args: [...start.args, '--', command, ...inner], ...rest };
  }
  if (typeof url !== 'string' || logins.some((field) => Object.hasOwn(entry, field))) return undefined;
  const lines = Object.entries(isRecord(headers) ? headers : {}).map(
    ([key, value]) => `${key}: ${String(value)}`,
  );
  const env = {
    [URL_VARIABLE]: url,
    ...(lines.length === 0 ? {} : { [HEADERS_VARIABLE]: lines.join('\n') }),
  };
  const kind = type === undefined ? {} : { type: 'stdio' };
  return { ...kind, ...start, env, ...rest };
}

/** In a project, whose files are shared, nothing of this machine is named. */
function startGateway(
  name: string,
  { client, scope }: WrapPlace,
): { readonly command: string; readonly args: readonly string[] } {
  const args = ['gateway', ...(scope === 'user' ? ['--user'] : []), MARK, client, '--name', name];
  if (scope === 'project') return { command: 'npx', args: ['--no-install', 'spec-hooks', ...args] };
  return { command: process.execPath, args: [ownProgram(), ...args] };
}
