// Runs the pinned pnpm by npx and keeps all it prints in a file.
import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { pinnedManager, root } from './checkout.mjs';
import { headersFolder } from './native.mjs';

/** Few and short retries: without a network the answer comes within half a minute. */
const npxFlags = [
  '--yes',
  '--prefer-offline',
  '--fetch-retries=1',
  '--fetch-retry-mintimeout=2000',
  '--fetch-timeout=60000',
];
const pnpmFlags = [
  '--frozen-lockfile',
  '--prefer-offline',
  '--reporter=append-only',
  '--config.fetchRetries=1',
  '--config.fetchRetryMintimeout=2000',
  '--config.fetchRetryMaxtimeout=2000',
  '--config.fetchTimeout=60000',
];

/**
 * @typedef {object} Installation
 * @property {number | null} code the exit code; null when it was killed or could not be started
 * @property {string} output everything it printed
 */

/**
 * Installs the workspace.
 *
 * @param {object} options
 * @param {string} options.log the file that keeps the output
 * @param {(pid: number) => void} options.onStart called with the installer's process id
 * @param {(piece: string) => string | undefined} options.onOutput called with each piece of output; what it returns is
 *   kept as output too and ends the installer, because there is no use in going on
 * @returns {Promise<Installation>}
 */
export function install({ log, onStart, onOutput }) {
  const child = spawn('npx', [...npxFlags, pinnedManager(), 'install', ...pnpmFlags], {
    cwd: root,
    env: installEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
    detached: process.platform !== 'win32',
  });
  if (child.pid !== undefined) onStart(child.pid);
  const stopForwarding = endWithChild(child);
  const file = createWriteStream(log);
  let output = '';
  /** @param {string} data */
  const keep = (data) => {
    output += data;
    file.write(data);
    const reason = onOutput(data);
    if (reason === undefined) return;
    output += reason;
    file.write(reason);
    endGroup(child);
  };
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', keep);
  return new Promise((resolve) => {
    /** @param {number | null} code */
    const finish = (code) => {
      stopForwarding();
      file.end(() => resolve({ code, output }));
    };
    child.on('error', (error) => {
      keep(String(error));
      finish(null);
    });
    child.on('close', finish);
  });
}

/** @returns {NodeJS.ProcessEnv} */
function installEnvironment() {
  const { NODE_ENV, npm_config_nodedir, ...env } = process.env;
  const headers = headersFolder(process.env);
  return { ...env, CI: 'true', ...(headers === undefined ? {} : { npm_config_nodedir: headers }) };
}

/**
 * The installer has a process group of its own; a signal that ends the set-up ends the whole group.
 *
 * @param {import('node:child_process').ChildProcess} child
 * @returns {() => void} stops forwarding
 */
function endWithChild(child) {
  /** @type {ReadonlyArray<[NodeJS.Signals, number]>} */
  const signals = [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ];
  const handlers = signals.map(([signal, code]) => {
    const handler = () => {
      endGroup(child);
      process.exit(code);
    };
    process.on(signal, handler);
    return () => process.off(signal, handler);
  });
  return () => {
    for (const remove of handlers) remove();
  };
}

/** @param {import('node:child_process').ChildProcess} child */
function endGroup(child) {
  if (child.pid === undefined || process.platform === 'win32') child.kill();
  else process.kill(-child.pid, 'SIGTERM');
}
