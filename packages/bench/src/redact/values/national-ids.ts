import { type Kind, labelled, type Sample } from '../kind.ts';
import { type Random, seededRandom } from '../random.ts';
import { aadhaar, cnpj, cpf, itin, pan, residentId, ssn } from './ids-elsewhere.ts';
import { codiceFiscale, dni, nhs, nie, nino, nir, pensionNumber, pesel, taxId } from './ids-of-europe.ts';
import type { PrintedId } from './printed-id.ts';

interface NationalId {
  readonly name: string;
  make(random: Random): PrintedId;
  readonly labels: readonly string[];
  /** What is promised without a label: the printed form, the bare one. */
  readonly promised: readonly ('printed' | 'bare')[];
}

const ids: readonly NationalId[] = [
  {
    name: 'US SSN',
    make: ssn,
    labels: ['SSN', 'ssn', 'Social Security Number', 'social security no.', 'Social Security'],
    promised: ['printed'],
  },
  {
    name: 'US ITIN',
    make: itin,
    labels: ['ITIN', 'itin', 'Taxpayer ID', 'Individual Taxpayer Identification Number'],
    promised: ['printed'],
  },
  {
    name: 'IN Aadhaar',
    make: aadhaar,
    labels: ['Aadhaar', 'aadhaar number', 'Aadhar card', 'UIDAI', 'UID number'],
    promised: ['printed'],
  },
  { name: 'IN PAN', make: pan, labels: ['PAN', 'PAN card', 'Permanent Account Number'], promised: [] },
  {
    name: 'CN resident id',
    make: residentId,
    labels: ['身份证号', '身份证号码', 'resident ID', '公民身份号码', 'Chinese ID'],
    promised: ['bare'],
  },
  { name: 'BR CPF', make: cpf, labels: ['CPF', 'cpf', 'CPF nº', 'C.P.F.'], promised: ['printed', 'bare'] },
  { name: 'BR CNPJ', make: cnpj, labels: ['CNPJ', 'cnpj', 'C.N.P.J.'], promised: ['printed', 'bare'] },
  {
    name: 'GB NI number',
    make: nino,
    labels: ['NI number', 'NINO', 'National Insurance number', 'National Insurance'],
    promised: ['printed', 'bare'],
  },
  {
    name: 'GB NHS number',
    make: nhs,
    labels: ['NHS number', 'NHS no.', 'NHS', 'nhs_number'],
    promised: ['printed'],
  },
  {
    name: 'DE tax id',
    make: taxId,
    labels: [
      'Steuer-ID',
      'IdNr',
      'Steueridentifikationsnummer',
      'Steuer-Identifikationsnummer',
      'tax ID',
      'Steuer-IdNr.',
    ],
    promised: ['printed'],
  },
  {
    name: 'DE pension number',
    make: pensionNumber,
    labels: ['Rentenversicherungsnummer', 'SV-Nummer', 'Sozialversicherungsnummer', 'RVNR'],
    promised: ['printed', 'bare'],
  },
  {
    name: 'FR NIR',
    make: nir,
    labels: ['NIR', 'numéro de sécurité sociale', 'n° de sécu', 'Sécurité sociale', 'INSEE'],
    promised: ['printed', 'bare'],
  },
  { name: 'ES DNI', make: dni, labels: ['DNI', 'NIF', 'dni', 'D.N.I.'], promised: ['printed', 'bare'] },
  { name: 'ES NIE', make: nie, labels: ['NIE', 'N.I.E.', 'nie'], promised: ['printed', 'bare'] },
  {
    name: 'IT codice fiscale',
    make: codiceFiscale,
    labels: ['codice fiscale', 'C.F.', 'Cod. Fisc.', 'CF', 'Codice Fiscale'],
    promised: ['bare'],
  },
  { name: 'PL PESEL', make: pesel, labels: ['PESEL', 'pesel', 'Nr PESEL', 'numer PESEL'], promised: [] },
];

/** Each in three rows at most: with a label, without one as it is printed, without one and without separators. */
export const nationalIdKinds: readonly Kind[] = ids.flatMap(({ name, make, labels, promised }) => {
  const row = (form: string, isPromised: boolean, sample: (random: Random) => Sample): Kind => ({
    name: `${name}, ${form}`,
    isPromised,
    sample,
  });
  const { printed, bare } = make(seededRandom(name));
  const hasGroups = printed !== bare;
  return [
    row('with a label', true, (random) => {
      const { printed, bare } = make(random);
      return labelled(random, labels, random.pick([printed, bare]));
    }),
    ...(hasGroups
      ? [row('printed', promised.includes('printed'), (random) => ({ value: make(random).printed }))]
      : []),
    row('bare', promised.includes('bare'), (random) => ({ value: make(random).bare })),
  ];
});
