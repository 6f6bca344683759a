// Proves that the gateway changes nothing that it should not: the official conformance tests of MCP and real clients, behind it and without it, and
// what servers do to it. `npm run prove-gateway` does it and writes what was seen to scripts/prove-gateway/observed.json, from which the table in
// docs/gateway.md comes; it installs a quarter of a gigabyte and takes minutes, so that CI does not.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gatewayFaults } from '../packages/cli/test/gateway-faults.ts';
import { proveClients, proveEverything } from './prove-gateway/clients.ts';
import { proveConformance } from './prove-gateway/conformance.ts';
import { Lab } from './prove-gateway/lab.ts';
import type { Observed, SeenRow } from './prove-gateway/observed.ts';
import { buildPackages } from './setup/build.mjs';

const failure = buildPackages('@spec/cli...');
if (failure !== undefined) throw new Error(failure);
const lab = new Lab();
try {
  const rows: readonly SeenRow[] = [
    ...(await proveConformance(lab)),
    await proveEverything(lab),
    ...(await proveClients(lab)),
    ...(await proveFaults()),
  ];
  for (const { title, seen } of rows) console.log(`${title}: ${seen}`);
  const observed: Observed = { date: new Date().toISOString().slice(0, 10), rows };
  const file = join(import.meta.dirname, 'prove-gateway/observed.json');
  writeFileSync(file, `${JSON.stringify(observed, undefined, 2)}\n`);
  if (rows.some(({ held }) => !held)) process.exitCode = 1;
} finally {
  lab.close();
}

async function proveFaults(): Promise<readonly SeenRow[]> {
  const rows: SeenRow[] = [];
  for (const { title, run } of gatewayFaults) {
    const seen = await run().catch(String);
    rows.push({ title, seen, held: seen === 'held' });
  }
  return rows;
}
