import { afterAll, describe, expect, test } from 'vitest';
import { attack as attackWith, closeSharedSandbox, runScript } from '../../test/run-script.ts';

/** What scripts try in order to bring their host down. */

afterAll(closeSharedSandbox);

const attack = (code: string): ReturnType<typeof runScript> => attackWith(code, 60);

describe('code that does not end', () => {
  test.each([
    ['a loop', 'for (;;);'],
    ['a loop that catches', 'for (;;) { try { for (;;); } catch {} finally { continue; } }'],
    ['a loop in finally', 'try { throw 1; } finally { for (;;); }'],
    ['an async loop', 'for (;;) await 0;'],
    ['promises that make promises', 'const f = () => Promise.resolve().then(f); f(); f(); await f();'],
    ['a generator', 'for (const _ of (function* () { for (;;) yield 1; })());'],
    ['join', "new Array(2 ** 32 - 1).join('')"],
    ['indexOf of a sparse array', 'const a = []; a[2 ** 32 - 2] = 1; a.indexOf(2);'],
    ['reverse of a sparse array', 'const a = []; a[2 ** 32 - 2] = 1; a.reverse();'],
    ['sort', 'Array.prototype.sort.call({ length: 2 ** 32 })'],
    ['includes of what is like an array', 'Array.prototype.includes.call({ length: 2 ** 53 - 1 }, 1)'],
    ['forEach of what is like an array', 'Array.prototype.forEach.call({ length: 2 ** 53 - 1 }, () => {})'],
    ['fill of what is like an array', 'Array.prototype.lastIndexOf.call({ length: 2 ** 53 - 1 }, 1)'],
    ['a proxy', 'const p = new Proxy({}, { get: () => p, has: () => true }); for (let a = p; ; a = a.x);'],
    ['a regular expression', "/^(a+)+$/.test('a'.repeat(40) + '!')"],
    ['another one', "/(.*)*=\\1/.test('x'.repeat(40))"],
    ['big numbers', 'let n = 3n; for (;;) n **= 2n;'],
    ['split and join', "let s = 'ab'; for (;;) s = s.split('').join('xx').slice(0, 1e5);"],
    ['a prelude that ends its function', '}, (() => { for (;;); })(), async function () {'],
  ])('%s', async (_name, code) => {
    const end = await attack(code);
    expect(end).toMatchObject({
      type: 'failed',
      code: expect.stringMatching(/^(?:timed_out|threw|crashed)$/),
    });
  });

  test('a promise that nobody settles', async () => {
    expect(await attack('await new Promise(() => {});')).toMatchObject({ code: 'never_settles' });
  });
});

