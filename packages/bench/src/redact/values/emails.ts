import type { Kind } from '../kind.ts';
import type { Random } from '../random.ts';

const names = [
  'anna',
  'j.smith',
  'li_wei',
  'o-neill',
  'maria.garcia-lopez',
  'x',
  'sales+eu',
  'r2d2',
  'Jean.Dupont',
  'user%dept',
  'tanaka99',
];
const hosts = [
  'example',
  'mail.example',
  'sub.mail.example',
  'ex-ample',
  'example1',
  'my-company',
  'xn--bcher-kva',
  '9news',
];
const endings = [
  'com',
  'org',
  'net',
  'io',
  'de',
  'co.uk',
  'com.br',
  'museum',
  'photography',
  'gov.in',
  'xn--p1ai',
];

/** RFC 5321 mailboxes: dot-atoms at host names. */
const plain = (random: Random): string =>
  `${random.pick(names)}${random.below(900)}@${random.pick(hosts)}.${random.pick(endings)}`;

/** RFC 5321 and 6531: quoted local parts, address literals, letters beyond ASCII, the local host. */
const rare = (random: Random): string => {
  const number = random.below(900);
  return random.pick([
    `"anna smith${number}"@example.com`,
    `anna${number}@[192.168.0.1]`,
    `jürgen${number}@müller.de`,
    `пользователь${number}@пример.рф`,
    `用户${number}@例子.中国`,
    `o'neil${number}@example.com`,
    `anna${number}@localhost`,
    `root+${number}@localhost`,
    `ANNA${number}@EXAMPLE.COM`,
  ]);
};

export const emailKinds: readonly Kind[] = [
  { name: 'e-mail address', isPromised: true, sample: (random) => ({ value: plain(random) }) },
  { name: 'e-mail address, rare forms', isPromised: true, sample: (random) => ({ value: rare(random) }) },
];
