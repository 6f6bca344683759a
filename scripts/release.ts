// Publishes the packages whose versions the registry does not have yet, and tags them. Asks for what is missing before it sends anything.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packPackages, publicRepository } from './pack/pack-packages.ts';
import { buildPackages } from './setup/build.mjs';

const target = mkdtempSync(join(tmpdir(), 'release-'));
try {
  if (publicRepository() === undefined)
    throw new Error(
      'package.json has no "repository": write the address of the public repository there first.',
    );
  const failure = buildPackages('./packages/*');
  if (failure !== undefined) throw new Error(failure);
  for (const { name, version, file } of packPackages(target))
    if (!run('npm', ['view', `${name}@${version}`, 'version'], 'ignore'))
      demand('npm', ['publish', file, '--access', 'public']);
  demand('changeset', ['tag']);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  rmSync(target, { recursive: true, force: true });
}

function demand(command: string, args: readonly string[]): void {
  if (!run(command, args, 'inherit')) throw new Error(`${command} ${args.join(' ')} failed.`);
}

function run(command: string, args: readonly string[], stdio: 'ignore' | 'inherit'): boolean {
  return spawnSync(command, args, { stdio, shell: process.platform === 'win32' }).status === 0;
}
