import { COVERED } from './finding.ts';
import { keyEndsIn } from './key-words.ts';
import { WORD_LETTERS } from './word-bounds.ts';

const KEYS = new Set(
  'dob dobs dateofbirth datesofbirth birthdate birthdates birthday birthdays birthdt bday bornon borndate datebirth geburtsdatum geburtstag datedenaissance datenaissance fechadenacimiento fechanacimiento datadinascita datanascita datadenascimento datanascimento geboortedatum dataurodzenia födelsedatum fødselsdato'.split(
    ' ',
  ),
);

const LABELS = [
  'd\\.?\\s?o\\.?\\s?b\\b\\.?',
  "d\\.?o\\.?b\\.?'?s",
  'dates?[\\s_-]{0,3}of[\\s_-]{0,3}births?',
  'birth[\\s_-]{0,3}dates?',
  'birth[\\s_-]{0,3}days?',
  'b-?days?',
  'born',
  'birth',
  '(?<=[(,;]\\s?)b\\.',
  'geb(?:\\.|oren)(?: am| op)?',
  'geburts(?:datum|tag)',
  'n[ée]e? le',
  'date[\\s_]{0,3}de[\\s_]{0,3}naissance',
  'nac(?:id[oa]|[íi]|i[óo]) el',
  'fecha[\\s_]{0,3}de[\\s_]{0,3}nac(?:imiento)?',
  'nat[oa] il',
  'data[\\s_]{0,3}d[ie][\\s_]{0,3}nasci(?:ta|mento)',
  'nascid[oa] em',
  'geboortedatum',
  'data[\\s_]{0,3}urodzenia',
  'ur\\.|urodz(?:on[aey]|ił|iła)(?: się)?',
  'född|födelsedatum|født|fødselsdato',
  'doğum tarihi|narozen[aáý]?|datum narození',
  'дата рождения|родил(?:ся|ась)|д\\.\\s?р\\.',
  'ngày,?(?: tháng,?(?: năm)?)? sinh|syntynyt|syntymä(?:aika|päivä)|született|születési (?:dátum|idő|nap)',
  'γεννήθηκε|ημερομηνία γέννησης|data nașterii|născut[ăa]?|дата народження|народи(?:вся|лася)|(?:tanggal )?lahir',
  '出生日期|出生于|生日|生年月日|誕生日|생년월일|생일|วันเกิด|تاريخ الميلاد|תאריך לידה|जन्म ?तिथि',
  // Anna Smith, * 5.4.1990
  '(?<=\\p{L}(?:,\\s?|\\s?\\())\\*(?=\\s?(?:\\d|\\p{Lu}))',
];
const LABEL = new RegExp(`(?<![${WORD_LETTERS}])(?:${LABELS.join('|')})(?![${WORD_LETTERS}])`, 'giu');
const MAY_HAVE_LABEL =
  /d\W?o\W?b|birth|b-?day|born|\bb\.|\*|geb|naiss|n[ée]e? le|nac|nasci|nat[oa] il|urodz|\bur\.|f[öø]d|doğum|naroz|рожд|родил|д\.|出生|生日|生年|誕生|생년|생일|เกิด|ميلاد|לידה|जन्म|sinh|synty|szület|γενν|γέννη|naștere|nașterii|născut|народ|lahir/i;

/** Words allowed between a label and its date. */
const CONNECTORS = new Set(
  'is was are of on the as my his her hers their your our and a an at in to it s i m for be been being date day month year format yyyy mm dd yy iso given listed recorded registered provided named note noted now changed updated corrected set reads actually still also yes so that le am el il em op den der die das ist war es est è e jest się dnia på r στις pada 是 为 は 는 은 คือ'.split(
    ' ',
  ),
);
/** Words with a capital like a name that show that another date is meant. */
const OTHER_DATES =
  /^(?:flights?|depart\w*|arriv\w*|return\w*|trips?|travel\w*|book\w*|reserv\w*|check\w*|issued?|expir\w*|valid\w*|created|updated|dates?|today|tomorrow|current\w*|order\w*|payment|due|start\w*|end\w*|from|until|since|status|leav\w*|outbound|inbound|appointment|meeting|event|deadline|delivery|invoice|time|schedule\w*|membership|joined|hired?|purchase\w*|round|one|new|please|the|i|we|you|origin|destination|cabin|seat\w*)$/i;

const MAX_GAP = 80;
const MAX_NAME_WORDS = 6;

/** Whether a key holds a date of birth. */
export function isBirthKey(key: string): boolean {
  return /^born$/i.test(key) || keyEndsIn(key, KEYS);
}

/** Words that announce a date of birth. */
export interface BirthLabel {
  readonly start: number;
  readonly end: number;
  readonly isPlural: boolean;
}

export function birthLabels(text: string): BirthLabel[] {
  if (!MAY_HAVE_LABEL.test(text)) return [];
  return [...text.matchAll(LABEL)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    isPlural: /s$/i.test(match[0]) || /^dates/i.test(match[0]),
  }));
}

/** Whether the text between a label and a later date leaves the date labelled. */
export function connects(gap: string): boolean {
  if (gap.length > MAX_GAP || gap.includes(COVERED) || /[.!;]\s+\p{L}/u.test(gap)) return false;
  let names = 0;
  for (const [word] of gap.matchAll(/\p{L}+/gu)) {
    if (CONNECTORS.has(word.toLowerCase())) continue;
    if (!/^\p{Lu}/u.test(word) || OTHER_DATES.test(word) || ++names > MAX_NAME_WORDS) return false;
  }
  return true;
}

/** Whether the text between a date and a later label connects them: `1990-04-05 is my DOB`, `1990-04-05 (DOB)`. */
export function connectsBackwards(gap: string): boolean {
  if (gap.length > 40) return false;
  return /^\s*(?:[([]\s*(?:his|her|their|my)?|,?\s*(?:is|was|as|=)\s+(?:also\s+)?(?:the|my|his|her|their|\p{Lu}\p{L}*(?:['’]s)?|\p{Lu}\p{L}*\s\p{Lu}\p{L}*['’]s)?|,?\s*(?:is\s+when\s+)?(?:i|he|she|they|we)\s+(?:was|were))\s*$/iu.test(
    gap,
  );
}

/** Whether the text between dates continues a list or a table: only names, numbering and cell borders. */
export function continues(gap: string): boolean {
  return (
    connects(gap) &&
    !/[:=]\s*$/.test(gap.replace(/\p{Lu}\p{L}*\s*:\s*$/u, '')) &&
    birthLabels(gap).length === 0
  );
}
