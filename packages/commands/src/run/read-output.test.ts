import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readAnswer, readText } from './read-output.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);
const answer = (text: string) => readAnswer({ stdout: bytes(text) });
const nested = (depth: number) => `${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`;

describe('an answer', () => {
  test.each(['', ' ', '\n\t\r\n', '\ufeff', '\ufeff \n'])('of white space %j is none', (text) => {
    expect(answer(text)).toEqual({ kind: 'none' });
  });

  test.each([
    ['{}', {}],
    [' {"decision":"deny"}\n', { decision: 'deny' }],
    ['\ufeff{"a":{"b":[1,2,{"c":null}]}}', { a: { b: [1, 2, { c: null }] } }],
    [
      '{"a":"{\\"a\\":1}","b":"\\\\\\"","c":"a","d":["a","a"],"e":{"a":1}}',
      { a: '{"a":1}', b: '\\"', c: 'a', d: ['a', 'a'], e: { a: 1 } },
    ],
  ])('of one object %j is JSON', (text, value) => {
    expect(answer(text)).toEqual({ kind: 'json', value });
  });

  test.each([
    ['cut off', '{"decision":"de', 'it begins with { and is not valid JSON'],
    ['broken', '{decision: deny}', 'it begins with { and is not valid JSON'],
    ['two objects', '{"a":1}\n{"b":2}', 'it begins with { and is not valid JSON'],
    ['an object and more', '{"decision":"allow"} done', 'it begins with { and is not valid JSON'],
    ['a key twice', '{"decision":"deny","decision":"allow"}', 'it has a key twice'],
    ['a key twice, once escaped', '{"decision":"deny","\\u0064ecision" : "allow"}', 'it has a key twice'],
    ['a key twice, deep inside', '{"a":[{"b":1},{"b":1,"c":{},"b":2}]}', 'it has a key twice'],
    ['too deep objects', nested(101), 'it is nested deeper than 100 levels'],
    ['too deep arrays', `{"a":${'['.repeat(100)}${']'.repeat(100)}}`, 'it is nested deeper than 100 levels'],
    ['a number that is none', '{"timeout":1e999}', 'it has a number that is too large'],
    ['a banner first', 'Now using node v20\n{"decision":"deny"}', 'there is other text around its JSON'],
    ['a banner on its line', 'hook: {"hookSpecificOutput":{}}\n', 'there is other text around its JSON'],
    [
      'a banner with braces',
      '{{ {a} {"x":1} }\n{"continue":false}'.replace('{', 'x{'),
      'there is other text around its JSON',
    ],
    [
      'a banner of braces',
      `x${'{'.repeat(500)}\n{"permissionDecision":"deny"}`,
      'there is other text around its JSON',
    ],
    [
      'a banner before and a farewell behind',
      'Hi\n{\n  "decision": "block"\n}\nbye',
      'there is other text around its JSON',
    ],
    ['a list around it', '[{"permissionDecision":"deny"}]', 'there is other text around its JSON'],
  ])('with %s is invalid', (_what, text, why) => {
    expect(answer(text)).toMatchObject({ kind: 'invalid', why });
  });

  test('as deep as allowed is JSON', () => {
    expect(answer(nested(100)).kind).toBe('json');
  });

  test.each([
    'Run {\n  "decision": 1\n with braces',
    'if (x) { "decision"; }\nreturn;',
    '[1, {"line": 3}]',
    'a\n{"line": 3}\nb',
  ])('that only looks like one is text: %s', (text) => {
    expect(answer(text).kind).toBe('text');
  });

  test.each([
    '{"a":'.repeat(200_000),
    `{"a":${'['.repeat(500_000)}`,
    `${'x{'.repeat(500_000)}}`,
    `x${'\n{'.repeat(500_000)}`,
    `x\n{"${'\\"'.repeat(400_000)}`,
    `x${'\n{"a'.repeat(200_000)}`,
  ])('that is hostile is read at once', (text) => {
    const startedAt = process.cpuUsage();
    expect(['invalid', 'text']).toContain(answer(text).kind);
    expect(process.cpuUsage(startedAt).user).toBeLessThan(500_000); // µs
  });

  test('that is not UTF-8 is invalid', () => {
    expect(readAnswer({ stdout: Uint8Array.of(0x7b, 0xff, 0x7d) })).toMatchObject({ kind: 'invalid' });
    expect(readAnswer({ stdout: Uint8Array.of(0x61, 0xff) })).toEqual({
      kind: 'invalid',
      why: 'it is not UTF-8',
    });
    const half = Buffer.concat([bytes('{"decision":"deny","reason":"'), Buffer.of(0xc3), bytes('"}')]);
    expect(readAnswer({ stdout: half })).toEqual({
      kind: 'invalid',
      why: 'it is not UTF-8',
      value: { decision: 'deny', reason: '\ufffd' },
    });
  });

  test('that is larger than 1 MB may be a refusal where it begins as JSON, and else is text', () => {
    const long = bytes('x'.repeat(1024 * 1024));
    const large = bytes(`{"reason":"${'x'.repeat(1024 * 1024)}"}`);
    const refusal = { kind: 'invalid', why: 'it is larger than 1 MB', mayRefuse: true };
    expect(readAnswer({ stdout: large })).toEqual(refusal);
    const kept = large.subarray(0, long.length);
    expect(readAnswer({ stdout: kept, cut: { mentionsAnswer: false } })).toEqual(refusal);
    expect(readAnswer({ stdout: long, cut: { mentionsAnswer: false } }).kind).toBe('text');
    expect(readAnswer({ stdout: long, cut: { mentionsAnswer: true } })).toEqual({
      kind: 'invalid',
      why: 'there is other text around its JSON',
    });
    const inCharacter = Buffer.concat([long.subarray(1), Buffer.of(0xc3)]);
    expect(readAnswer({ stdout: inCharacter, cut: { mentionsAnswer: false } }).kind).toBe('text');
  });

  test('of a pipe that is still open counts where it is whole', () => {
    const cut = { mentionsAnswer: false };
    expect(readAnswer({ stdout: bytes('{"a":1}'), cut })).toEqual({ kind: 'json', value: { a: 1 } });
    expect(readAnswer({ stdout: bytes('{"a":'), cut })).toMatchObject({ mayRefuse: true });
  });

  test.each([
    ['a quote that nobody escaped', '{"decision":"block","reason":"rm "x""}'],
    ['a line break', '{"decision":"block","reason":"a\nb"}'],
    ['a NUL', '{"permissionDecision":"ask","reason":"a\0b"}'],
    ['a second decision', '{"decision":"block","reason":"x","decision":"approve"}'],
    ['a flag', '{"ok": false, "reason": "a"b"}'],
  ])('that refuses, broken by what it quotes, may be a refusal: %s', (_, text) => {
    expect(answer(text)).toMatchObject({ kind: 'invalid', mayRefuse: true });
  });

  test('that is too deep still says what its first levels say', () => {
    const text = `{"decision":"block","hookSpecificOutput":{"a":{"b":{"c":1}}},"quoted":${nested(120)}}`;
    expect(answer(text)).toEqual({
      kind: 'invalid',
      why: 'it is nested deeper than 100 levels',
      value: { decision: 'block', hookSpecificOutput: { a: {} }, quoted: { a: {} } },
    });
  });

  test.each([
    'Remember the tests.',
    '[1]',
    '"deny"',
    'null',
    'Package:\n{"name":"a"}',
    'say {"decision":"deny"} and go on',
    'function f() { return {a: 1} }',
  ])('of other text %j is text', (text) => {
    expect(answer(` ${text}\n`)).toEqual({ kind: 'text', text });
  });

  test('loses the keys that reach a prototype, at every depth', () => {
    const text =
      '{"__proto__":{"admin":true},"a":[{"constructor":1,"b":{"prototype":2,"c":3}}],"\\u005f_proto__":1}';
    expect(answer(text)).toEqual({ kind: 'invalid', why: 'it has a key twice' });
    const read = answer(text.replace(',"\\u005f_proto__":1', ''));
    expect(JSON.stringify(read)).toBe('{"kind":"json","value":{"a":[{"b":{"c":3}}]}}');
    expect(JSON.stringify(answer('{"\\u005f_proto__":{"x":1},"y":2}'))).toBe(
      '{"kind":"json","value":{"y":2}}',
    );
  });

  test('never holds its own text in what is wrong with it', () => {
    expect(JSON.stringify(answer('{"key": sk_live_YW}'))).not.toContain('sk_live');
  });

  test('is whatever JSON.stringify wrote, and never throws for anything else', () => {
    const safe = fc.dictionary(
      fc.string().filter((key) => !['__proto__', 'constructor', 'prototype'].includes(key)),
      fc.jsonValue({ maxDepth: 3 }),
    );
    fc.assert(
      fc.property(safe, (value) => {
        const text = JSON.stringify(value);
        if (/"(?:__proto__|constructor|prototype)":/.test(text)) return;
        expect(answer(text)).toEqual({ kind: 'json', value: JSON.parse(text) });
      }),
    );
    const pieces = fc.array(
      fc.constantFrom('{', '}', '[', ']', '"', '\\', ':', ',', 'a', '1', ' ', '\\u00', '"a":'),
    );
    fc.assert(fc.property(pieces, (parts) => void answer(`{${parts.join('')}`)));
    fc.assert(fc.property(fc.uint8Array(), (output) => void readAnswer({ stdout: output })));
  });
});

test('text is strict UTF-8 without a byte order mark', () => {
  expect(readText({ stdout: bytes('\ufeffä\n') })).toBe('ä\n');
  expect(readText({ stdout: Uint8Array.of(0xc3) })).toBeUndefined();
  expect(readText({ stdout: Uint8Array.of(0xed, 0xa0, 0x80) })).toBeUndefined();
});
