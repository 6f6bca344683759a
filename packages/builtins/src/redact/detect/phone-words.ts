import { labelBefore } from './label-before.ts';

/** Keys of telephone numbers. */
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

/** Words for digits that are not a telephone number: ids, and measures in logs. */
const THINGS = [
  'order|reservation|booking|confirmation|reference|ref|ticket|invoice|account|acct|tracking|flight|case|claim|policy|member|customer|user',
  'item|product|part|serial|model|isbn|sku|pnr|id|code|certificate|receipt|transaction|request|session|trace|span|build|commit|issue',
  'timestamp|epoch|ts|pid|tid|uid|gid|seed|seq|sequence|size|bytes|length|count|offset|total|checksum',
  'bestellung|bestell|auftrag|auftrags|rechnung|rechnungs|artikel|buchung|buchungs|vorgang|vorgangs',
  'commande|facture|pedido|factura|fatura|ordine|fattura|bestelling|factuur|zamówienie|zamówienia|заказ',
].join('|');
const ID_BEFORE = new RegExp(
  `(?:(?<![\\p{L}\\p{N}])(?:${THINGS})s?(?:-?(?:nummer|nr))?(?:[\\s_]+(?:id|ids|no|nr|number|num|code|n[°º]))?\\.?["']?\\s*(?:is\\s+)?[:#=/-]?\\s*["']?|[#_]|[$€£¥]\\s?)$`,
  'iu',
);
/** `userId: `, where capitals separate words. */
const CAMEL_ID_BEFORE = /[a-z\d](?:Id|ID|Ids|IDs)["']?\s*[:=]\s*["']?$/;

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

/** Whether the words before an offset say that an id follows. */
export function isIdBefore(text: string, offset: number): boolean {
  const before = text.slice(Math.max(0, offset - LONGEST_WORDS), offset);
  return ID_BEFORE.test(before) || CAMEL_ID_BEFORE.test(before);
}

/** Whether the words before an offset say that a telephone number follows. */
export function isPhoneBefore(text: string, offset: number): boolean {
  return announcesPhone(text, offset);
}
