import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type RedactOptions, redact } from '@spec/builtins';
import { type AnyHook, createExecutor, type Scope, scopeOf } from '@spec/hooks';
import { fakeState, userMessage } from '@spec/hooks/testing';

/** Something that redacts a text. */
export interface Redactor {
  readonly name: string;
  redact(text: string, country?: string): Promise<string>;
}

const OURS = 'this project';

/** This project, as it is set up by default, then the peers that are installed. */
export async function findContenders(withPeers: boolean): Promise<readonly Redactor[]> {
  if (withPeers && !peers.every(isInstalled)) install();
  const present = withPeers ? peers.filter(isInstalled) : [];
  return [ours(), ...(await Promise.all(present.map(loaded)))];
}

/** One executor for all texts: to make one for each, as a test of a hook does, costs more than most texts. */
export function ours(): Redactor {
  const { run } = createExecutor({ timeout: '10m' });
  const byCountry = new Map<string | undefined, Scope>();
  const findScope = (country: string | undefined): Scope => {
    const scope = byCountry.get(country) ?? makeScope(country);
    byCountry.set(country, scope);
    return scope;
  };
  return {
    name: OURS,
    async redact(text, country) {
      const { content } = await run(
        'before_create_message',
        findScope(country),
        fakeState(),
        userMessage(text),
      );
      return String(content);
    },
  };
}

function makeScope(country: string | undefined): Scope {
  const options =
    country === undefined ? {} : { defaultCountry: country as RedactOptions['defaultCountry'] & string };
  const [hook] = redact(options);
  return scopeOf([{ hook: hook as AnyHook, source: 'bench' }]);
}

interface Peer {
  readonly name: string;
  /** Its module in the folder `redact-peers`, which exports `redact(text)`. */
  readonly module: string;
  /** Without this package it is not installed. */
  readonly needs: string;
}

const peers: readonly Peer[] = [
  { name: 'redactpii', module: 'redactpii.mjs', needs: '@redactpii/node' },
  { name: 'redact-pii', module: 'redact-pii.mjs', needs: 'redact-pii' },
];
const folder = new URL('../../redact-peers/', import.meta.url);

/** What a reader must know of the peers that do not run. */
export function missingPeers(contenders: readonly Redactor[]): readonly string[] {
  const present = new Set(contenders.map(({ name }) => name));
  return peers
    .filter(({ name }) => !present.has(name))
    .map(({ name }) => `skipped: ${name} (\`npm run bench -- --peers redact\` installs and measures it too)`);
}

function isInstalled({ needs }: Peer): boolean {
  return existsSync(new URL(`node_modules/${needs}/package.json`, folder));
}

async function loaded({ name, module }: Peer): Promise<Redactor> {
  const peer = (await import(new URL(module, folder).href)) as { redact(text: string): string };
  return { name, redact: async (text) => peer.redact(text) };
}

/** They have a lockfile of their own, because one of them brings the client of a cloud service. */
function install(): void {
  console.error('Installing what redaction is compared with into packages/bench/redact-peers …');
  spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts'], {
    cwd: fileURLToPath(folder),
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
}
