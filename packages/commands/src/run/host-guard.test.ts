import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { bundleProgram } from '@spec/test-helpers/bundle-program';
import { describe, expect, test } from 'vitest';
import { marked, namespacesAllowed, processesWith, within } from '../../test/processes.ts';
import type { CommandStart } from './run-command.ts';

const program = await bundleProgram(new URL('../../test/host.ts', import.meta.url));

interface Host {
  readonly process: ChildProcess;
  readonly lines: AsyncIterator<string>;
}

function startHost(starts: readonly CommandStart[], env: Record<string, string> = {}): Host {
  const host = spawn(process.execPath, [program, JSON.stringify(starts)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  return { process: host, lines: createInterface({ input: host.stdout })[Symbol.asyncIterator]() };
}

const nextLine = async ({ lines }: Host): Promise<string> => (await lines.next()).value;

/** Commands of at least 1, 2, 3 and 4 processes: in the group, out of it, and forked twice. */
const lasting = [
  'sleep 30',
  'trap "" TERM HUP; sleep 30; sleep 30',
  'setsid sleep 30 >/dev/null 2>&1 & sleep 30',
  '(setsid sh -c "sleep 30 & sleep 30" >/dev/null 2>&1 &); sleep 30',
];

describe.runIf(process.platform === 'linux')('when the host', () => {
  const ways: [string, (host: ChildProcess) => unknown, Record<string, string>][] = [
    ['is killed', (host) => host.kill('SIGKILL'), {}],
    ['is told to end', (host) => host.kill('SIGTERM'), {}],
    ['is interrupted', (host) => host.kill('SIGINT'), {}],
    ['exits', () => {}, { EXITS_AFTER: '1500' }],
    // Without programs the watch beside the host can do nothing.
    ['exits where nothing watches it', () => {}, { EXITS_AFTER: '1500', PATH: '/nowhere' }],
  ];

  test.each(ways)(
    '%s, its commands and their payloads are gone',
    { timeout: 20_000 },
    async (_way, end, env) => {
      const commands = lasting.map((command) =>
        marked(command, { timeoutMs: 60_000, env: { PATH: '/usr/bin:/bin' } }),
      );
      const host = startHost(
        commands.map(({ start }) => start),
        env,
      );
      const folder = await nextLine(host);
      const counts = () => commands.map(({ processes }) => processes().length);
      // The host is one of each: its argument holds their marks.
      expect(await within(() => counts().every((count, at) => count >= at + 2))).toBe(true);
      expect(existsSync(folder)).toBe(true);
      const ended = once(host.process, 'exit');
      end(host.process);
      await ended;
      expect(await within(() => counts().every((count) => count === 0))).toBe(true);
      expect(await within(() => !existsSync(folder))).toBe(true);
      expect(await within(() => processesWith(folder).length === 0)).toBe(true);
    },
  );

  test.runIf(namespacesAllowed())(
    'is killed, nothing is left of a namespace, whatever its processes did',
    async () => {
      const name = randomUUID();
      const command = `env -i setsid sh -c 'sleep 30; : ${name}' >/dev/null 2>&1 & env -i sh -c 'sleep 30; : ${name}'`;
      const host = startHost([marked(command, { isolate: 'namespace', timeoutMs: 60_000 }).start]);
      // The host, what enters the namespace, its two shells, and the two that threw their variables away.
      expect(await within(() => processesWith(name).length >= 6)).toBe(true);
      host.process.kill('SIGKILL');
      expect(await within(() => processesWith(name).length === 0)).toBe(true);
    },
  );

  test('has nothing more to do, it ends by itself and leaves nothing', async () => {
    const host = startHost([marked('exit 4').start]);
    const folder = await nextLine(host);
    expect(await nextLine(host)).toBe('{"outcome":"exited","code":4}');
    expect(await once(host.process, 'exit')).toEqual([0, null]);
    expect(await within(() => !existsSync(folder) && processesWith(folder).length === 0)).toBe(true);
  });
});

test.runIf(process.platform === 'linux')(
  'a namespace that the system refuses is no exit of the command',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'no-namespace-'));
    const unshare = join(folder, 'unshare');
    writeFileSync(unshare, '#!/bin/sh\necho "unshare: Operation not permitted" >&2\nexit 1\n');
    chmodSync(unshare, 0o755);
    const host = startHost([marked('exit 0', { isolate: 'namespace' }).start], {
      PATH: `${folder}:${process.env.PATH}`,
    });
    await nextLine(host);
    expect(await nextLine(host)).toBe('{"outcome":"launch_failed","code":"namespace_refused"}');
    rmSync(folder, { recursive: true });
  },
);

test.runIf(process.platform === 'linux')(
  'a host that has no descriptors left says so, and goes on',
  async () => {
    const starts = Array.from({ length: 60 }, () => marked('sleep 0.5').start);
    const limited = [
      '-c',
      'ulimit -n 64; exec "$@"',
      'sh',
      process.execPath,
      program,
      JSON.stringify(starts),
    ];
    const host = spawn('/bin/sh', limited, { stdio: ['ignore', 'pipe', 'inherit'] });
    const lines: string[] = [];
    createInterface({ input: host.stdout }).on('line', (line) => void lines.push(line));
    expect(await once(host, 'close')).toEqual([0, null]);
    expect(lines).toHaveLength(61);
    expect(new Set(lines.slice(1))).toEqual(
      new Set(['{"outcome":"exited","code":0}', '{"outcome":"launch_failed","code":"EMFILE"}']),
    );
  },
);
