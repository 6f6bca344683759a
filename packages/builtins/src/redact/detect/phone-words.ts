import { WORD_LETTERS } from './word-bounds.ts';

/** Keys that hold telephone numbers. */
export const PHONE_KEYS: ReadonlySet<string> = new Set(
  'phone telephone tel mobile cell cellphone fax whatsapp msisdn telefon telefono telefone handy'.split(' '),
);

/** Keys whose digits are an id or a measure. */
export const ID_KEYS: ReadonlySet<string> = new Set(
  [
    'id ids no number ref reference code sku zip zipcode postcode tracking order isbn ean upc',
    'price amount total size count at time timestamp date version hash key seed offset length index',
  ].flatMap((names) => names.split(' ')),
);

const ID_BEFORE =
  /(?:\b(?:order|reservation|booking|confirmation|reference|ref|ticket|invoice|account|acct|tracking|flight|case|claim|policy|member|customer|user|item|product|part|serial|model|isbn|sku|pnr|id|ids|code|certificate|receipt|transaction|timestamp)(?:\s+(?:id|ids|no|nr|number|num|code))?\.?\s*(?:is\s+)?[:#=-]?\s*|[#_]|[$€£¥]\s?)$/i;

const LABELS = [
  'tel(?:ephone|efon|efono|éfono|éphone|efone)?',
  't[ée]l',
  'phone',
  '(?:tele)?fax',
  '(?:cell|tele|work|home|mobile)?phone',
  'mobil(?:e|nummer|telefon)?',
  'móvil',
  'm[oó]bile',
  'portable',
  'handy(?:nummer)?',
  'telefonnummer',
  'telefoon(?:nummer)?',
  'cell(?:ular|ulare)?',
  'celular',
  'whatsapp',
  'gsm',
  'msisdn',
  'kom(?:órka)?',
  'тел(?:ефон)?',
  'моб(?:ильный)?',
].join('|');
const UNSPACED_LABELS =
  '電話(?:番号)?|电话(?:号码)?|手机(?:号码?)?|携帯(?:番号)?|전화(?:번호)?|휴대폰(?:번호)?|โทร(?:ศัพท์)?|هاتف|جوال|טלפון|नंबर|फ़ोन';
const JOINTS =
  '(?:[\\s.:=#*"\'()\\[<\\-–]|number|nummer|num|numéro|número|numero|no|nr|nº|n°|is|ist|est|es|jest|at|は|是|は|는|은|:){0,8}';
const LABEL_BEFORE = new RegExp(
  `(?:(?<![${WORD_LETTERS}])(?:${LABELS})|${UNSPACED_LABELS})(?:${JOINTS})$`,
  'iu',
);
const LONGEST_LABEL = 40;

/** Whether the words before an offset call what follows an id. */
export function isIdBefore(text: string, offset: number): boolean {
  return ID_BEFORE.test(text.slice(Math.max(0, offset - LONGEST_LABEL), offset));
}

/** Whether the words before an offset announce a telephone number. */
export function isPhoneBefore(text: string, offset: number): boolean {
  return LABEL_BEFORE.test(text.slice(Math.max(0, offset - LONGEST_LABEL), offset));
}
