// `npm run test:postgres`: the tests over PostgreSQL, on the server that SPEC_POSTGRES_URL names, else on one that is installed and started for them.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePorts, installServers, startPostgres } from '../packages/local-services/src/index.ts';

const { SPEC_POSTGRES_URL: given } = process.env;
if (given === undefined) await onOwnServer();
else runTests(given);

async function onOwnServer(): Promise<void> {
  installServers();
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'));
  chmodSync(folder, 0o755); // PostgreSQL may run as another user.
  const [port = 0] = await findFreePorts(1);
  const server = await startPostgres({ folder, port, isDurable: false });
  try {
    runTests(server.url);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function runTests(url: string): void {
  const env = { ...process.env, SPEC_POSTGRES_URL: url };
  const runs = [
    ['--project=proof', 'packages/postgres', 'packages/cli/test/database'],
    ['--project=proof-postgres'],
  ];
  for (const args of runs) {
    const { status } = spawnSync('npx', ['vitest', 'run', ...args, ...process.argv.slice(2)], {
      stdio: 'inherit',
      env,
    });
    if (status !== 0) process.exitCode = 1;
  }
}
