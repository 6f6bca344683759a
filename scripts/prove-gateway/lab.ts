import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** What is tried, as it is published. The conformance tests need a newer Node than this project. */
const packages = {
  '@modelcontextprotocol/conformance': '0.1.16',
  '@modelcontextprotocol/sdk': '1.32.2',
  '@modelcontextprotocol/inspector': '2.12.0',
  '@ai-sdk/mcp': '2.0.99',
  '@langchain/mcp-adapters': '1.1.4',
  '@langchain/core': '1',
  node: '22',
} as const;

/** The client of the SDK for Python, tried where there is a Python 3. */
const pythonSdk = { name: 'mcp', version: '2.3.0' } as const;

/** The command of a server that is a process. */
export type ServerCommand = readonly [string, ...string[]];

/** A folder with what is tried, and the processes that were started there. */
export class Lab {
  /** The programs are kept between runs. */
  readonly programs: string = process.env.GATEWAY_LAB ?? join(tmpdir(), 'spec-hooks-gateway');
  readonly #folder = mkdtempSync(join(tmpdir(), 'prove-gateway-'));
  readonly #children: ChildProcess[] = [];

  constructor() {
    if (!existsSync(join(this.programs, 'node_modules'))) {
      mkdirSync(this.programs, { recursive: true });
      writeFileSync(join(this.programs, 'package.json'), '{ "private": true }');
      const wanted = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
      const args = ['install', '--no-audit', '--no-fund', ...wanted];
      execFileSync('npm', args, { cwd: this.programs, stdio: 'inherit' });
    }
    cpSync(join(root, 'scripts/prove-gateway/programs'), this.programs, { recursive: true });
  }

  /** The Node that runs what is tried. */
  get node(): string {
    return join(this.programs, 'node_modules/node/bin/node');
  }

  /** A Python with the SDK, whose packages are kept between runs; nothing where there is no Python 3. */
  makePython(): string | undefined {
    const folder = join(this.programs, 'python');
    const python = join(folder, 'bin/python');
    if (existsSync(python)) return python;
    if (spawnSync('python3', ['-m', 'venv', folder], { stdio: 'inherit' }).status !== 0) return undefined;
    const wanted = `${pythonSdk.name}==${pythonSdk.version}`;
    execFileSync(python, ['-m', 'pip', 'install', '--quiet', wanted], { stdio: 'inherit' });
    return python;
  }

  /** The server with everything that the conformance tests ask for. @param args how it is served */
  makeServer(...args: readonly string[]): ServerCommand {
    return [process.execPath, join(root, 'packages/gateway/test/servers/conformance.mjs'), ...args];
  }

  /** The gateway before one server, under the name of a configuration of its own. */
  makeGateway(name: string, server: object, ...flags: readonly string[]): ServerCommand {
    const file = join(this.#folder, `${name}.json`);
    // What is compared are answers, on a machine that may be slow: nobody is told of a server that comes later.
    const limits = { firstAnswer: '1m' };
    writeFileSync(file, JSON.stringify({ mcpServers: { tested: server }, limits }));
    const main = join(root, 'packages/cli/dist/main.mjs');
    return [process.execPath, main, 'gateway', '--config', file, ...flags];
  }

  /** What programs of the lab are started with: nothing of this machine's person. */
  get env(): Record<string, string> {
    return { PATH: process.env.PATH ?? '', HOME: this.#folder };
  }

  /** Serves at a free port until the lab is closed. @returns the address */
  async serve(command: (port: string) => ServerCommand): Promise<string> {
    const port = await findFreePort();
    const [program, ...args] = command(String(port));
    const options = { cwd: this.#folder, env: this.env, stdio: 'ignore' } as const;
    this.#children.push(spawn(program, args, options));
    const url = `http://127.0.0.1:${port}/mcp`;
    await untilServed(url);
    return url;
  }

  close(): void {
    for (const child of this.#children) child.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

export const pythonTried: string = `\`${pythonSdk.name}\` ${pythonSdk.version} (Python)`;

/** The version of a package that is tried, as its row names it. */
export function nameTried(name: keyof typeof packages): string {
  return `\`${name}\` ${packages[name]}`;
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function untilServed(url: string): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    const isServed = await fetch(url).then(
      () => true,
      () => false,
    );
    if (isServed) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`Nobody answers at ${url}.`);
}
