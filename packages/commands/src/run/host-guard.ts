import { spawn } from 'node:child_process';
import { inputFolder, removeInputFolder } from './input-file.ts';
import { hostMark, killLiveGroups, RUN_VARIABLE } from './live-runs.ts';
import { sweepNow } from './sweep.ts';

/**
 * Waits until its standard input ends, which it does however the host ends; then kills what carries the host's mark and removes its payloads.
 * Twice, for a process that forked meanwhile.
 */
const WATCH = `trap '' HUP INT TERM
read -r _
for round in 1 2 3; do
  for found in $(grep -alF "$1" /proc/[0-9]*/environ 2>/dev/null); do
    found=\${found#/proc/}
    kill -9 "\${found%/environ}" 2>/dev/null
  done
done
rm -rf -- "$2"`;

let guarded = false;

/** Makes sure, from the first command on, that nothing of a command outlives this process, even if it is killed. */
export function guardHost(): void {
  if (guarded) return;
  guarded = true;
  process.once('exit', () => {
    killLiveGroups();
    sweepNow();
    removeInputFolder();
  });
  startWatch();
}

function startWatch(): void {
  try {
    const watch = spawn(
      '/bin/sh',
      ['-c', WATCH, 'hook-watch', `${RUN_VARIABLE}=${hostMark}.`, inputFolder()],
      {
        cwd: '/',
        env: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
        detached: true,
        stdio: ['pipe', 'ignore', 'ignore'],
      },
    );
    // If it does not start, the exit of the host still ends its commands, but killing the host does not.
    watch.on('error', () => {});
    watch.stdin.on('error', () => {});
    watch.unref();
    (watch.stdin as unknown as { unref(): void }).unref();
  } catch {
    // As above.
  }
}
