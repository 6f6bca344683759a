import { spawn } from 'node:child_process';
import type { Called } from './called.ts';

/** Starts the daemon that answers the next events, where the launcher looks for one. It outlives this process and the agent. */
export function startDaemon({ scope, root, socket }: Pick<Called, 'scope' | 'root' | 'socket'>): void {
  const [, program] = process.argv;
  if (socket === undefined || program === undefined) return;
  const place = scope === 'project' ? ['--root', root] : [];
  const child = spawn(process.execPath, [program, 'hook', '--serve', '--socket', socket, ...place], {
    ...{ cwd: root, detached: true, stdio: 'ignore' },
  });
  // Without a daemon every event is answered as this one.
  child.on('error', () => {});
  child.unref();
}
