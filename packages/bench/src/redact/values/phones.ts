import { type Kind, labelled } from '../kind.ts';
import type { Random } from '../random.ts';

interface Plan {
  readonly country: string;
  readonly code: string;
  /** Groups as the country's numbering plan writes them, without prefix; `#` is any digit. */
  readonly numbers: readonly string[];
  /** What is dialled before them inside the country. */
  readonly trunk: string;
}

/** From ITU-T E.164 national numbering plans: ranges that are assigned, in the groups that are used in the country. */
const plans: readonly Plan[] = [
  { country: 'US', code: '1', numbers: ['415 555 2###', '212 555 3###', '646 234 5###'], trunk: '' },
  { country: 'GB', code: '44', numbers: ['20 7946 0###', '7400 123###', '161 496 0###'], trunk: '0' },
  { country: 'DE', code: '49', numbers: ['30 123456##', '1512 34567##', '89 1234##'], trunk: '0' },
  { country: 'FR', code: '33', numbers: ['6 12 34 5# ##', '1 23 45 6# ##'], trunk: '0' },
  { country: 'ES', code: '34', numbers: ['612 34 5# ##', '912 34 5# ##'], trunk: '' },
  { country: 'IT', code: '39', numbers: ['312 345 6###', '06 1234 5###'], trunk: '' },
  { country: 'NL', code: '31', numbers: ['6 12345###', '20 123 4###'], trunk: '0' },
  { country: 'SE', code: '46', numbers: ['70 123 4# ##', '8 123 45# ##'], trunk: '0' },
  { country: 'PL', code: '48', numbers: ['512 345 ###', '12 345 6# ##'], trunk: '' },
  { country: 'AT', code: '43', numbers: ['664 123###', '1 2345###'], trunk: '0' },
  { country: 'CH', code: '41', numbers: ['78 123 4# ##', '44 668 1# ##'], trunk: '0' },
  { country: 'IN', code: '91', numbers: ['81234 56###', '98765 43###'], trunk: '0' },
  { country: 'CN', code: '86', numbers: ['131 2345 6###', '10 1234 5###'], trunk: '' },
  { country: 'JP', code: '81', numbers: ['90 1234 5###', '3 1234 5###'], trunk: '0' },
  { country: 'KR', code: '82', numbers: ['10 2000 0###', '2 2123 4###'], trunk: '0' },
  { country: 'BR', code: '55', numbers: ['11 96123 4###', '21 2345 6###'], trunk: '' },
  { country: 'MX', code: '52', numbers: ['222 123 4###', '55 1234 5###'], trunk: '' },
  { country: 'AU', code: '61', numbers: ['412 345 6##', '2 8123 4###'], trunk: '0' },
  { country: 'ZA', code: '27', numbers: ['71 123 4###', '10 123 4###'], trunk: '0' },
  { country: 'TR', code: '90', numbers: ['501 234 5# ##', '212 345 6# ##'], trunk: '0' },
];

const makeGroups = (random: Random, { numbers }: Plan): string[] =>
  random
    .pick(numbers)
    .replace(/#/g, () => random.of('0123456789', 1))
    .split(' ');

/** With the country's code: E.123, RFC 3966 and how people write them. */
function international(random: Random, prefix: (code: string) => string): string {
  const plan = random.pick(plans);
  const groups = makeGroups(random, plan);
  const [area = '', ...rest] = groups;
  const code = prefix(plan.code);
  return random.pick([
    `${code} ${groups.join(' ')}`,
    `${code}${groups.join('')}`,
    `${code}-${groups.join('-')}`,
    `${code} ${area} ${rest.join('')}`,
    `${code} (${area}) ${rest.join(' ')}`,
    `${code}.${groups.join('.')}`,
    ...(plan.trunk === '' ? [] : [`${code} (${plan.trunk})${groups.join(' ')}`]),
  ]);
}

/** As it is dialled inside the country, with the redactor set to it. */
function national(random: Random): { readonly value: string; readonly country: string } {
  const plan = random.pick(plans);
  const groups = makeGroups(random, plan);
  const [area = '', ...rest] = groups;
  const value = random.pick([
    plan.trunk + groups.join(' '),
    plan.trunk + groups.join('-'),
    plan.trunk + groups.join(''),
    `(${plan.trunk}${area}) ${rest.join(' ')}`,
  ]);
  return { value, country: plan.country };
}

const labels = [
  'Tel.',
  'tel',
  'Phone',
  'phone number',
  'mobile',
  'Mobile',
  'Telefon',
  'teléfono',
  'Tél.',
  'cell',
  'WhatsApp',
  'fax',
];

export const phoneKinds: readonly Kind[] = [
  {
    name: 'telephone with +',
    isPromised: true,
    sample: (random) => ({ value: international(random, (code) => `+${code}`) }),
  },
  {
    name: 'telephone with a label, own country set',
    isPromised: true,
    sample: (random) => {
      const { value, country } = national(random);
      return { ...labelled(random, labels, value), country };
    },
  },
  { name: 'telephone, own country set', isPromised: false, sample: national },
  {
    name: 'telephone with 00',
    isPromised: false,
    sample: (random) => ({ value: international(random, (code) => `00${code}`) }),
  },
];
