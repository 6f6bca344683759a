// Proves that the gateway changes nothing that it should not: the official conformance tests of MCP and real clients, behind it and without it, and
// what servers do to it. `npm run prove-gateway` does it and writes what was seen to scripts/prove-gateway/observed.json, from which the table in
// docs/gateway.md comes; `-- clients` tries one part alone, of conformance, clients and faults, and keeps what was seen of the others. It installs
// a quarter of a gigabyte and takes minutes, so that CI does not.
import { gatewayFaults } from '../packages/cli/test/gateway-faults.ts';
import { proveClients, proveEverything } from './prove-gateway/clients.ts';
import { proveConformance } from './prove-gateway/conformance.ts';
import { Lab } from './prove-gateway/lab.ts';
import { type SeenRow, writeObserved } from './prove-gateway/observed.ts';
import { buildPackages } from './setup/build.mjs';

const parts: Readonly<Record<string, (lab: Lab) => Promise<readonly SeenRow[]>>> = {
  conformance: proveConformance,
  clients: async (lab) => [await proveEverything(lab), ...(await proveClients(lab))],
  faults: proveFaults,
};

const failure = buildPackages('@spec/cli...');
if (failure !== undefined) throw new Error(failure);
const lab = new Lab();
try {
  const chosen = process.argv.slice(2);
  const rows: SeenRow[] = [];
  for (const [name, prove] of Object.entries(parts))
    if (chosen.length === 0 || chosen.includes(name)) rows.push(...(await prove(lab)));
  for (const { title, seen } of rows) console.log(`${title}: ${seen}`);
  writeObserved(rows, { isWhole: chosen.length === 0 });
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