describe('floods', () => {
  test.each([
    ['arrays', 'const all = []; for (;;) all.push(new Array(1e6).fill(1));'],
    ['arrays, tried again', 'const all = []; for (;;) try { all.push(new Array(1e6).fill(1)); } catch {}'],
    ['buffers', 'const all = []; for (;;) all.push(new ArrayBuffer(1e7));'],
    ['one buffer', 'new ArrayBuffer(2 ** 31 - 1)'],
    ['a text', "let s = 'x'; for (;;) s += s;"],
    ['repeat', "'x'.repeat(2 ** 30 - 1)"],
    ['padStart', "'x'.padStart(2 ** 29)"],
    ['objects', 'let o = {}; for (;;) o = { o, p: [o] };'],
    ['closures', 'let f = () => 1; for (;;) { const g = f; f = () => g; }'],
    ['a map', 'const m = new Map(); for (let i = 0; ; i++) m.set(i, { i });'],
    ['JSON', "JSON.parse('['.repeat(5e6))"],
    ['symbols', 'const all = []; for (let i = 0; ; i++) all.push(Symbol(i));'],
    ['recursion', 'const f = () => f() + 1; f();'],
    ['recursion that catches', 'const f = () => { try { f(); } catch { f(); } }; f();'],
    ['recursion of toString', 'const a = {}; a.toString = () => String(a); String(a)'],
    ['recursion of JSON', 'let a = []; for (let i = 0; i < 1e5; i++) a = [a]; JSON.stringify(a);'],
    ['recursion of a regular expression', "new RegExp('('.repeat(1e5) + ')'.repeat(1e5)).test('')"],
    ['recursion of a proxy', 'let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); p.x;'],
    ['source text', "(0, eval)('['.repeat(1e6))"],
    ['promises', 'const all = []; for (;;) all.push(new Promise(() => {}));'],
    ['promises that are rejected', 'for (;;) Promise.reject(new Error("x"));'],
  ])('%s', async (_name, code) => {
    const before = process.memoryUsage.rss();
    const end = await attack(code);
    expect(end).toMatchObject({ type: 'failed' });
    expect(process.memoryUsage.rss() - before, 'memory in bytes').toBeLessThan(400e6);
  });

  test('memory: 64 MB, however often it is tried', async () => {
    const code = `const all = [];
      for (let tries = 0; tries < 200; tries++) try { all.push(new Uint8Array(1e6).fill(1)); } catch {}
      return { reason: String(all.length) };`;
    const end = await attackWith(code, 10_000);
    const megabytes = end.type === 'done' ? Number((end.value as { reason: string }).reason) : Number.NaN;
    expect(megabytes).toBeGreaterThan(30);
    expect(megabytes).toBeLessThanOrEqual(64);
  }, 30_000);

  test('calls of tools: 100, and then errors', async () => {
    let calls = 0;
    const end = await runScript(
      `let errors = 0;
       const all = [];
       for (let i = 0; i < 1e3; i++) all.push(callTool('echo', { i }).catch(() => { errors++; }));
       await Promise.all(all);
       return { reason: String(errors) };`,
      { callTool: async () => ({ content: String(calls++) }), deadline: 5_000 },
    );
    expect(end).toMatchObject({ value: { reason: '900' } });
    expect(calls).toBe(100);
  });

  test('inputs of tools: 1 MB together', async () => {
    let characters = 0;
    const code = `const text = 'x'.repeat(3e5);
      for (let i = 0; i < 10; i++) await callTool('echo', { text });`;
    const result = await attackWith(code, 5_000, {
      callTool: async (_name, { text }) => {
        characters += (text as string).length;
        return { content: '' };
      },
    });
    expect(result).toMatchObject({
      code: 'threw',
      message: expect.stringContaining('at most 1048576 characters'),
    });
    expect(characters % 9e5).toBe(0);
  });

  test('lines of a log: 16 KB in 200 lines', async () => {
    const many = await attackWith("for (let i = 0; i < 1e5; i++) log('');", 5_000);
    expect(many.lines).toHaveLength(200);
    const long = await attackWith("for (let i = 0; i < 100; i++) log('x'.repeat(1e6));", 5_000);
    expect(long.lines.join('')).toHaveLength(16_384);
    const cut = await attackWith("log('x'.repeat(16380)); log('abcdefgh'); log('more');", 5_000);
    expect(cut.lines.at(-1)).toBe('abcd…');
  });

  test('what is returned: 1 MB', async () => {
    expect(await attackWith("return { reason: 'x'.repeat(2e6) };", 5_000)).toMatchObject({
      message: expect.stringContaining('at most 1048576'),
    });
    expect(await attackWith("return { reason: 'x'.repeat(1e6) };", 5_000)).toMatchObject({ type: 'done' });
    for (const decision of ['deny', 'ask'])
      expect(await attackWith(`return { decision: '${decision}', reason: 'x'.repeat(2e6) };`, 5_000)).toEqual(
        {
          lines: [],
          type: 'done',
          value: { decision, reason: `${'x'.repeat(10_000)}…` },
        },
      );
    expect(await attackWith("return { decision: 'allow', reason: 'x'.repeat(2e6) };", 5_000)).toMatchObject({
      message: expect.stringContaining('at most 1048576'),
    });
    const wide = "const o = {}; for (let i = 0; i < 6e4; i++) o['k' + i] = {}; return { input: o };";
    expect(await attackWith(wide, 5_000)).toMatchObject({ type: 'done' });
    expect(
      await attackWith('let a = []; for (let i = 0; i < 500; i++) a = [a]; return { input: { a } };', 5_000),
    ).toMatchObject({
      type: 'done',
    });
  });

  test('what is thrown: 500 characters', async () => {
    const end = await attackWith("throw new Error('x'.repeat(1e6));", 5_000);
    expect(end.type === 'failed' && end.message?.length).toBe(500);
    expect(await attack('throw new Array(2e6).fill({});')).toMatchObject({ type: 'failed' });
  });
});
