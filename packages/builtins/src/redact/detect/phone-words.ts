import { labelBefore } from './label-before.ts';

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

const announcesPhone = labelBefore([
  'tel(?:ephone|efon|efono|éfono|éphone|efone)?',
  't[ée]l',
  '(?:cell|tele|work|home|mobile)?phone',
  '(?:tele)?fax',
  'm[oó]bile?',
  'mobil(?:nummer|telefon)?',
  'móvil',
  'portable',
  'handy(?:nummer)?',
  'telefo(?:n|on)nummer',
  'cell(?:ular|ulare)?',
  'celular',
  'whatsapp',
  'gsm',
  'msisdn',
  'kom(?:órka)?',
  'тел(?:ефон)?',
  'моб(?:ильный)?',
  '電話(?:番号)?|电话(?:号码)?|手机(?:号码?)?|携帯(?:番号)?|전화(?:번호)?|휴대폰(?:번호)?|โทร(?:ศัพท์)?|هاتف|جوال|טלפון|नंबर|फ़ोन',
]);
const LONGEST_WORDS = 40;

/** Whether the words before an offset call what follows an id. */
export function isIdBefore(text: string, offset: number): boolean {
  return ID_BEFORE.test(text.slice(Math.max(0, offset - LONGEST_WORDS), offset));
}

/** Whether the words before an offset announce a telephone number. */
export function isPhoneBefore(text: string, offset: number): boolean {
  return announcesPhone(text, offset);
}
