import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { restateProgram } from './install.ts';
import { type Service, startService } from './service.ts';

/** A Restate server of ours. */
export interface RestateServer extends Service {
  /** Where turns are sent. */
  readonly ingress: string;
  /** Where workers are registered. */
  readonly admin: string;
}

interface RestateOptions {
  /** Its state and all that belongs to it; made where it is not there. */
  readonly folder: string;
  /** Its settings as TOML, with these ports. */
  readonly config: string;
  readonly ports: { readonly ingress: number; readonly admin: number };
}

/** Starts Restate with its state in a folder, and waits until it takes calls. */
export async function startRestate({ folder, config, ports }: RestateOptions): Promise<RestateServer> {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'restate.toml');
  writeFileSync(file, config);
  const ingress = `http://127.0.0.1:${ports.ingress}`;
  const admin = `http://127.0.0.1:${ports.admin}`;
  const service = await startService({
    name: 'restate',
    folder,
    file: restateProgram(),
    args: ['--config-file', file],
    env: { DO_NOT_TRACK: '1', RUST_LOG: 'warn' },
    endsBy: 'SIGTERM',
    isReady: async () => (await answers(`${admin}/health`)) && (await answers(`${ingress}/restate/health`)),
  });
  return { ...service, ingress, admin };
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(1_000) })).ok;
  } catch {
    return false;
  }
}
