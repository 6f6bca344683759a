import { type AnyHook, defineHook, type HookToolCall } from '@spec/hooks';
import { describe, expect } from 'vitest';
import { defineTool, type Thread } from '../src/index.ts';
import { type Kit, onBothStores, thrownBy } from './kit.ts';

/** Numbers from a seed, the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

const thrower = (): never => {
  throw revoked();
};

const circle: Record<string, unknown> = {};
circle.self = circle;

const leaves: Record<string, () => unknown> = {
  text: () => 'x',
  number: () => 7,
  null: () => null,
  undefined: () => undefined,
  date: () => new Date(0),
  'no date': () => new Date('x'),
  NaN: () => Number.NaN,
  bigint: () => 1n,
  map: () => new Map([[1, 2]]),
  set: () => new Set([1]),
  error: () => new Error('x'),
  symbol: () => Symbol('x'),
  function: () => () => 1,
  bytes: () => new Uint8Array([1, 2]),
  buffer: () => new Uint8Array([1, 2]).buffer,
  instance: () =>
    new (class Money {
      readonly cents = 1;
    })(),
  sparse: () => Object.assign([], { length: 3 }),
  proto: () => JSON.parse('{"__proto__":{"a":1}}'),
  circle: () => circle,
  'revoked proxy': revoked,
  'toJSON that throws': () => ({ toJSON: thrower }),
  'getter that throws': () => Object.defineProperty({}, 'a', { enumerable: true, get: thrower }),
};

/** A value of a random kind, at a random depth; `bare` where nothing is around it. */
function randomValue(random: (below: number) => number): { kind: string; value: unknown } {
  const kinds = Object.keys(leaves);
  const kind = kinds[random(kinds.length)] as string;
  let value = leaves[kind]?.();
  for (let depth = random(3); depth > 0; depth--) value = random(2) === 0 ? { value } : [value];
  return { kind, value };
}

type Spoil = (given: object) => unknown;

/** Whoever may spoil the result of a call. */
const places = {
  tool: undefined,
  after_tool_call_success: 'continue',
  before_store_tool_result: 'block',
  before_create_message: 'block',
} as const;

type Place = keyof typeof places;

function spoiledBy(place: Place, spoil: Spoil): AnyHook[] {
  if (place === 'tool') return [];
  const execute = async (_state: unknown, ...lent: object[]): Promise<unknown> => {
    const subject = lent.at(-1) as { role?: string };
    return place === 'before_create_message' && subject.role !== 'tool' ? subject : spoil(subject);
  };
  return [defineHook({ hook: place, id: 'spoils', execute } as never) as AnyHook];
}

async function takeTurn(kit: Kit, place: Place, spoil: Spoil) {
  let paid = 0;
  const pay = defineTool({
    name: 'pay',
    execute: () => {
      paid++;
      return place === 'tool' ? (spoil({ status: 'success', result: 'paid' }) as string) : 'paid';
    },
  });
  const script = [{ toolCalls: [{ name: 'pay' }, { name: 'pay' }] }, 'One.', 'Two.'];
  const { thread, model } = await kit.thread({ policies: spoiledBy(place, spoil), tools: [pay], script });
  const result = await thread.send('Pay twice.');
  await thread.send('And?');
  return { thread, model, result, paid };
}

/** That every call has exactly one answer, in the store and in what the model is told afterwards. */
async function expectAnswered(thread: Thread, prompt: unknown): Promise<void> {
  const rows = await thread.messages();
  const calls = rows.flatMap(({ tool_calls: calls }) =>
    calls == null ? [] : (JSON.parse(calls) as HookToolCall[]),
  );
  expect(calls).toHaveLength(2);
  for (const { id } of calls) expect(rows.filter(({ tool_call_id }) => tool_call_id === id)).toHaveLength(1);
  const told = JSON.stringify(prompt);
  expect(told.split('"type":"tool-call"')).toHaveLength(3);
  expect(told.split('"type":"tool-result"')).toHaveLength(3);
}

describe('whatever a tool or a hook makes of a result', () => {
  for (const place of Object.keys(places) as Place[]) {
    onBothStores(
      `the call is answered: ${place}`,
      async (kit) => {
        const random = numbers(place.length * 7919);
        for (let round = 0; round < 40; round++) {
          const { kind, value } = randomValue(random);
          const how = random(5);
          const spoil: Spoil = (given) => {
            if (how === 0) return value;
            if (how === 1) throw value;
            return { ...given, extra: value };
          };
          const { thread, model, result, paid } = await takeTurn(kit, place, spoil);
          expect(result, `${kind} ${how}`).toMatchObject({ status: 'completed', text: 'One.' });
          expect(paid).toBe(2);
          await expectAnswered(thread, model.calls.at(-1)?.prompt);
          const rows = (await thread.messages()).filter(({ role }) => role === 'tool');
          const failed = (await thread.runs()).filter(({ outcome }) =>
            ['failed', 'invalid_result'].includes(outcome),
          );
          if (place === 'tool' || failed.length === 0) continue;
          expect(failed).toMatchObject([{ id: 'spoils', hook: place }, { id: 'spoils' }]);
          for (const row of rows) {
            if (places[place] === 'continue')
              expect(row).toMatchObject({ content: 'paid', status: 'success' });
            else expect(row).toMatchObject({ status: 'error', content: expect.stringContaining('"spoils"') });
          }
        }
      },
      60_000,
    );
  }

  onBothStores('the run that failed says which field', async (kit) => {
    const spoil: Spoil = (given) => ({ ...given, rows: [{ id: 1n }] });
    for (const place of [
      'after_tool_call_success',
      'before_store_tool_result',
      'before_create_message',
    ] as const) {
      const { thread } = await takeTurn(kit, place, spoil);
      const runs = await thread.runs({ hook: place, outcome: 'invalid_result' });
      expect(runs).toHaveLength(2);
      expect(runs[0]?.why).toBe('field rows.0.id is a BigInt, which has no form in JSON');
    }
  });
});

