import { describe, expect, test } from 'vitest';
import { sampleRedaction } from '../sample-redaction.ts';

const config = JSON.stringify({ password: 'ab"cdef' });
const hidden = JSON.stringify({ password: '[SECRET_1]' });

describe('a quote that is escaped ends no value', () => {
  test.each([
    [String.raw`"password": "ab\"cdef"`, '"password": "[SECRET_1]"'],
    [String.raw`password = 'ab\'cdef', next`, "password = '[SECRET_1]', next"],
    [String.raw`"api_key" => "a\\\"b\\9"`, '"api_key" => "[SECRET_1]"'],
    [`log: ${config}`, `log: ${hidden}`],
    [`log: ${JSON.stringify(config)}`, `log: ${JSON.stringify(hidden)}`],
    [`x ${JSON.stringify(JSON.stringify(config))}`, `x ${JSON.stringify(JSON.stringify(hidden))}`],
    [JSON.stringify({ body: config }), JSON.stringify({ body: hidden })],
    [String.raw`it has name: "password", value: "ab\"cdef"`, 'it has name: "password", value: "[SECRET_1]"'],
    [String.raw`app --password "ab\"cdef9" run`, 'app --password "[SECRET_1]" run'],
    [String.raw`client.setPassword("ab\"cdef9")`, 'client.setPassword("[SECRET_1]")'],
    [String.raw`smtp.login("bob", "ab\"cdef9")`, 'smtp.login("bob", "[SECRET_1]")'],
    [String.raw`The password is "ab\"cdef9".`, 'The password is "[SECRET_1]".'],
  ])('%s', (text, expected) => {
    expect(sampleRedaction().value(text)).toBe(expected);
  });

  test('a backslash at the end of a value is one where no other quote follows', () => {
    expect(sampleRedaction().value('password = "C9domain\\"\n')).toBe('password = "[SECRET_1]\n');
    expect(sampleRedaction().value('password = "C9domain\\\\" user = "x"')).not.toContain('C9');
  });

  test('the value is what is meant', () => {
    const { value } = sampleRedaction();
    expect(value({ password: 'ab"cdef' })).toEqual({ password: '[SECRET_1]' });
    expect(value(String.raw`"password": "ab\"cdef"`)).toBe('"password": "[SECRET_1]"');
    expect(value(`password: 'ab"cdef'`)).toBe("password: '[SECRET_1]'");
    expect(value(String.raw`"password": "ab\u0022cdef"`)).toBe('"password": "[SECRET_1]"');
  });
});
