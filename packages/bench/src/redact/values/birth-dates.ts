import type { Kind } from '../kind.ts';
import type { Random } from '../random.ts';

const english = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const months: Readonly<Record<string, readonly string[]>> = {
  en: english,
  de: [
    'Januar',
    'Februar',
    'März',
    'April',
    'Mai',
    'Juni',
    'Juli',
    'August',
    'September',
    'Oktober',
    'November',
    'Dezember',
  ],
  fr: [
    'janvier',
    'février',
    'mars',
    'avril',
    'mai',
    'juin',
    'juillet',
    'août',
    'septembre',
    'octobre',
    'novembre',
    'décembre',
  ],
  es: [
    'enero',
    'febrero',
    'marzo',
    'abril',
    'mayo',
    'junio',
    'julio',
    'agosto',
    'septiembre',
    'octubre',
    'noviembre',
    'diciembre',
  ],
  pl: [
    'stycznia',
    'lutego',
    'marca',
    'kwietnia',
    'maja',
    'czerwca',
    'lipca',
    'sierpnia',
    'września',
    'października',
    'listopada',
    'grudnia',
  ],
};

/** How people announce a date of birth, by language. */
const phrases: ReadonlyArray<readonly [language: string, phrase: string]> = [
  ['en', 'DOB: %'],
  ['en', 'dob %'],
  ['en', 'D.O.B.: %'],
  ['en', 'date of birth: %'],
  ['en', 'date of birth is %'],
  ['en', 'born on %'],
  ['en', 'born %'],
  ['en', 'Birth date: %'],
  ['en', 'birthdate=%'],
  ['en', 'Birthday: %'],
  ['en', 'Birth: %'],
  ['en', '(b. %)'],
  ['en', 'dob,%'],
  ['en', '"date_of_birth": "%"'],
  ['en', 'name,dob\nAnna,%'],
  ['en', 'Anna Smith, * %'],
  ['de', 'geb. %'],
  ['de', 'geb. am %'],
  ['de', 'geboren am %'],
  ['de', 'Geburtsdatum: %'],
  ['de', 'Geburtstag: %'],
  ['fr', 'né le %'],
  ['fr', 'née le %'],
  ['fr', 'date de naissance : %'],
  ['es', 'fecha de nacimiento: %'],
  ['es', 'fecha de nacimiento es %'],
  ['es', 'nacido el %'],
  ['es', 'nací el %'],
  ['pl', 'data urodzenia: %'],
  ['pl', 'ur. %'],
  ['pl', 'urodzony %'],
  ['pl', 'urodzona dnia %'],
];

const two = (number: number): string => String(number).padStart(2, '0');

function written(random: Random, language: string): string {
  const [year, month, day] = [1930 + random.below(80), 1 + random.below(12), 1 + random.below(28)];
  const name = months[language]?.[month - 1] as string;
  const numeric = [
    `${year}-${two(month)}-${two(day)}`,
    `${two(day)}.${two(month)}.${year}`,
    `${day}/${month}/${year}`,
    `${two(month)}/${two(day)}/${year}`,
  ];
  if (language === 'en')
    return random.pick([
      ...numeric,
      `${name} ${day}, ${year}`,
      `${day} ${name} ${year}`,
      `${name.slice(0, 3)} ${day}, ${year}`,
      `${day}-${name.slice(0, 3)}-${year}`,
    ]);
  return random.pick([
    ...numeric,
    language === 'es'
      ? `${day} de ${name} de ${year}`
      : `${day}${language === 'de' ? '.' : ''} ${name} ${year}`,
  ]);
}

export const birthDateKinds: readonly Kind[] = [
  {
    name: 'date of birth with a label',
    isPromised: true,
    sample: (random) => {
      const [language, phrase] = random.pick(phrases);
      const value = written(random, language);
      return { value, written: phrase.replace('%', value) };
    },
  },
];
