import { describe, expect, test } from 'vitest';
import { atOnce } from './pieces.ts';
import { makeViews, rangeInText, type View } from './view.ts';

const findDeepest = (text: string): View => atOnce(makeViews(text)).at(-1) as View;

describe('views of a text', () => {
  test.each([
    ['a\\u0040b', 'a@b'],
    ['a\\u{40}b', 'a@b'],
    ['a\\x40b', 'a@b'],
    ['a%40b', 'a@b'],
    ['a%C3%9f%E8%AA%9Eb%f0%9f%99%82', 'aß語b🙂'],
    ['%C3 %C3%C3 %c0%80%ED%A0%80', '%C3 %C3%C3 \ufffd\ufffd'],
    ['a&#64;b', 'a@b'],
    ['a&#x40;b', 'a@b'],
    ['a&commat;b', 'a@b'],
    ['a\u200b@\u00adb', 'a@b'],
    ['a\\nb', 'a\nb'],
    ['a\\/b', 'a/b'],
    ['a\\\\u0040b', 'a@b'],
    ['a\\\\\\\\u0040b', 'a@b'],
    ['a＠b', 'a@b'],
    ['４１１１', '4111'],
    ['٤١١١', '4111'],
    ['৪১১১ ๔๑ ௪', '4111 41 4'],
    ['⁴₁①⓪ 𝟒𝟷', '4110 41'],
    ['𝐚𝓷na', 'anna'],
    ['a\u200e\u034f\u180e\ufe0f\u2063\u2066\0b\u{e0041}c', 'abc'],
    ['\u001b[1;31ma\u001b[0mb', 'ab'],
    ['a&period;b&hyphen;c&plus;d&lowbar;e', 'a.b-c+d_e'],
    ['a=4111+1111&b=1', 'a=4111 1111&b=1'],
    ['tel=+49+30', 'tel=+49 30'],
    ['1+1 a+b=c', '1+1 a+b=c'],
    ['plain', 'plain'],
    ['100% \\ \\q &amp', '100% \\ \\q &amp'],
  ])('%j is read as %j', (text, read) => {
    expect(findDeepest(text).text).toBe(read);
  });

  test('every unit knows where it stands', () => {
    const text = 'ab\\u0040\\ncd';
    const deepest = findDeepest(text);
    expect(deepest.text).toBe('ab@\ncd');
    expect(rangeInText(deepest, deepest, { start: 2, end: 3 })).toEqual({ start: 2, end: 8 });
    expect(rangeInText(deepest, deepest, { start: 4, end: 6 })).toEqual({ start: 10, end: 12 });
  });

  test('a range that begins inside an escape begins behind it', () => {
    const text = '\\nanna';
    const [first] = atOnce(makeViews(text));
    expect(rangeInText(first, findDeepest(text), { start: 1, end: 6 })).toEqual({ start: 2, end: 6 });
  });

  test('there is an end to the levels', () => {
    expect(atOnce(makeViews(`${'\\'.repeat(4096)}u0040`)).length).toBeLessThan(10);
  });
});
