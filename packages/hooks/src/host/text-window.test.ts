import { describe, expect, test } from 'vitest';
import { type AnyHook, defineHook } from '../define/define.ts';
import { type StreamingHook, TextWindow } from './text-window.ts';

const streaming = (holdBack: number, stream: (text: string) => string, id = 'mine'): StreamingHook =>
  defineHook({
    hook: 'before_create_message',
    id,
    holdBack,
    stream,
    execute: async (_, message) => ({ ...message, content: stream(`${message.content}`) }),
  }) as AnyHook as StreamingHook;

const digits = streaming(8, (text) => text.replace(/\d{4,8}/g, '#'));

/** What leaves after each piece. */
function released(hooks: readonly StreamingHook[], pieces: readonly string[]): string[] {
  const window = new TextWindow(hooks);
  return pieces.map((piece) => {
    window.add(piece);
    return window.take();
  });
}

describe('text leaves', () => {
  test('up to what its hook may still change', () => {
    expect(released([digits], ['It is quite a lot', ' of text that', ' is harmless'])).toEqual([
      'It is qui',
      'te a lot of t',
      'ext that is ',
    ]);
  });

  test('never from a change on, however the text goes on', () => {
    const pieces = ['The number is: ', '12', '34', '5. And ', 'much more text.'.repeat(4)];
    expect(released([digits], pieces).join('')).toBe('The number is: ');
  });

  test('not while it is a match longer than the window', () => {
    const pieces = ['Look: ', ...Array.from('1234567890'.repeat(20)), ' is long', ' and the text goes on'];
    const greedy = streaming(8, (text) => text.replace(/\d{4,}/g, '#'));
    expect(released([greedy], pieces).join('')).toBe('Look: ');
  });

  test('again where a function no longer holds something for possible', () => {
    const careful = streaming(0, (text) => text.replace(/\S+$/, ''));
    const pieces = ['first and sec', 'ond and third', ' and no more   '];
    expect(released([careful], pieces)).toEqual(['first and ', 'second and ', 'third and no more   ']);
  });

  test('whole characters at a time', () => {
    const pieces = released([streaming(1, (text) => text)], ['12345678😀', 'abcdefgh😀', '12345678']);
    expect(pieces).toEqual(['12345678', '😀abcdefgh', '😀1234567']);
  });
});

describe('of several hooks', () => {
  const first = streaming(4, (text) => text.replaceAll('abcd', 'secret'), 'first');
  const second = streaming(6, (text) => text.replaceAll('secret', '***'), 'second');
  const padding = '. And so on, and on, and on.';

  test('the next sees what the one before it makes of the text', () => {
    const reader: string[] = [];
    const spy = streaming(0, (text) => {
      reader.push(text);
      return text;
    });
    released([first, spy], [`it is abcd${padding}`]);
    expect(reader).toEqual([`it is secret${padding}`]);
  });

  test('what one changes holds the text back, also where the next would make it what it was', () => {
    const back = streaming(4, (text) => text.replaceAll('secret', 'abcd'));
    expect(released([first, back], [`it is abcd${padding}`])[0]).toBe('it');
  });

  test('the windows add up', () => {
    expect(released([first, second], ['0123456789klmnopqrst'])[0]).toBe('0123456789');
  });
});

describe('a long text', () => {
  test.each([
    ['that leaves', (text: string) => text],
    ['that is held back from its beginning on', () => ''],
  ])('%s is looked at a bounded number of times', (_, stream) => {
    let seen = 0;
    const counting = streaming(64, (text) => {
      seen += text.length;
      return stream(text);
    });
    const text = 'word '.repeat(40_000);
    const joined = released([counting], text.match(/.{1,3}/g) as string[]).join('');
    expect(text.startsWith(joined)).toBe(true);
    expect(seen).toBeLessThan(40 * text.length);
  });

  test('is seen with what stood before it', () => {
    const far = streaming(16, (text) => text.replace(/(?<=key:[\s\S]{0,1000})\d{4}/g, '#'));
    const pieces = [
      'The key:',
      ...Array.from({ length: 100 }, () => ' words'),
      ' 1234',
      ' and more words'.repeat(9),
    ];
    expect(released([far], pieces).join('')).not.toContain('1234');
  });

  test('goes on with other hooks where it was', () => {
    const window = new TextWindow([digits], {
      released: 'The number is 12',
      waiting: '34. And so on, and on.',
    });
    expect(window.take()).toBe('');
    expect(window.waiting).toBe('34. And so on, and on.');
    expect(new TextWindow([digits], { released: 'Well, ', waiting: 'and so on, and on' }).take()).toBe(
      'and so on',
    );
  });
});
