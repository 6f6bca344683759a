import { DefinitionError } from '@spec/hooks';
import type { ConfiguredServer, GatewayConfig } from './config-file.ts';
import { isWebAddress } from './login-store.ts';

/** How a wrapped server at an address is told to the gateway: not as arguments, which everybody on the machine can read. */
export const URL_VARIABLE = 'SPEC_HOOKS_URL';
/** One header a line. */
export const HEADERS_VARIABLE = 'SPEC_HOOKS_HEADERS';

/**
 * The one server that a client has put behind the gateway: a command that follows `--`, else the address in the environment. It gets the
 * environment that the client gave.
 *
 * @throws {DefinitionError} `bad_option` if there is neither
 */
export function readWrappedServer(name: string, command: readonly string[]): GatewayConfig {
  return { mcpServers: { [name]: readServer(command) } };
}

function readServer([command, ...args]: readonly string[]): ConfiguredServer {
  const { [URL_VARIABLE]: url, [HEADERS_VARIABLE]: lines = '', ...env } = process.env;
  if (command !== undefined) return { command, args, env: dropUnset(env) };
  if (url !== undefined && !isWebAddress(url))
    throw new DefinitionError(
      'bad_option',
      `The variable ${URL_VARIABLE} must hold an address that begins with http:// or https://.`,
    );
  if (url !== undefined) return { url, headers: readHeaders(lines) };
  throw new DefinitionError(
    'bad_option',
    `Name the file with the servers with --config FILE, or the command of one server behind --.`,
  );
}

function dropUnset(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}

function readHeaders(lines: string): Record<string, string> {
  const headers = lines.split('\n').flatMap((line) => {
    const at = line.indexOf(':');
    return at < 1 ? [] : [[line.slice(0, at).trim(), line.slice(at + 1).trim()]];
  });
  return Object.fromEntries(headers);
}
