import {
  hasOneRepeatedDigit,
  passesBrazilian,
  passesCodiceFiscale,
  passesMod11Of2,
  passesMod11Of10,
  passesNhs,
  passesNir,
  passesPension,
  passesPesel,
  passesSpanish,
  passesVerhoeff,
} from './check-digits.ts';

/** How one issuer's ids are written, and how they differ from other numbers. */
export interface NationalIdForm {
  /** The id in capitals; `-` stands for an optional separator. */
  readonly pattern: string;
  /** Whether an id, in capitals and without separators, is valid. With a label, it need not be. */
  readonly passes: (id: string) => boolean;
  /** Which spelling counts without a label: any, or only the one with separators. */
  readonly unlabelled: 'any' | 'grouped';
  /** Words that announce the id, as regular expressions. */
  readonly labels: readonly string[];
  /** Keys of the id, without separators. */
  readonly keys: readonly string[];
}

const always = (): boolean => true;
const DAY = '(?:0[1-9]|[12]\\d|3[01])';
const MONTH = '(?:0[1-9]|1[0-2])';
/** 20251122180834 is a date and time. */
const isMoment = (digits: string): boolean =>
  /^(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])/.test(digits);
const OMOCODE = '[\\dLMNPQRSTUV]';

const unitedStates: readonly NationalIdForm[] = [
  {
    pattern: '\\d{3}-\\d{2}-\\d{4}',
    passes: (id) => /^(?!000|666|9)\d{3}(?!00)\d{2}(?!0000)/.test(id),
    unlabelled: 'grouped',
    labels: ['ssn', 'social security', 'soc\\.? sec\\.?', 'social'],
    keys: ['ssn', 'socialsecurity', 'socialsecuritynumber'],
  },
  {
    pattern: '9\\d{2}-(?:5\\d|6[0-5]|7\\d|8[0-8]|9[0-24-9])-\\d{4}',
    passes: always,
    unlabelled: 'grouped',
    labels: ['itin', 'taxpayer id(?:entification)?', 'taxpayer', 'tin'],
    keys: ['itin', 'tin', 'taxpayerid'],
  },
];

const asia: readonly NationalIdForm[] = [
  {
    pattern: '[2-9]\\d{3}-\\d{4}-\\d{4}',
    passes: (id) => passesVerhoeff(id) && !/^(?:(?:19|20)\d{2}){3}$/.test(id),
    unlabelled: 'grouped',
    labels: ['aadhaa?r', 'uidai', 'uid', 'आधार'],
    keys: ['aadhaar', 'aadhar', 'aadhaarnumber', 'uidai'],
  },
  {
    pattern: '[A-Z]{3}[ABCEFGHJLPT][A-Z]\\d{4}[A-Z]',
    passes: always,
    unlabelled: 'any',
    labels: ['pan', 'permanent account'],
    keys: ['pan', 'pannumber', 'pancard'],
  },
  {
    pattern: `[1-8]\\d{5}(?:18|19|20)\\d{2}${MONTH}${DAY}\\d{3}[\\dX]`,
    passes: passesMod11Of2,
    unlabelled: 'any',
    labels: ['resident id(?:entity)?', 'chinese id', '身份证(?:号码?)?', '公民身份号码', '身份證(?:號碼?)?'],
    keys: ['residentid', 'idcard', 'chineseid', 'shenfenzheng'],
  },
];

const brazil: readonly NationalIdForm[] = [
  {
    pattern: '\\d{3}-\\d{3}-\\d{3}-\\d{2}',
    passes: (id) => passesBrazilian(id, 11),
    unlabelled: 'any',
    labels: ['cpf', 'c\\.p\\.f\\.?'],
    keys: ['cpf'],
  },
  {
    pattern: '[A-Z\\d]{2}-[A-Z\\d]{3}-[A-Z\\d]{3}-[A-Z\\d]{4}-\\d{2}',
    passes: (id) => passesBrazilian(id, 9) && !isMoment(id),
    unlabelled: 'any',
    labels: ['cnpj', 'c\\.n\\.p\\.j\\.?'],
    keys: ['cnpj'],
  },
];

