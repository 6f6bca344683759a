import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { sampleResult } from '../../test/chain.ts';
import { draft, hookToolResult, updates } from './index.ts';
import { toJson } from './json.ts';
import { answerToJson } from './result.ts';

const revoked = (target: object): object => {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
};

const throwing = (): never => {
  throw new Error('secret');
};

const circle: Record<string, unknown> = {};
circle.self = circle;

const gap = Object.assign([], { length: 2, 1: 2 });

function nested(levels: number): object {
  let deep: object = {};
  for (let i = 1; i < levels; i++) deep = { deep };
  return deep;
}

class Money {
  readonly #secret = 1;
  readonly cents = 5;
  get secret(): number {
    return this.#secret;
  }
}

const kept: Array<[string, unknown, unknown]> = [
  ['texts', 'a\ud800', 'a\ud800'],
  ['numbers', [1, 1.5, -0], [1, 1.5, 0]],
  ['what is absent', { a: undefined, b: null }, { b: null }],
  ['dates', { at: new Date(0) }, { at: '1970-01-01T00:00:00.000Z' }],
  ['dates of another realm', runInNewContext('new Date(0)'), '1970-01-01T00:00:00.000Z'],
  ['what has a toJSON', { url: new URL('http://a/') }, { url: 'http://a/' }],
  ['what a toJSON gives with a toJSON', { toJSON: () => ({ a: 1, toJSON: undefined }) }, { a: 1 }],
  ['instances, by their fields', new Money(), { cents: 5 }],
  ['records without a prototype', Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
  ['the same object twice', [kinds(), kinds()], [{ a: [1] }, { a: [1] }]],
  ['200 levels', nested(200), nested(200)],
];

function kinds(): object {
  const shared = [1];
  return { a: shared };
}

test.each(kept)('%s become JSON', (_name, value, json) => {
  expect(toJson(value)).toEqual(json);
  expect(JSON.parse(JSON.stringify(toJson(value)))).toEqual(json);
});

const refused: Array<[string, unknown, string]> = [
  ['NaN', Number.NaN, 'is a number that is not finite'],
  ['Infinity', Number.POSITIVE_INFINITY, 'is a number that is not finite'],
  ['a BigInt', 1n, 'is a BigInt'],
  ['a function', () => 'secret', 'is a function'],
  ['a symbol', Symbol('secret'), 'is a symbol'],
  ['undefined in a list', [undefined], '.0 is undefined'],
  ['a gap in a list', gap, '.0 is undefined'],
  ['an endless list', Object.assign([], { length: 2 ** 32 - 1 }), '.0 is undefined'],
  ['a map', new Map([['secret', 1]]), 'is a Map'],
  ['a set', new Set(['secret']), 'is a Set'],
  ['an error', new Error('secret'), 'is an Error'],
  ['a pattern', /secret/, 'is a RegExp'],
  ['a promise', Promise.resolve('secret'), 'is a Promise'],
  ['a date that is none', new Date('x'), 'is a date that is none'],
  ['what says that it is a date', { [Symbol.toStringTag]: 'Date' }, 'cannot be read'],
  ['what says that it is a buffer', { [Symbol.toStringTag]: 'ArrayBuffer', length: 9 }, 'cannot be read'],
  ['what says it is a secret', { [Symbol.toStringTag]: 'secret' }, 'is an object of another kind'],
  ['a proxy of a map', new Proxy(new Map([['secret', 1]]), {}), 'is a Map'],
  ['a proxy of an error', new Proxy(new Error('secret'), {}), 'is an object of another kind'],
  ['a revoked proxy', revoked({}), 'cannot be read'],
  ['a revoked proxy of a list', revoked([]), 'cannot be read'],
  ['a toJSON that throws', { toJSON: throwing }, 'cannot be read'],
  [
    'a getter that throws',
    Object.defineProperty({}, 'a', { enumerable: true, get: throwing }),
    '.a cannot be',
  ],
  [
    'a getter that throws a revoked proxy',
    {
      get a() {
        throw revoked({});
      },
    },
    '.a cannot be read',
  ],
  ['a circle', circle, '.self refers to itself'],
  ['201 levels', nested(201), '.deep.deep.….deep.deep.deep is nested deeper than 200 levels'],
  ['a field called __proto__', JSON.parse('{"__proto__":{"a":1}}'), 'holds a field called __proto__'],
  ['bytes', new Uint8Array([1]), 'is binary data'],
];

describe.each(refused)('%s', (name, value, why) => {
  test('is refused with its field, and without what is in it', () => {
    const refusal = (): unknown => toJson(value, { path: ['rows', 3] });
    expect(refusal).toThrow(`field rows.3${why.startsWith('.') ? '' : ' '}${why}`);
    expect(refusal).not.toThrow('secret');
  });

  test('is refused in messages, updates and results', () => {
    const result = { status: 'success', result: 'x', deep: { value } };
    const isBytes = name === 'bytes';
    if (!isBytes)
      expect(() => hookToolResult.hold({ status: 'error' }).adopt(result)).toThrow('field deep.value');
    expect(() => draft.hold({}).adopt({ role: 'user', content: '', deep: [value] })).toThrow('field deep.0');
    expect(() => updates.hold({}).adopt({ deep: [value] })).toThrow('field deep.0');
    if (!isBytes) expect(answerToJson({ value }, () => false).problem).toContain('field value');
  });
});

test('keys that may be data are left out of the path', () => {
  expect(() => toJson({ 'anna@example.org': { a: 1n } })).toThrow('field ….a is a BigInt');
});

test('an object that is met again and again on every level is refused, not copied for ever', () => {
  let wide: unknown = 'x';
  for (let level = 0; level < 30; level++) wide = [wide, wide, wide, wide];
  expect(() => toJson(wide)).toThrow('holds more than 5000000 values');
});

describe('what a hook left as it was', () => {
  const before = { role: 'user', content: 'a', seen: new Map([[1, 2]]), at: new Date(0) };

  test('is not its fault', () => {
    const { value } = draft.hold(before).adopt({ ...structuredClone(before), content: 'b' });
    expect(value).toEqual({ ...before, content: 'b' });
  });

  test('is, where it changed it', () => {
    const seen = new Map([[1, 3]]);
    expect(() => draft.hold(before).adopt({ ...before, seen })).toThrow('field seen is a Map');
  });
});

test('what is undefined in updates stays: it takes a field away', () => {
  expect(Object.keys(updates.hold({}).adopt({ score: undefined }).value)).toEqual(['score']);
});

describe('bytes in a result', () => {
  const data = new Uint8Array([1, 2]);

  test('become attachments, and a text in their place says so', () => {
    const returned = { ...sampleResult(), chart: data, pages: [{ scan: data.buffer }] };
    expect(hookToolResult.hold({ status: 'error' }).adopt(returned).value).toEqual({
      ...sampleResult(),
      chart: '[attachment chart, 2 bytes]',
      pages: [{ scan: '[attachment pages.0.scan, 2 bytes]' }],
      attachments: [
        ...(sampleResult().attachments as unknown[]),
        { name: 'chart', mimeType: 'application/octet-stream', data },
        { name: 'pages.0.scan', mimeType: 'application/octet-stream', data },
      ],
    });
  });

  test('stay where they are an attachment’s data', () => {
    const attachments = [{ name: 'a', mimeType: 'b', data: Buffer.from(data) }];
    const { value } = hookToolResult.hold({ status: 'error' }).adopt({ status: 'success', attachments });
    expect(value).toEqual({ status: 'success', attachments: [{ name: 'a', mimeType: 'b', data }] });
  });
});
