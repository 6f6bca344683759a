import type { Kind } from '../../kind.ts';
import type { Random } from '../../random.ts';
import { aloneIn } from './alone.ts';
import { laterPhrases } from './later-phrases.ts';
import { madeKey } from './made-key.ts';
import { phrases } from './phrases.ts';

const WORDS =
  'winter hunter dragon monkey coffee purple silver guitar summer falcon madrid berlin cheese rocket pepper castle orange wizard harbor copper'.split(
    ' ',
  );
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** How people and generators make passwords, each as often as it stands here; one in ten is a bare word. */
const MAKERS: readonly ((random: Random) => string)[] = [
  (random) => `${random.pick(WORDS)}${random.below(10_000)}`,
  (random) => `${capital(random.pick(WORDS))}${1950 + random.below(76)}!`,
  (random) => `${capital(random.pick(WORDS))}${capital(random.pick(WORDS))}${random.below(100)}`,
  (random) => [0, 1, 2, 3].map(() => random.pick(WORDS)).join('-'),
  (random) => madeKey('{A16}', random),
  (random) => `${madeKey('{A6}', random)}$${madeKey('{A4}', random)}#${madeKey('{d2}', random)}`,
  (random) => `${madeKey('{l4}', random)}!${madeKey('{u3}', random)}9`,
  (random) => random.pick(WORDS).replace('e', '3').replace('o', '0').replace('i', '1').concat('@7'),
  (random) => `${capital(random.pick(WORDS))}_${random.below(1000)}`,
  (random) => random.pick(WORDS),
];

const makePassword = (random: Random): string => random.pick(MAKERS)(random);

/** The text of a phrase with a password in it, and the value that must be gone. */
function inPhrase(phrase: string, password: string): { readonly value: string; readonly written: string } {
  if (phrase.includes('{base64}')) {
    const value = btoa(password.padEnd(12, '1'));
    return { value, written: phrase.replace('{base64}', () => value) };
  }
  const value = phrase.includes('{basic}') ? btoa(`bob:${password}`) : password;
  return { value, written: phrase.replace(/\{(?:basic)?\}/, () => value) };
}

const makeKind = (name: string, from: readonly string[]): Kind => ({
  name,
  isPromised: false,
  contexts: aloneIn(from.length),
  sample: (random) => inPhrase(random.pick(from), makePassword(random)),
});

export const passwordKinds: readonly Kind[] = [
  makeKind('password, in a phrase', phrases),
  makeKind('password, in a phrase not worked on', laterPhrases),
];
