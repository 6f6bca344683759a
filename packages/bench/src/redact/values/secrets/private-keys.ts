import type { Kind, Sample } from '../../kind.ts';
import type { Random } from '../../random.ts';
import { aloneIn } from './alone.ts';
import { madeKey } from './made-key.ts';

/** Labels of PEM and its relatives (RFC 7468, RFC 1421, RFC 4716, RFC 9580, OpenSSH). */
const PEM_LABELS = [
  'PRIVATE KEY',
  'ENCRYPTED PRIVATE KEY',
  'RSA PRIVATE KEY',
  'EC PRIVATE KEY',
  'DSA PRIVATE KEY',
  'OPENSSH PRIVATE KEY',
  'PGP PRIVATE KEY BLOCK',
  'ANY PRIVATE KEY',
];

const makeLines = (random: Random, count: number): string[] =>
  Array.from({ length: count }, () => madeKey('{b64}', random));

const pem = (label: string, body: readonly string[]): string =>
  [`-----BEGIN ${label}-----`, ...body, `-----END ${label}-----`].join('\n');

/** Ways of writing a PEM file. */
const WRITINGS: readonly ((pem: string) => string)[] = [
  (text) => `Here it is:\n${text}\nKeep it safe.`,
  (text) => JSON.stringify({ type: 'service_account', private_key: text }),
  (text) => JSON.stringify(JSON.stringify({ key: text })),
  (text) => text.replaceAll('\n', ' '),
  (text) => text.replaceAll('\n', ''),
  (text) => text.replaceAll('\n', '\r\n'),
  (text) => `key: |\n${text.replace(/^/gm, '    ')}\nother: 1`,
  (text) => text.replace(/^/gm, '> '),
  (text) => text.slice(0, -30),
  (text) => text.slice(-300),
  (text) => `key=${encodeURIComponent(text)}`,
  (text) => text.replace(/^(.*)$/gm, '"$1\\n" +'),
  (text) => text.replace('\n', '\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,3F17F5316E2BAC89\n\n'),
];

function armoured(random: Random): Sample {
  const body = makeLines(random, 6 + random.below(20));
  const written = random.pick(WRITINGS)(pem(random.pick(PEM_LABELS), body));
  const left = body.filter((line) => written.includes(line));
  return { value: random.pick(left.length === 0 ? body.map(encodeURIComponent) : left), written };
}

/** SSH2, PuTTY, age, WireGuard, JSON web keys. */
const OTHERS: readonly ((random: Random) => Sample)[] = [
  (random) => {
    const body = makeLines(random, 6);
    const written = `---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nComment: "bob"\n${body.join('\n')}\n---- END SSH2 ENCRYPTED PRIVATE KEY ----`;
    return { value: random.pick(body), written };
  },
  (random) => {
    const body = makeLines(random, 6);
    const written = `PuTTY-User-Key-File-${2 + random.below(2)}: ssh-rsa\nEncryption: none\nComment: bob\nPublic-Lines: 1\n${madeKey('{b64}', random)}\nPrivate-Lines: 6\n${body.join('\n')}\nPrivate-MAC: ${madeKey('{h64}', random)}\n`;
    return { value: random.pick(body), written };
  },
  (random) => {
    const value = madeKey('AGE-SECRET-KEY-1{x58}', random);
    return { value, written: `# created: 2026-01-01T00:00:00Z\n${value}\n` };
  },
  (random) => {
    const value = madeKey('{b43}=', random);
    return { value, written: `[Interface]\nPrivateKey = ${value}\nAddress = 10.0.0.2/32` };
  },
  (random) => {
    const value = madeKey('{w43}', random);
    return { value, written: `{"kty":"EC","crv":"P-256","x":"${madeKey('{w43}', random)}","d":"${value}"}` };
  },
];

export const privateKeyKinds: readonly Kind[] = [
  { name: 'private key, PEM', isPromised: true, contexts: aloneIn(60), sample: armoured },
  {
    name: 'private key, other forms',
    isPromised: true,
    contexts: aloneIn(40),
    sample: (random) => random.pick(OTHERS)(random),
  },
];
