import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Synchronous } from './contender.ts';

/** Another project that turns are compared with. None of them is part of the workspace. */
export interface Peer {
  readonly name: string;
  /** Its contender, in the folder `peers`. */
  readonly module: string;
  /** Without this package it is not installed. */
  readonly needs: string;
  /** How many times as many turns we should run at 1,000 messages. */
  readonly atLeast: { readonly [How in Synchronous]?: number };
}

/** The peers that will run, and what a reader must know of those that will not. */
export interface Peers {
  readonly present: readonly Peer[];
  readonly notes: readonly string[];
}

const peers: readonly Peer[] = [
  { name: 'AI SDK 7, inserts by hand', module: 'ai-sdk.mjs', needs: 'ai', atLeast: { NORMAL: 2, FULL: 1.4 } },
  {
    name: 'OpenAI Agents SDK, last 20',
    module: 'openai-agents.mjs',
    needs: '@openai/agents',
    atLeast: { NORMAL: 9, FULL: 2.5 },
  },
  { name: 'Mastra, libSQL memory', module: 'mastra.mjs', needs: '@mastra/core', atLeast: { NORMAL: 120 } },
  {
    name: 'LangChain, SQLite checkpointer',
    module: 'langchain.mjs',
    needs: 'langchain',
    atLeast: { NORMAL: 750 },
  },
  {
    name: 'pi agent core, log file',
    module: 'pi.mjs',
    needs: '@mariozechner/pi-agent-core',
    atLeast: { NORMAL: 0.3, FULL: 1.1 },
  },
];

const folder = new URL('../../peers/', import.meta.url);

export function findModule({ module }: Peer): URL {
  return new URL(module, folder);
}

/** @param wanted Whether peers are to run, and to be installed where they are not. */
export function findPeers(wanted: boolean): Peers {
  if (wanted && !peers.every(isInstalled)) install();
  const present = wanted ? peers.filter(isInstalled) : [];
  const skipped = peers.filter((peer) => !present.includes(peer));
  const how = wanted
    ? 'npm could not install it; `npm ci` in packages/bench/peers tells why'
    : '`npm run bench -- --peers` installs and measures it too';
  return { present, notes: skipped.map(({ name }) => `skipped: ${name} (${how})`) };
}

function isInstalled({ needs }: Peer): boolean {
  return existsSync(new URL(`node_modules/${needs}/package.json`, folder));
}

/** They have a lockfile of their own; some ask for a newer Node than they need. */
function install(): void {
  console.error('Installing what is compared with, about 550 MB, into packages/bench/peers …');
  const flags = ['ci', '--no-audit', '--no-fund', '--loglevel=error', '--engine-strict=false'];
  spawnSync('npm', flags, {
    cwd: fileURLToPath(folder),
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
}
