import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { pickShare } from '@spec/test-helpers';
import { expect, test } from 'vitest';
import { readToolCalls } from '../src/history/exchanges.ts';
import { bundleProgram } from './bundle-program.ts';
import { newFile } from './kit.ts';
import { openLasting } from './lasting-store.ts';
import { POINTS, pausingTurn } from './pausing-turn.ts';
import { startRuntime } from './start-runtime.ts';

const program = await bundleProgram('pausing-process');

/** A file with a thread `t` whose process died at a point of its turn. */
async function leftBehindAt(point: string): Promise<string> {
  const path = newFile();
  const child = spawn(process.execPath, [program, path, '20', point], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  expect((await once(child, 'exit'))[1], point).toBe('SIGKILL');
  return path;
}

async function reopened(path: string) {
  const { runtime } = startRuntime(openLasting(path), {
    ...pausingTurn(),
    lease: 20,
  });
  const thread = await runtime.openThread('t');
  return { runtime, thread };
}

/** What is injected at once, and what is injected while the turn is finished. */
const injected = ['one', 'two', 'three'];

async function injectAndResume(point: string): Promise<string[]> {
  const path = await leftBehindAt(point);
  const first = await reopened(path);
  await expect
    .poll(() => first.thread.inject({ role: 'user', content: 'one' }).then(() => 'done', String))
    .toBe('done');
  await first.runtime.close(); // What waits is not lost with the process.
  const { runtime, thread } = await reopened(path);
  await thread.inject({ role: 'user', content: 'two' });
  const resuming = thread.resume();
  await thread.inject({ role: 'user', content: 'three' });
  await resuming;
  await thread.idle();
  const messages = await thread.messages();
  await runtime.close();
  const contents = messages.map(({ content }) => content);
  for (const text of injected)
    expect(
      contents.filter((content) => content === text),
      point,
    ).toHaveLength(1);
  expect(contents.indexOf('one'), point).toBeLessThan(contents.indexOf('two'));
  const open: string[] = [];
  for (const message of messages) {
    if (message.role === 'tool') open.shift();
    else expect(open, `${point}: a ${message.role} message before the results of all calls`).toEqual([]);
    open.push(...readToolCalls(message as never).map(({ id }) => id));
  }
  return messages.map(({ role, content }) => `${role}: ${content}`);
}

test('inject into a thread whose process died waits for the results of its turn, at any point of it', async () => {
  const rest = [...pickShare(POINTS.slice(POINTS.indexOf('before_create_message assistant')), 5)];
  const lane = async (): Promise<void> => {
    for (let point = rest.shift(); point !== undefined; point = rest.shift()) await injectAndResume(point);
  };
  await Promise.all([lane(), lane()]);
  expect((await injectAndResume('tool')).slice(0, 5)).toEqual([
    'user: Pay.',
    'assistant: null',
    'tool: paid',
    'user: one',
    'user: two',
  ]);
}, 240_000);

test('what is injected and then followed by a message is there before it', async () => {
  const { runtime, thread } = await reopened(await leftBehindAt('tool'));
  await expect
    .poll(() => thread.inject({ role: 'user', content: 'one' }).then(() => 'done', String))
    .toBe('done');
  await thread.send('Pay again.');
  const messages = await thread.messages();
  expect(messages.slice(0, 4).map(({ role, content }) => `${role}: ${content}`)).toEqual([
    'user: Pay.',
    'assistant: null',
    'tool: paid',
    'user: one',
  ]);
  await runtime.close();
});