const britain: readonly NationalIdForm[] = [
  {
    pattern: '[A-Z]{2}-\\d{2}-\\d{2}-\\d{2}-[A-D]',
    passes: (id) => /^(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]/.test(id),
    unlabelled: 'any',
    labels: ['national insurance', 'nino', 'ni', 'n\\.i\\.'],
    keys: ['nino', 'ninumber', 'nationalinsurance', 'nationalinsurancenumber'],
  },
  {
    pattern: '\\d{3}-\\d{3}-\\d{4}',
    passes: passesNhs,
    unlabelled: 'grouped',
    labels: ['nhs'],
    keys: ['nhs', 'nhsnumber', 'nhsno'],
  },
];

const germany: readonly NationalIdForm[] = [
  {
    pattern: '[1-9]\\d-\\d{3}-\\d{3}-\\d{3}',
    passes: (id) => passesMod11Of10(id) && hasOneRepeatedDigit(id),
    unlabelled: 'any',
    labels: ['steuer-?\\s?id(?:nr|ent\\w*)?', 'id-?nr', 'steuer-?identifikations-?nummer', 'tax id', 'tin'],
    keys: ['steuerid', 'steueridnr', 'idnr', 'taxid', 'steueridentifikationsnummer'],
  },
  {
    pattern: `\\d{2}-(?:0[1-9]|[12]\\d|3[01])${MONTH}\\d{2}-[A-Z]-\\d{3}`,
    passes: passesPension,
    unlabelled: 'any',
    labels: ['(?:renten|sozial)versicherungs-?(?:nummer|nr)', '(?:sv|rv)-?(?:nummer|nr)', 'rvnr', 'svnr'],
    keys: ['rvnr', 'svnr', 'rentenversicherungsnummer', 'sozialversicherungsnummer'],
  },
];

const southernEurope: readonly NationalIdForm[] = [
  {
    pattern: `[12]-\\d{2}-(?:${MONTH}|20|3\\d|4[0-2])-(?:\\d{2}|2[AB])-\\d{3}-\\d{3}-\\d{2}`,
    passes: passesNir,
    unlabelled: 'any',
    labels: ['nir', 's[ée]cu(?:rit[ée] sociale)?', 'insee', 'num[ée]ro de s[ée]cu(?:rit[ée] sociale)?'],
    keys: ['nir', 'insee', 'numerosecuritesociale', 'securitesociale'],
  },
  {
    pattern: '\\d{8}-[A-HJ-NP-TV-Z]',
    passes: (id) => passesSpanish(id) && !isMoment(id),
    unlabelled: 'any',
    labels: ['dni', 'nif', 'd\\.n\\.i\\.?', 'n\\.i\\.f\\.?'],
    keys: ['dni', 'nif'],
  },
  {
    pattern: '[XYZ]-\\d{7}-[A-HJ-NP-TV-Z]',
    passes: passesSpanish,
    unlabelled: 'any',
    labels: ['nie', 'n\\.i\\.e\\.?'],
    keys: ['nie'],
  },
  {
    pattern: `[A-Z]{3}-[A-Z]{3}-${OMOCODE}{2}[ABCDEHLMPRST]${OMOCODE}{2}-[A-Z]${OMOCODE}{3}-[A-Z]`,
    passes: passesCodiceFiscale,
    unlabelled: 'any',
    labels: ['codice fiscale', 'cod\\.? ?fisc\\.?', 'c\\.?f\\.?'],
    keys: ['codicefiscale', 'cf', 'codfiscale'],
  },
];

const poland: readonly NationalIdForm[] = [
  {
    pattern: `\\d{2}(?:[02][1-9]|[13][0-2])${DAY}\\d{5}`,
    passes: passesPesel,
    unlabelled: 'any',
    labels: ['pesel'],
    keys: ['pesel'],
  },
];

/** All of them. To add one, add its form here, and a generator of its ids to the bench. */
export const nationalIdForms: readonly NationalIdForm[] = [
  ...[...unitedStates, ...asia, ...brazil],
  ...[...britain, ...germany, ...southernEurope, ...poland],
];
