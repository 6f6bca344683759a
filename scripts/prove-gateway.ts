// The official conformance tests of MCP, on `server-everything` alone and behind the gateway: what fails behind it must fail without it.
// It installs `@modelcontextprotocol/conformance` and a Node that runs it into a temporary folder: tsx scripts/prove-gateway.ts
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const CONFORMANCE = '@modelcontextprotocol/conformance@0.1.16';
/** The tests need a newer Node than this project. */
const NODE = 'node@22';
const root = join(import.meta.dirname, '..');
const everything = join(
  root,
  'packages/runtime/node_modules/@modelcontextprotocol/server-everything/dist/index.js',
);

const folder = mkdtempSync(join(tmpdir(), 'prove-gateway-'));
const children: ChildProcess[] = [];
try {
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', CONFORMANCE, NODE], {
    cwd: folder,
    stdio: 'inherit',
  });
  const port = 20_000 + (process.pid % 20_000);
  start(process.execPath, [everything, 'streamableHttp'], { PORT: String(port) });
  await untilOpen(port);
  const alone = judge(`http://127.0.0.1:${port}/mcp`);
  writeFileSync(
    join(folder, 'gateway.json'),
    JSON.stringify({
      mcpServers: { everything: { command: process.execPath, args: [everything, 'stdio'] } },
    }),
  );
  const gateway = ['gateway', '--config', join(folder, 'gateway.json'), '--port', String(port + 1)];
  start(process.execPath, [join(root, 'scripts/spec-hooks.mjs'), ...gateway], { XDG_STATE_HOME: folder });
  await untilOpen(port + 1);
  const behind = judge(`http://127.0.0.1:${port + 1}/mcp`);
  const worse = [...alone]
    .filter(([name, passed]) => passed && behind.get(name) !== true)
    .map(([name]) => name);
  for (const [name, passed] of behind)
    console.log(`${name}: ${word(alone.get(name))} alone, ${word(passed)} behind the gateway`);
  if (behind.size === 0 || worse.length > 0) {
    console.error(`Worse behind the gateway: ${worse.join(', ') || 'nothing was judged'}`);
    process.exitCode = 1;
  }
} finally {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}

function word(passed: boolean | undefined): string {
  return passed === true ? 'passes' : 'fails';
}

function start(command: string, args: readonly string[], env: Readonly<Record<string, string>>): void {
  children.push(
    spawn(command, args, {
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'inherit'],
    }),
  );
}

async function untilOpen(port: number): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    const isOpen = await fetch(`http://127.0.0.1:${port}/mcp`).then(
      () => true,
      () => false,
    );
    if (isOpen) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`Nobody answers on port ${port}.`);
}

/** Which scenarios pass. */
function judge(url: string): Map<string, boolean> {
  const node = join(folder, 'node_modules/node/bin/node');
  const program = join(folder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
  let output: string;
  try {
    output = execFileSync(node, [program, 'server', '--url', url], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  } catch (error) {
    output = String((error as { stdout?: string }).stdout);
  }
  const lines = output.matchAll(/^\s*([✓✗])\s+([\w-]+):/gm);
  return new Map(Array.from(lines, ([, mark, name = '']) => [name, mark === '✓']));
}
