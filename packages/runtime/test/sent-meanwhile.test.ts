import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { bundleProgram } from './bundle-program.ts';
import { lines, newFile } from './kit.ts';
import { openLasting } from './lasting-store.ts';
import { startRuntime } from './start-runtime.ts';

const program = await bundleProgram('sending-process');

interface Meeting {
  readonly points: readonly string[];
  /** What `send` gave: a status, or the code of an error. */
  readonly outcome: string | undefined;
  /** Whether the message that was queued waited when its process had queued it. */
  readonly waited: boolean;
  readonly messages: readonly string[];
}

/** Has a process send a message under an id, and queues another one under it from this process when the other is at a point. */
async function meet(at: number): Promise<Meeting> {
  const path = newFile();
  const child = spawn(process.execPath, [program, path], { stdio: ['pipe', 'pipe', 'inherit'] });
  const points: string[] = [];
  let outcome: string | undefined;
  let waited = false;
  for await (const line of createInterface({ input: child.stdout })) {
    const [kind, ...rest] = line.split(' ');
    if (kind === 'outcome') [outcome] = rest;
    if (kind !== 'point') continue;
    points.push(rest.join(' '));
    if (points.length === at) waited = await queue(path);
    child.stdin.write('\n');
  }
  const { runtime } = startRuntime(openLasting(path, 'FULL'), { script: ['Done.'] });
  const thread = await runtime.openThread('t');
  await thread.resume();
  const messages = await lines(thread);
  await runtime.close();
  return { points, outcome, waited, messages };
}

async function queue(path: string): Promise<boolean> {
  const store = openLasting(path, 'FULL');
  const { runtime } = startRuntime(store, {});
  const thread = await runtime.openThread('t');
  await thread.queue({ id: 'x', role: 'user', content: 'queued' }, { wake: false });
  const waits = (await store.listQueue('t')).some(({ id }) => id === 'x');
  await runtime.close();
  return waits;
}

test('a message that another process queues under the id of one that is sent: either is stored, at any point', async () => {
  const { points, outcome } = await meet(0);
  expect(outcome).toBe('completed');
  const first = points.findIndex((point) => point.endsWith('append')) + 1;
  expect(first).toBeGreaterThan(1);
  const outcomes: string[] = [];
  for (let at = 1; at <= first + 1; at++) {
    const met = await meet(at);
    const isSent = met.outcome === 'completed';
    outcomes.push(isSent ? 'sent' : 'queued');
    expect(met.waited, points[at - 1]).toBe(!isSent);
    expect(met.messages, points[at - 1]).toEqual(
      isSent
        ? ['user: sent', 'assistant: Done.']
        : expect.arrayContaining(['user: queued', 'assistant: Done.']),
    );
    if (!isSent) expect(met.outcome).toBe('invalid_input');
    if (!isSent) expect(met.messages).not.toContain('user: sent');
  }
  expect(outcomes.slice(0, first)).toEqual(outcomes.slice(0, first).map(() => 'queued'));
  expect(outcomes.at(-1)).toBe('sent');
}, 60_000);
