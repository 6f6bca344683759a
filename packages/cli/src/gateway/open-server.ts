import { resolve } from 'node:path';
import type { UpstreamServer } from '@spec/gateway';
import { openMcpTransport } from '@spec/runtime/mcp';
import { printable } from '../printable.ts';
import type { ConfiguredAddress, ConfiguredProcess, ConfiguredServer } from './config-file.ts';
import { readLogin } from './login-store.ts';

/** Where a process is started that names no folder, and how long a request over HTTP may take. */
export interface ServerPlace {
  readonly from: string;
  readonly timeoutMs: number;
}

/** A server of a configuration, as the gateway starts it. */
export function openServer(name: string, server: ConfiguredServer, place: ServerPlace): UpstreamServer {
  return 'url' in server ? openAddress(name, server, place) : openProcess(name, server, place);
}

/** Paths of addresses hold keys, too: none is told. */
const loginHint = 'spec-hooks gateway --login ADDRESS';

/** So much of what servers write to stderr waits for a client that does not read it, in bytes; what comes then is dropped. */
const MAX_UNREAD = 1_000_000;

/** Headers that a configuration gives take precedence over a login. */
function openAddress(
  name: string,
  { url, headers = {}, type }: ConfiguredAddress,
  { timeoutMs }: ServerPlace,
): UpstreamServer {
  const openAs = (sse: boolean) => () => openMcpTransport({ url, headers, sse }, timeoutMs, readLogin(url));
  if (type === 'sse') return { name, loginHint, open: openAs(true) };
  return { name, loginHint, open: openAs(false), openOld: openAs(true) };
}

function openProcess(
  name: string,
  { command, args = [], env = {}, cwd = '.' }: ConfiguredProcess,
  { from, timeoutMs }: ServerPlace,
): UpstreamServer {
  const onStderr = (text: string): void => {
    if (process.stderr.writableLength > MAX_UNREAD) return;
    process.stderr.write(`[${printable(name)}] ${printable(text)}`);
  };
  const options = { command, args, env, cwd: resolve(from, cwd), onStderr };
  return { name, open: () => openMcpTransport(options, timeoutMs) };
}
