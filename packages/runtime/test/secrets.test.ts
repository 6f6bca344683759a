import { inspect } from 'node:util';
import { type AnyHook, defineHook, type LifecycleName, lifecycleTable } from '@spec/hooks';
import { expect, test } from 'vitest';
import { defineTool } from '../src/index.ts';
import { type Kit, onBothStores, runWhatIsReady, type Setup } from './kit.ts';

const SECRET = 'sk_live_51H8xQ2';

class Leaky extends Error {
  readonly payload = { token: SECRET };
  constructor() {
    super(`cannot reach https://user:${SECRET}@host`, { cause: new Error(SECRET) });
  }
}

/** What an operator may see of a turn that went wrong: its error, printed in every way, the ledger, and the events of hooks. */
async function visible(kit: Kit, setup: Setup): Promise<string> {
  const { thread, runtime, events } = await kit.thread(setup);
  const failures: unknown[] = [];
  await thread.send('Go').catch((error: unknown) => failures.push(error));
  const [first] = await thread.messages();
  if (first !== undefined)
    await thread.update(first.id, { content: 'x' }).catch((error: unknown) => failures.push(error));
  await runWhatIsReady();
  const printed = failures.map((error) => [
    inspect(error, { depth: 10, showHidden: true }),
    String(error),
    (error as Error).stack,
    JSON.stringify(error),
  ]);
  const told = events.filter(
    ({ type }) => type === 'hook_run' || type === 'late_write' || type === 'turn_ended',
  );
  return JSON.stringify([printed, await runtime.ledger.runs(), told]);
}

const throwing: Array<[string, () => never]> = [
  [
    'an error',
    () => {
      throw new Leaky();
    },
  ],
  [
    'a text',
    () => {
      throw SECRET;
    },
  ],
  [
    'an object',
    () => {
      throw { secret: SECRET, message: SECRET, stack: SECRET };
    },
  ],
];

const names = (Object.keys(lifecycleTable) as LifecycleName[]).filter(
  (name) => !/compaction|session|notification/.test(name),
);
const ping = defineTool({ name: 'ping', execute: () => 'pong' });
const script = [{ toolCalls: [{ name: 'ping' }] }, 'ok'];

for (const [what, fail] of throwing) {
  onBothStores(`${what} that a hook throws is in no error, ledger or event`, async (kit) => {
    for (const name of names) {
      const hook = defineHook({ hook: name, id: 'leaky', execute: (async () => fail()) as never }) as AnyHook;
      expect(await visible(kit, { policies: [hook], tools: [ping], script }), name).not.toContain(SECRET);
    }
  });

  onBothStores(
    `${what} that a model throws is in no error, ledger or event, nor in the thread`,
    async (kit) => {
      const { thread } = await kit.thread({ script: [fail] });
      await thread.send('Go').catch(() => {});
      expect(JSON.stringify(await thread.messages())).not.toContain(SECRET);
      expect(await visible(kit, { script: [fail] })).not.toContain(SECRET);
    },
  );

  onBothStores(`${what} that a tool throws is in no error, ledger or event`, async (kit) => {
    const leaky = defineTool({ name: 'ping', execute: fail });
    const guard = defineHook({
      hook: 'before_create_message',
      id: 'guard',
      execute: async (_, message) => {
        if (message.role === 'tool') throw new Error('blocked');
        return message;
      },
    });
    expect(await visible(kit, { tools: [leaky], policies: [guard], script })).not.toContain(SECRET);
  });
}

onBothStores('a secret that a hook returns in the wrong place is in no error', async (kit) => {
  for (const name of names) {
    const hook = defineHook({
      hook: name,
      id: 'leaky',
      execute: (async () => ({ [SECRET]: SECRET, id: 7 })) as never,
    }) as AnyHook;
    expect(await visible(kit, { policies: [hook], tools: [ping], script }), name).not.toContain(SECRET);
  }
});

onBothStores('values are traced only where the operator asks for them', async (kit) => {
  const traced: unknown[] = [];
  const hook = defineHook({
    hook: 'before_create_message',
    id: 'mask',
    execute: async (_, message) => ({ ...message, content: `${message.content}`.replace(SECRET, '***') }),
  });
  const { thread } = await kit.thread({
    policies: [hook],
    onRunValues: (run) => {
      traced.push(run);
      throw new Error('what a watcher throws is ignored');
    },
  });
  await thread.inject({ role: 'user', content: `my key: ${SECRET}` });
  expect(traced).toMatchObject([
    {
      threadId: thread.id,
      hook: 'before_create_message',
      id: 'mask',
      before: { content: `my key: ${SECRET}` },
      after: { content: 'my key: ***' },
    },
  ]);
  expect(JSON.stringify([await thread.runs(), await thread.messages()])).not.toContain(SECRET);
});

test('the error above would show its secret', () => {
  expect(inspect(new Leaky())).toContain(SECRET);
});
