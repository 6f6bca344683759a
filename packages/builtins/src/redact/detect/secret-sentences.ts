import { COVERED } from './finding.ts';
import { addAll, findSecretMatches, type Match, quotedBy } from './secret-match.ts';
import { hasOddSign, isCode, isOpaque, isStandIn, isWording } from './secret-value.ts';

/** A value in a sentence, with or without quotes. The sign at the end of the sentence is not part of it. */
const SAID = `(?:${quotedBy('"', 3, 200)}|${quotedBy("'", 3, 200)}|\`([^\`\\n${COVERED}]{3,200})\`|“([^”\\n${COVERED}]{3,200})”|([^\\s"'\`“”<>|,;${COVERED}]{4,200}))`;

/** Words for a password, and the words between them and the value, by language. */
const LANGUAGES: readonly (readonly [words: string, joints: string])[] = [
  [
    'password|passphrase|passcode|pin(?: code)?|otp|(?:verification|one-time|2fa|mfa|authentication) code|pwd|login|credentials|secret|api[ _-]?key|(?:access|auth|api|secret)[ _-]?(?:token|key)|token|key',
    "(?:is |was |has been |have been |got |now )?(?:set|reset|changed|updated|rotated) to|is now|is|was|are|will be|should be|to be|reads|'s",
  ],
  ['(?:passwort|pw|kennwort|zugangscode|geheimzahl|pin)', 'ist|lautet|war|heißt|heisst|wäre'],
  ['contrase[nñ]a|clave|contraseñas', 'es|era|será|son'],
  ['mots? de passe|mdp|code', 'est|était|sera'],
  ['password|parola(?: d.ordine| chiave)?|codice', "è|e'|era|sarà"],
  ['senha|palavra[ -]?passe', 'é|era|será'],
  ['wachtwoord|pincode', 'is|was|wordt'],
  ['lösenord(?:et)?|adgangskode[n]?|kodeord(?:et)?|passord(?:et)?', 'är|er|var'],
  ['salasana(?:ni)?', 'on|oli'],
  ['has[lł]o|heslo|jelszó|jelszava[md]?|parola|lozinka|geslo', 'to|jest|brzmi|je|este|az|a'],
  ['пароль|парола', 'это|есть|—|–|-|е'],
  ['mật khẩu|kata sandi|kata laluan', 'là|adalah|ialah'],
  ['كلمة (?:المرور|السر)', 'هي|هو'],
  ['סיסמ[הא](?: שלי)?', 'היא|הוא'],
];

/** The purpose of the password, between the word and the joining word. */
const PURPOSE =
  '(?:\\s(?:for|of|to|on|at|in|für|zum|zur|von|del?|de la|para|pour|du|per|dell?[ao]?|do|da|voor|van|till|til|do|для|от|для)\\s[^\\n,;:"\'?!]{1,60}?)?';

const SENTENCES = LANGUAGES.map(
  ([words, joints]) =>
    new RegExp(
      `(?<![\\p{L}\\p{N}])(?<word>${words})${PURPOSE}\\s{1,2}(?:${joints})(?<sign>\\s{0,2}:)?\\s{1,3}\\*{0,2}${SAID}`,
      'giu',
    ),
);
/** "Password for the wifi: …" */
const FOR = new RegExp(
  `(?<![\\p{L}\\p{N}])(?<word>password|passphrase|passcode|pwd?|passwort|kennwort|contrase[nñ]a|clave|mot de passe|mdp|senha|wachtwoord|hasło|lösenord|пароль|pin|secret|api[ _-]?key|(?:access |auth |api )?token)\\s(?:for|of|to|on|für|zum|zur|del?|de la|para|pour|du|per|do|da|voor|till|для|от)\\s[^\\n,;:"'?!]{1,60}:\\s{1,3}\\*{0,2}${SAID}`,
  'giu',
);
/** "log in with password …", "changed my password to …" */
const BARE = new RegExp(
  `(?<![\\p{L}\\p{N}_-])(?<word>password|passwd|passphrase|passcode|pwd|requirepass|masterauth|passwort|kennwort|contrase[nñ]a|mot de passe|senha|palavra[ -]?passe|wachtwoord|lösenord|adgangskode|kodeord|passord|salasana|has[lł]o|heslo|jelszó|şifre|parola|пароль|пароля|mật khẩu|kata sandi)(?:\\s(?:to|zu|auf|of|as|a))?\\s{1,10}\\*{0,2}${SAID}`,
  'giu',
);
/** "use … as the password" */
const REVERSED = new RegExp(
  `(?<![\\p{L}])(?:use|used|using|try|enter|type|with|put|choose|chose|picked|set)\\s{1,3}${SAID}(?=\\s{1,3}(?:as|for)\\s(?:the|my|your|our|a|his|her|its)?\\s?(?:\\p{L}{1,15}\\s)?(?:password|passphrase|passcode|pin|api key|token)(?!\\p{L}))`,
  'giu',
);
/** "creds: bob / …", "the login is bob:…" */
const PAIRED = new RegExp(
  `(?<![\\p{L}])(?:creds|credentials|login|logins|zugangsdaten|user(?:name)?/pass(?:word)?)(?:\\s(?:are|is|for [^\\n:]{1,40}))?(?:\\s{0,2}[:=])?\\s{1,3}[\\w.@+-]{2,60}(?::|\\s{0,2}[/|]\\s{0,2})${SAID}`,
  'giu',
);

