import { describe, expect, test } from 'vitest';
import { SeenMessages, type ShownMessage } from './seen-messages.ts';

/** `u:go` is the user's, `a:yes` and `t:1` are others'; with a `*` the loop made it. */
const show = (text: string): ShownMessage[] =>
  text
    .split(' ')
    .filter(Boolean)
    .map((key) => ({ role: key[0] ?? '', key: key.replace('*', ''), isOwn: key.endsWith('*') }));

function lookAll(...steps: string[]): string[] {
  const seen = new SeenMessages();
  return steps.map((step) => {
    const shown = show(step);
    const found = seen.look(shown);
    return shown.flatMap(({ key }, at) => (found[at] === 'known' ? [] : [`${found[at]} ${key}`])).join(', ');
  });
}

describe('of the messages that a loop shows', () => {
  test.each([
    ['those of the first time are known', ['u:a a:b u:c'], ['']],
    ['what the loop makes is known', ['u:a', 'u:a a:x* t:1*', 'u:a a:x t:1 a:y*'], ['', '', '']],
    ['what stands behind an answer is added', ['u:a', 'u:a a:x* t:1* u:b'], ['', 'added u:b']],
    ['also where a window has left out what was before', ['u:a', 'a:x* t:1* u:b'], ['', 'added u:b']],
    ['what comes again is known', ['u:a', 'u:a u:b', 'u:a', 'u:a u:b'], ['', 'added u:b', '', '']],
    ['two that say the same are two', ['u:a', 'u:a u:a', 'u:a u:a'], ['', 'added u:a', '']],
    ['one in the place of another is a rewrite', ['u:a a:b u:c', 'u:A a:b u:c'], ['', 'rewritten u:A']],
    ['one more than there were is added', ['u:a a:b', 'u:A u:c a:b'], ['', 'rewritten u:A, added u:c']],
    ['another role takes no place', ['u:a a:b', 'u:a u:c'], ['', 'added u:c']],
    ['a summary stands for many', ['u:a a:b u:c a:d u:e', 'u:S u:e'], ['', 'rewritten u:S']],
    [
      'a rewrite may be rewritten',
      ['u:a a:b', 'u:A a:b', 'u:AA a:b'],
      ['', 'rewritten u:A', 'rewritten u:AA'],
    ],
  ])('%s', (_, steps, expected) => {
    expect(lookAll(...steps)).toEqual(expected);
  });
});
