import { RunError } from '@spec/hooks';
import { anyCharacter } from '@spec/test-helpers';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isLinear, sampleRedaction } from './sample-redaction.ts';

const nested = (value: unknown, levels: number): string =>
  levels === 0 ? JSON.stringify(value) : nested({ in: JSON.stringify(value) }, levels - 1);

describe('JSON texts', () => {
  test('change only where something was found', () => {
    const { value } = sampleRedaction();
    const text =
      '{ "email":"anna@example.com",  "n": 12345678901234567890, "f": 1.0, "list": [ 1,2 ],\n "u": "\\u00e9" }';
    expect(value(text)).toBe(text.replace('anna@example.com', '[EMAIL_1]'));
  });

  test('without a finding are the same text', () => {
    const { value } = sampleRedaction();
    for (const text of ['{"a":1,"a":2}', '[1e400]', '{"big":12345678901234567890}', ' [ ] ', '"x"'])
      expect(value(text)).toBe(text);
  });

  test('are searched inside texts inside texts', () => {
    const { value } = sampleRedaction();
    const inner = { email: 'anna@example.com', dob: '1990-04-05', card: 4111111111111111 };
    for (let levels = 0; levels < 4; levels++) {
      expect(value(nested(inner, levels))).toBe(
        nested({ email: '[EMAIL_1]', dob: '[DATE_OF_BIRTH_1]', card: '[CARD_1]' }, levels),
      );
    }
  });

  test('are searched behind their escapes', () => {
    const { value } = sampleRedaction();
    expect(value('{"e":"anna\\u0040example.com","s":"x\\nbob@example.com"}')).toBe(
      '{"e":"[EMAIL_1]","s":"x\\n[EMAIL_2]"}',
    );
  });

  test('that are broken are searched as text, behind their escapes too', () => {
    const { value } = sampleRedaction();
    expect(value('{"e":"anna\\u0040example.com","s":"x\\nbob@example.com", "dob": "1990-04-05"')).toBe(
      '{"e":"[EMAIL_1]","s":"x\\n[EMAIL_2]", "dob": "[DATE_OF_BIRTH_1]"',
    );
  });

  test('are searched in keys, in doubled keys, and in numbers', () => {
    const { value } = sampleRedaction();
    expect(
      value('{"anna@example.com":1,"e":"bob@example.com","e":2,"c":4111111111111111,"d":4111111111111111.0}'),
    ).toBe('{"[EMAIL_1]":1,"e":"[EMAIL_2]","e":2,"c":"[CARD_1]","d":"[CARD_1]"}');
  });

  test('a card of 19 digits is found although no number holds so many', () => {
    const { value } = sampleRedaction();
    expect(value('{"pan":6304000000000000002}')).toBe('{"pan":"[CARD_1]"}');
  });
});

describe('objects', () => {
  test('are searched at any depth; what holds nothing is the same object', () => {
    const { value } = sampleRedaction();
    const clean = { a: [1, { b: 'x' }], when: new Date(0), bytes: new Uint8Array(3), none: null };
    expect(value(clean)).toBe(clean);
    const given = { clean, list: ['anna@example.com', 4111111111111111, { 'bob@example.com': 'x' }] };
    const next = value(given) as typeof given;
    expect(next).toEqual({ clean, list: ['[EMAIL_1]', '[CARD_1]', { '[EMAIL_2]': 'x' }] });
    expect(next.clean).toBe(clean);
    expect(given.list[0]).toBe('anna@example.com');
  });

  test('keep both values where two keys are one', () => {
    const { value } = sampleRedaction();
    expect(value({ 'a@example.com': 1, 'A@example.com': 2 })).toEqual({ '[EMAIL_1]': 1, '[EMAIL_1]#2': 2 });
  });

  test('in a circle, or too deep, are refused without their content', () => {
    const { value } = sampleRedaction();
    const circle: Record<string, unknown> = { secret: 'anna@example.com' };
    circle.self = circle;
    expect(() => value(circle)).toThrow(RunError);
    expect(() => value(circle)).toThrow(/^A value nested more than 200 deep cannot be redacted/);
  });

  test('text nested deeper than JSON is parsed is searched all the same', () => {
    const { value } = sampleRedaction();
    const deep = `${'['.repeat(5000)}"anna@example.com"${']'.repeat(5000)}`;
    expect(value(deep)).not.toContain('anna@');
    const broken = `${'['.repeat(100_000)}"anna@example.com"`;
    expect(value(broken)).not.toContain('anna@');
  });
});