/** Scripts without spaces: the ASCII text after the word is the value. */
const UNSPACED =
  /(?:密码|密碼|口令|パスワード|暗証番号|비밀번호|암호|รหัสผ่าน)(?:是|为|為|は|が|는|은|가|คือ|:)\s{0,3}["'“「『]?([!-~]{4,200})/gu;
const MAY_HAVE_UNSPACED = /[密口パ暗비암ร]/;

const MAY_HAVE =
  /pass|pw|pin|otp|code|creds|secret|key|token|login|credential|kennwort|zugang|geheim|contrase|clave|mot|mdp|cod|parola|senha|palavra|wachtwoord|lösen|adgang|salasana|has[lł]o|heslo|jelsz|lozinka|geslo|парол|mật|kata|كلمة|סיסמ/i;
/** Names of algorithms, versions and sizes that begin like passwords. */
const TECHNICAL =
  /^(?:sha|md|aes|rsa|hs|es|ps|ed|utf|ascii|base|b?crypt|scrypt|pbkdf|argon|oauth|rfc|iso|http|mfa|otp|totp|ipv)[-_]?\d|^v\d+(?:\.\d+)*$|^\d+(?:[-–.:/]\d+)*(?:st|nd|rd|th|px|ms|s|min|h|d|%|k|m|x|\p{L}+)?[.,;:!?)]*$|^\p{L}+\.(?:\p{L}{1,5}|\d{1,3})$|^[A-Za-z]+[/(].*|^--?\w|^https?:|@[\w-]+\.\w/iu;

/** Values that a sentence calls a password. */
export function spokenSecrets(text: string): Match[] {
  const found = MAY_HAVE_UNSPACED.test(text)
    ? findSecretMatches(text, UNSPACED).filter(({ value }) => !isStandIn(value))
    : [];
  if (!MAY_HAVE.test(text)) return found;
  for (const pattern of [...SENTENCES, FOR]) addAll(found, findSecretMatches(text, pattern).filter(isSaid));
  addAll(found, findSecretMatches(text, REVERSED).filter(isSaid));
  addAll(
    found,
    findSecretMatches(text, PAIRED).filter((match) => isSaid(match) && isOpaque(match.value, 6)),
  );
  addAll(
    found,
    findSecretMatches(text, BARE).filter(
      (match) => isSaid(match) && (isOpaque(match.value, 6) || /(?:\p{L}-\p{L}+){3}/u.test(match.value)),
    ),
  );
  return found;
}

function isSaid(match: Match): boolean {
  const { value, word, quoted } = match;
  if (isStandIn(value) || TECHNICAL.test(value))
    return /^\d{4,8}$/.test(value) && /pin|otp|code|pass|senha|clave|codi|wort/.test(word);
  if (quoted) return !/\s\S+\s/.test(value) && !isWording(value);
  if (/^(?:token|key|login|credentials|code|clave|codice)$/.test(word)) return isOpaque(value, 8);
  return hasOddSign(value) && !isCode(value, match);
}
