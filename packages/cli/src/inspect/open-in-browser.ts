import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** How long the browser may take to read the file. */
const readMs = 60_000;

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** Opens a link by a file that only this user can read: arguments of processes can be read by all. */
export async function openInBrowser(url: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'spec-hooks-open-'));
  const file = join(folder, 'open.html');
  await writeFile(file, `<!doctype html><meta http-equiv="refresh" content="0;url=${url}">\n`, {
    mode: 0o600,
  });
  const [command = 'xdg-open', ...args] = openers[process.platform] ?? [];
  const child = spawn(command, [...args, file], { stdio: 'ignore', detached: true });
  child.once('error', () =>
    process.stderr.write('spec-hooks: no browser could be started: open the link by hand.\n'),
  );
  child.unref();
  setTimeout(() => void rm(folder, { recursive: true, force: true }), readMs).unref();
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}
