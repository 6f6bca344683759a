import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';

/** Ports of loopback that nobody uses now. */
export async function findFreePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports: number[] = [];
  for (const server of servers) {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(0, '127.0.0.1', resolve);
    });
    ports.push((server.address() as AddressInfo).port);
  }
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

/** Ports by name, the same at each start in a folder: what is under way in Restate belongs to the address of its workers. */
export async function keepPorts<Name extends string>(
  folder: string,
  names: readonly Name[],
): Promise<Record<Name, number>> {
  const file = join(folder, 'ports.json');
  const kept: Record<string, number> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const missing = names.filter((name) => kept[name] === undefined);
  const free = await findFreePorts(missing.length);
  for (const [index, name] of missing.entries()) kept[name] = free[index] ?? 0;
  if (missing.length > 0) writeFileSync(file, `${JSON.stringify(kept, undefined, 2)}\n`);
  return kept as Record<Name, number>;
}