describe('redacting twice is redacting once', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ...[
        'anna@example.com',
        'ANNA@example.com',
        '4111 1111 1111 1111',
        '4111111111111111',
        '+1 415 555 2671',
        '415-555-2671',
        '4155552671',
      ],
      ...[
        'password=hunter2',
        '"api_key": "abc123def"',
        'Bearer abcdefghijklmnop1234',
        'AKIAIOSFODNN7EXAMPLE',
        'postgres://u:pw123@host/db',
      ],
      ...[
        'DOB: 1990-04-05',
        'born on April 5, 1990',
        '04/05/1990',
        'April 5, 1990',
        'dates of birth: ',
        '[EMAIL_1]',
        '[SECRET_7]',
        '[',
        ']',
        '\\u0040',
        '\\n',
        '\\',
        '@',
      ],
      ...['order ', 'id: ', ' ', '-', ', ', '\n', '"', ':', '{"dob":"', '"}', '5', '1990', 'token '],
    ),
    fc.string({ maxLength: 8 }),
    fc.string({ unit: anyCharacter, maxLength: 4 }),
  );
  const text = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''));

  test('for texts', () => {
    fc.assert(
      fc.property(text, (given) => {
        const { text: redact } = sampleRedaction();
        const once = redact(given);
        expect(redact(once)).toBe(once);
      }),
      { numRuns: 500 },
    );
  });

  test('for a key that is a placeholder by now: it is no label', () => {
    const { value: redact } = sampleRedaction();
    expect(redact({ '[DATE_OF_BIRTH_1]': '0' })).toEqual({ '[DATE_OF_BIRTH_1]': '0' });
  });

  test('for values, and in a thread that knows nothing of the first time', () => {
    const value = fc.letrec((tie) => ({
      node: fc.oneof(
        { maxDepth: 3 },
        text,
        fc.integer(),
        text.map((inner) => JSON.stringify({ inner })),
        fc.array(tie('node'), { maxLength: 3 }),
        fc.dictionary(fc.oneof(fc.constantFrom('dob', 'password', 'phone', 'note'), text), tie('node'), {
          maxKeys: 3,
        }),
      ),
    })).node;
    fc.assert(
      fc.property(value, (given) => {
        const first = sampleRedaction();
        let once = first.value(given);
        // A date that became known is found further up in the second round, which the hooks run by themselves.
        for (let births = -1; births !== first.memory.birthDates; ) {
          births = first.memory.birthDates;
          once = first.value(once);
        }
        expect(first.value(once)).toEqual(once);
        expect(sampleRedaction().value(once)).toEqual(once);
      }),
      { numRuns: 250 },
    );
  });
});

describe('a value that stands between anything', () => {
  const secrets = [
    'anna.smith@example.com',
    '4111111111111111',
    'AKIAIOSFODNN7EXAMPLE',
    '+14155552671',
    'born on April 5, 1990',
  ];
  const noise = fc.oneof(
    fc.string({ maxLength: 20 }),
    fc.string({ unit: anyCharacter, maxLength: 10 }),
    fc.constantFrom('\\', '\\n', '[EMAIL_1]', '{"a":', '%', '"', '\ud800', '@', '4111 '),
  );
  const inNoise = fc.tuple(
    noise,
    fc.constantFrom(' ', '\n', '\t', '("', '<', ', '),
    fc.constantFrom(...secrets),
    fc.constantFrom(' ', '\n', '")', '>', ', '),
    noise,
  );

  test('is gone, in text, in objects and in JSON inside JSON', () => {
    fc.assert(
      fc.property(inNoise, fc.integer({ min: 0, max: 3 }), ([before, left, secret, right, after], levels) => {
        const text = `${before}${left}${secret}${right}${after}`;
        const hidden = secret.replace('born on ', '');
        expect(sampleRedaction().text(text)).not.toContain(hidden);
        expect(JSON.stringify(sampleRedaction().value({ deep: [{ text }] }))).not.toContain(hidden);
        expect(sampleRedaction().value(nested(text, levels))).not.toContain(hidden);
      }),
      { numRuns: 400 },
    );
  });
});

describe('overlapping findings', () => {
  test('become one, named by the longest', () => {
    expect(sampleRedaction().value('postgres://anna@example.com:pw1234@db.example.com/app')).toBe(
      '[SECRET_1]',
    );
    expect(sampleRedaction().value('password=anna@example.com')).toBe('password=[SECRET_1]');
  });

  test('do so in the same way every time', () => {
    const text = 'token=4111111111111111 anna@example.com:hunter2@host DOB 4155552671 19900405';
    expect(new Set(Array.from({ length: 5 }, () => sampleRedaction().value(text))).size).toBe(1);
  });
});

describe('long and hostile texts', () => {
  test.each([
    '\\',
    '\\\\',
    '\\u0040',
    '%40',
    '&#64;',
    '[EMAIL_1]',
    '[EMAIL_',
    '{"a":',
    '["',
    'a@b.c ',
    '4111-',
    '\u200b',
    'dob 1',
  ])('take linear time: %j repeated', (unit) => {
    expect(isLinear((text) => sampleRedaction().value(text), unit)).toBe(true);
  });
});
