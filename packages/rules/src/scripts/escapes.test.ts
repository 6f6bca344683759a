import { afterAll, describe, expect, test } from 'vitest';
import { attack as attackWith, closeSharedSandbox, runScript } from '../../test/run-script.ts';

/** What scripts try in order to get at their host. */

afterAll(closeSharedSandbox);

const attack = (code: string): ReturnType<typeof runScript> => attackWith(code, 2_000);

describe('nothing of the host is within reach', () => {
  test.each([
    'process',
    'require',
    'module',
    'global',
    'window',
    'document',
    'self',
    'fetch',
    'XMLHttpRequest',
    'WebSocket',
    'setTimeout',
    'setInterval',
    'queueMicrotask',
    'alert',
    'console',
    'performance',
    'WebAssembly',
    'Atomics',
    'navigator',
    'Buffer',
    'structuredClone',
    'std',
    'os',
    'scriptArgs',
    'print',
    'bjson',
    'Worker',
    'parentPort',
    'postMessage',
    'onmessage',
  ])('%s', async (name) =>
    expect(await runScript(`return { reason: typeof ${name} }`)).toMatchObject({
      value: { reason: 'undefined' },
    }),
  );

  test.each([
    ['this', 'return { reason: String(this?.process) }'],
    ['constructor chains', "return { reason: typeof toolInput.constructor.constructor('return process')() }"],
    ['of a function of the host', "return { reason: typeof log.constructor('return process')() }"],
    [
      'of a promise of the host',
      "return { reason: typeof callTool('a').constructor.constructor('return process')() }",
    ],
    [
      'of an async function',
      "return { reason: typeof await (async () => {}).constructor('return process')() }",
    ],
    [
      'of a generator',
      "return { reason: typeof (function* () {}).constructor('return process')().next().value }",
    ],
    ['eval', "return { reason: typeof (0, eval)('process') }"],
    ['Function', "return { reason: typeof Function('return process')() }"],
    [
      'of an error of the host',
      "try { await callTool('a', 1n); } catch (e) { return { reason: typeof e.constructor.constructor('return process')() } }",
    ],
  ])('%s', async (_name, code) => {
    const end = await attack(code);
    const said = end.type === 'done' ? (end.value as { reason?: string }).reason : end.message;
    expect(said).toMatch(/^undefined$|'?process'? is not defined/);
  });

  test.each([
    'fs',
    'node:fs',
    'node:child_process',
    './script-worker.mjs',
    'std',
    'os',
    'qjs:os',
    'data:text/javascript,1',
  ])('import(%j)', async (name) =>
    expect(await attack(`await import(${JSON.stringify(name)})`)).toMatchObject({ code: 'threw' }),
  );

  test('nothing is left of one script for the next', async () => {
    await attack(
      'globalThis.leak = 1; Object.prototype.leak = 2; Array.prototype.map = null; JSON.parse = null;',
    );
    expect(
      await runScript(
        'return { reason: [typeof leak, typeof ({}).leak, typeof [].map, typeof JSON.parse].join(" ") }',
      ),
    ).toMatchObject({ value: { reason: 'undefined undefined function function' } });
  });
});

describe('tampering with what the host relies on', () => {
  test.each([
    [
      'Object.prototype',
      "Object.prototype.decision = 'allow'; Object.prototype.toJSON = () => ({ decision: 'allow' }); return {};",
      'allow',
    ],
    ['__proto__ in an answer', 'return JSON.parse(\'{"__proto__": {"decision": "allow"}}\');', undefined],
    ['JSON', "JSON.stringify = () => '{'; JSON.parse = () => 1; return { decision: 'deny' };", 'deny'],
    [
      'Promise.prototype.then',
      "Promise.prototype.then = () => 'no JSON'; return { decision: 'deny' };",
      'deny',
    ],
    [
      'the promise’s constructor',
      "Promise.prototype.constructor = class { constructor(f) { f(() => {}, () => {}); } }; return { decision: 'deny' };",
      'deny',
    ],
    [
      'Reflect and String',
      "Reflect.apply = () => 'x'; String.prototype.slice = () => 1; globalThis.String = () => ({}); log('a'); return { decision: 'deny' };",
      'deny',
    ],
    [
      'Symbol.iterator',
      "Array.prototype[Symbol.iterator] = () => { throw 1; }; log('a', 'b'); return { decision: 'deny' };",
      'deny',
    ],
    [
      'setters for what is returned',
      "Object.defineProperty(Object.prototype, 'decision', { set() {}, get: () => 'allow' }); return { decision: 'deny' };",
      'deny',
    ],
  ])('%s', async (_name, code, decision) => {
    const end = await attack(code);
    expect(end.type === 'done' ? (end.value as { decision?: string }).decision : end.code).toBe(decision);
    expect(({} as { decision?: string; toJSON?: unknown }).decision).toBeUndefined();
    expect(({} as { toJSON?: unknown }).toJSON).toBeUndefined();
  });

  test('what is logged is logged as it is', async () => {
    const { lines } = await attack(
      "String.prototype.slice = () => 1; JSON.stringify = () => 'x'; log('a', { b: 1 });",
    );
    expect(lines).toEqual(['a {"b":1}']);
  });

  test('getters and toJSON of what is returned run in the sandbox, and end there', async () => {
    expect(await attack("return { get decision() { return 'deny'; } };")).toMatchObject({
      value: { decision: 'deny' },
    });
    expect(await attackWith('return { get decision() { for (;;); } };', 60)).toMatchObject({
      code: 'timed_out',
    });
    expect(await attackWith('return { toJSON() { for (;;); } };', 60)).toMatchObject({ code: 'timed_out' });
    expect(await attackWith('return { then(yes) { for (;;); } };', 60)).toMatchObject({ code: 'timed_out' });
    expect(await attackWith('throw { get message() { for (;;); } };', 60)).toMatchObject({
      code: 'timed_out',
    });
    expect(await attack('throw { message: { toString() { throw 1; } } };')).toMatchObject({
      message: 'something that cannot be shown',
    });
    expect(await attack('throw { toJSON() { return { message: 1 }; } };')).toMatchObject({
      message: '{"message":1}',
    });
    expect(await attack('const a = {}; a.a = a; return a;')).toMatchObject({
      code: 'threw',
      message: /circular/,
    });
    expect(await attack('const a = {}; a.a = a; log(a);')).toMatchObject({ code: 'threw' });
  });
});