describe('what a hook makes of the row that answers a call', () => {
  const answers: Record<string, object> = {
    'another call’s id': { tool_call_id: 'other' },
    'another role': { role: 'user' },
    'a mark of the runtime’s own': { error_code: 'x' },
    'a depth that is none': { depth: 'x' },
    'an id that is none': { id: '' },
    'an id that is taken': { id: 'x.1.answer' },
  };
  for (const [what, change] of Object.entries(answers)) {
    onBothStores(`${what} is refused, and the call answered`, async (kit) => {
      const { thread, model, result } = await takeTurn(kit, 'before_create_message', (row) => ({
        ...row,
        ...change,
      }));
      expect(result.status).toBe('completed');
      await expectAnswered(thread, model.calls.at(-1)?.prompt);
      const rows = (await thread.messages()).filter(({ role }) => role === 'tool');
      expect(rows[0]).toMatchObject({
        status: 'error',
        content: expect.stringMatching(
          /was withheld, because .*\(before_create_message\) did not let it be stored/,
        ),
      });
    });
  }

  onBothStores('the call’s id may be left out', async (kit) => {
    const { thread, model } = await takeTurn(kit, 'before_create_message', (row) => {
      const { tool_call_id: _, ...rest } = row as Record<string, unknown>;
      return rest;
    });
    await expectAnswered(thread, model.calls.at(-1)?.prompt);
    expect((await thread.messages())[2]).toMatchObject({ content: 'paid' });
  });
});

onBothStores('a tool’s result sets no column of the runtime’s own', async (kit) => {
  const own = {
    refused_by: 'person',
    side: 'b',
    error_code: 'x',
    summary_through: 'm',
    depth: 7,
    parent_id: 'p',
    id: 'x',
    cost: 5,
  };
  const { thread } = await takeTurn(kit, 'tool', (given) => ({ ...given, ...own }));
  const { id, ...row } = (await thread.messages())[2] as unknown as Record<string, unknown>;
  expect(row).toMatchObject({ role: 'tool', content: 'paid', cost: 5 });
  for (const field of ['refused_by', 'side', 'error_code', 'summary_through', 'depth', 'parent_id'])
    expect(row).not.toHaveProperty(field);
  expect(id).not.toBe('x');
});

onBothStores('a listener that throws what cannot be looked at disturbs no turn', async (kit) => {
  const { thread } = await kit.thread({ script: ['ok'] });
  const errors: unknown[] = [];
  thread.on(thrower, { onError: (error) => errors.push(error) });
  thread.on(thrower, { onError: thrower });
  expect(await thread.send('hello')).toMatchObject({ status: 'completed' });
  expect(errors.length).toBeGreaterThan(0);
});

describe('the message whose calls run', () => {
  for (const permission of ['allow', 'ask'] as const) {
    onBothStores(`may be deleted: no result is lost (${permission})`, async (kit) => {
      const remove = defineHook({
        hook: 'after_create_message',
        id: 'remove',
        execute: async (state, message) => {
          if (message.tool_calls != null) await state.deleteMessage(message.id as string);
        },
      });
      let ran = 0;
      const tools = [defineTool({ name: 'look', permission, execute: () => `look ${++ran}` })];
      const script = [{ toolCalls: [{ name: 'look' }, { name: 'look' }] }, 'ok'];
      const { thread } = await kit.thread({ policies: [remove], tools, script, onAsk: async () => true });
      expect(await thread.send('Go')).toMatchObject({ status: 'completed', text: 'ok' });
      const rows = (await thread.messages()).filter(({ role }) => role === 'tool');
      const deleted = 'The message with this tool call was deleted before the tool started.';
      expect(rows.map(({ content }) => content)).toEqual(
        permission === 'ask' ? [deleted, deleted] : ['look 1', 'look 2'],
      );
      expect(ran).toBe(permission === 'ask' ? 0 : 2);
    });
  }
});

onBothStores('what a caller gives is no hook’s fault', async (kit) => {
  const same = defineHook({
    hook: 'before_create_message',
    id: 'same',
    execute: async (_state, message) => ({ ...message, seen: true }),
  });
  const { thread } = await kit.thread({ policies: [same] });
  const error = await thrownBy(thread.inject({ role: 'user', content: 'x', tags: new Map() } as never));
  expect(error).toMatchObject({ code: 'invalid_message', message: expect.stringContaining('field "tags"') });
  expect(await thread.runs()).toEqual([]);
});
