const STAND_INS =
  /^(?:null|none|nil|true|false|undefined|required\b.*|optional|nullable|string|str|number|int|integer|bool|boolean|bytes|buffer|any|unknown|never|void|object|text|varchar.*|char\(.*|hidden|redacted|masked|changeme|change[-_ ]?it|example|todo|tbd|n\/a|\*+|x{3,}|\.{3,}|•+|<[^>]*>?|\[[^\]]*\]?|\$\{?[A-Za-z_][\w.]*\}?|\$\([^)]*\)?|\{\{.*|\{[\w.]*\}|%[sdvq]|%[A-Z_]+%|#\{.*|@\w+@|__\w+__|your[-_ ].*|\w*your[-_]\w*|my[-_ ]?(?:password|secret|api[-_]?key)|(?:password|passwd|pwd|secret|token|api[-_ ]?key|passwort|kennwort|contraseña|senha)|process\.env.*|import\.meta.*|os\.environ.*|os\.getenv.*|env\..*|vault:.*|secret:.*|op:\/\/.*|ref\+.*|!\w+.*)$/i;

/** Shortened keys, addresses, versions and numbers, which also follow names such as `api key`. */
const OTHER_THINGS =
  /^(?:.*(?:\.{3}|…)|https?:\/\/.*|[\^~>=<v ]*\d+\.\d+(?:\.\d+)?(?:-[\w.]+)?|0x[\da-f]{1,4}|.*\$\{.*\}.*|[~.]{0,2}\/[A-Za-z_.-]+(?:\/[A-Za-z_.-]*)*)$/i;

/** Keys that issuers intend to be published in pages and apps: Stripe's, Mapbox's, PostHog's, Clerk's. */
const PUBLIC_KEY = /^(?:pk_(?:live|test|prod)_|pk\.eyJ|phc_|pk-lf-|sb_publishable_|FLWPUBK)/;

/** Whether a text is at the place of a secret but is none: a template variable, stars, `null`, a public key. */
export function isStandIn(text: string): boolean {
  return text === '' || STAND_INS.test(text) || OTHER_THINGS.test(text) || PUBLIC_KEY.test(text);
}

/** Prose has "password: please enter it". Secrets have a digit, a sign, inner capitals, or words joined by hyphens. */
export function hasOddSign(value: string): boolean {
  return /\d|[^\p{L}\d'’.,!?:;()-]|\p{Ll}\p{Lu}|\p{L}-\p{L}{1,40}-\p{L}/u.test(value);
}

/** Mixed letters and digits that are neither a time nor a call or an index in a program. */
export function isOpaque(value: string, shortest: number): boolean {
  return (
    value.length >= shortest &&
    /\d/.test(value) &&
    /\p{L}/u.test(value) &&
    !/^\d{1,4}[-:/.]\d|^[a-z_][\w.]{0,80}[([]/i.test(value)
  );
}

/** One word of letters and digits like a key: too long and too mixed for a name. */
export function isKeyLike(value: string): boolean {
  return (
    /^[\w+/=.~-]{15,4000}$/.test(value) &&
    /\d/.test(value) &&
    /[A-Za-z]/.test(value) &&
    !/^[a-z]+(?:[._/-][a-z]+)*[._/-]?\d{1,3}$/i.test(value)
  );
}

const SECRET_WORD = /passw|pwd|secret|token|credential|api_?key|_key$|auth/i;
const KEY_WORD = /^key$|[a-z\d]Key$/;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
/** A type or a class: `Http2Session`. */
const TYPE_NAME = /^(?:[A-Z][a-z]+\d?){2,}$/;
const CALL_OR_INDEX =
  /^(?:(?:await|new|typeof|keyof|function|async|return)\b|!?[A-Za-z_$][\w$]*(?:[?!]?\.[A-Za-z_$#][\w$]*)*(?:\(|\[|<[A-Z]))/;
const DOTTED = /^[A-Za-z_$][A-Za-z_$]*(?:[?!]?\.[A-Za-z_$#][A-Za-z_$]*)+[!;]*$/;

/** Whether a value without quotes is a part of a program: a call, a variable, a type. `next` is the character after it. */
export function isCode(
  value: string,
  { next, isApart }: { readonly next: string; readonly isApart: boolean },
): boolean {
  if (
    (/^[([{|/\\]/.test(value) && !isKeyLike(value)) ||
    CALL_OR_INDEX.test(value) ||
    DOTTED.test(value) ||
    CONSTANT.test(value)
  )
    return true;
  if (!IDENTIFIER.test(value)) return false;
  const isPlain = !/\d/.test(value);
  if (isPlain && (SECRET_WORD.test(value) || KEY_WORD.test(value))) return true;
  return isApart && /[;,)\]}|<>&=?+{]/.test(next) && (isPlain || TYPE_NAME.test(value));
}

/** `names.K8S_SECRET` */
const CONSTANT = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+(?<=secret|password|token|key)$/i;

const PROSE =
  /\b(?:must|should|be|is|are|your|the|to|enter|required|please|for|and|or|with|not|least|characters|forgot|reset|show|hide)\b/i;
/** The name of a field, not its value: `refresh_token`, `RESET_PASSWORD`. */
const FIELD_NAME = /^(?:[a-z]+[ _.-])*(?:password|passwd|secret|token|credential|(?:api)?key)s?$/i;

/** Whether a quoted value is a label, a hint or an error message, not a secret. */
export function isWording(value: string): boolean {
  return FIELD_NAME.test(value) || (/\s\S+\s/.test(value) && PROSE.test(value));
}
