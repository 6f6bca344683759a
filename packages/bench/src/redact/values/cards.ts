import type { Kind } from '../kind.ts';
import type { Random } from '../random.ts';

/** First digits and lengths as the networks publish them. */
const networks: ReadonlyArray<readonly [prefixes: readonly string[], lengths: readonly number[]]> = [
  [['4'], [16, 16, 16, 13, 19]],
  [['51', '52', '53', '54', '55'], [16]],
  [['2221', '2500', '2720'], [16]],
  [['34', '37'], [15]],
  [['300', '305', '3095', '36', '38', '39'], [14]],
  [
    ['6011', '644', '649', '65'],
    [16, 19],
  ],
  [['3528', '3589'], [16]],
  [
    ['620', '622126', '625', '628'],
    [16, 19],
  ],
  [
    ['5018', '5020', '5038', '6304', '6759', '6761'],
    [16, 18, 19],
  ],
  [
    ['636368', '438935', '504175', '451416', '636297', '506699', '506718', '509050', '650031', '655000'],
    [16],
  ],
  [['2200', '2204'], [16]],
  [['508500', '606985', '652150', '817200'], [16]],
  [['9792'], [16]],
  [['6062'], [16]],
];

function checkDigit(payload: string): string {
  const sum = Array.from(payload)
    .reverse()
    .reduce((total, digit, index) => {
      const doubled = Number(digit) * (index % 2 === 0 ? 2 : 1);
      return total + (doubled > 9 ? doubled - 9 : doubled);
    }, 0);
  return String((10 - (sum % 10)) % 10);
}

function cardNumber(random: Random): string {
  const [prefixes, lengths] = random.pick(networks);
  const prefix = random.pick(prefixes);
  const payload = prefix + random.of('0123456789', random.pick(lengths) - prefix.length - 1);
  return payload + checkDigit(payload);
}

/** In the groups that are embossed on cards. */
function embossed(digits: string, separator: string): string {
  const groups =
    digits.length === 15 ? /(.{4})(.{6})(.{5})/ : digits.length === 14 ? /(.{4})(.{6})(.{4})/ : undefined;
  if (groups !== undefined) return digits.replace(groups, ['$1', '$2', '$3'].join(separator));
  return (digits.match(/.{1,4}/g) ?? []).join(separator);
}

export const cardKinds: readonly Kind[] = [
  {
    name: 'card number',
    isPromised: true,
    sample: (random) => {
      const digits = cardNumber(random);
      return { value: random.pick([digits, embossed(digits, ' '), embossed(digits, '-')]) };
    },
  },
];
