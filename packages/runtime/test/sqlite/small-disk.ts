import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childArgs } from './spawn-child.ts';

/**
 * Runs child.ts with a role in a mount namespace of its own, in which `$DISK` is a tmpfs of so many kilobytes; a shell command can
 * prepare it. Gives the lines that it said, or `null` where this machine allows no namespaces.
 */
export function onSmallDisk({ kilobytes, prepare = 'true', args }: SmallDisk): string[] | null {
  if (!allowsNamespaces()) return null;
  const disk = mkdtempSync(join(tmpdir(), 'spec-disk-'));
  const steps = `mount -t tmpfs -o size=${kilobytes}k tmpfs "$DISK" && ${prepare} && exec "$@"`;
  const inside = args.map((arg) => arg.replace('$DISK', disk));
  const child = spawnSync(
    'unshare',
    ['-rm', 'sh', '-c', steps, 'sh', process.execPath, ...childArgs, ...inside],
    {
      encoding: 'utf8',
      env: { ...process.env, DISK: disk },
    },
  );
  rmSync(disk, { recursive: true });
  if (child.status !== 0)
    throw new Error(`the process on the small disk ended with ${child.status}: ${child.stderr}`);
  return child.stdout.split('\n').slice(0, -1);
}

/** What {@link onSmallDisk} runs, and where. */
export interface SmallDisk {
  kilobytes: number;
  prepare?: string;
  /** In them, `$DISK` stands for the folder. */
  args: readonly string[];
}

/** Linux, with `unshare` of util-linux, where the kernel lets this user have namespaces. */
function allowsNamespaces(): boolean {
  const tried = spawnSync('unshare', ['-rm', 'sh', '-c', 'mount -t tmpfs tmpfs /mnt'], { encoding: 'utf8' });
  return tried.status === 0;
}
