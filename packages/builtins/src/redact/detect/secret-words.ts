/** Names that only secrets have. They also count inside a longer name (`DB_PASSWORD`, `userpassword`). */
export const NAMES: string = [
  'password|passwd|pwd|pass[ _-]?phrase|passcode',
  '(?:api|access|secret|private|signing|encryption|shared[ _-]?access|account)[ _-]?key(?:[_-]?id)?',
  'secret[ _-]?access[ _-]?key|access[ _-]?key[ _-]?secret',
  'secret|client[ _-]?secret|(?:api|access|refresh|auth|bearer|session|id)[ _-]?token|api[ _-]?secret',
  'passwort|kennwort|contrase[nñ]a|mots? de passe|wachtwoord|palavra[ -]?passe|lösenord|adgangskode|salasana|has[lł]o(?![a-z])|heslo|jelszó|şifre(?:m|niz)?|mật khẩu|kata sandi',
  'пароль|密码|密碼|口令|パスワード|暗証番号|비밀번호|암호|كلمة (?:المرور|السر)|סיסמ[הא]|पासवर्ड|รหัสผ่าน|συνθηματικό',
].join('|');

/** Names of keys that are not always secret: the value must look like a key. */
export const KEY_NAMES: string =
  '(?:app(?:lication)?|admin|licen[cs]e|master|service|server|deploy|write|read|auth|storage|subscription|function|management|project|webhook|role|bot|host|ingest(?:ion)?|integration|personal|machine|customer)[ _-]?key|secret[ _-]?id|credentials?';

/** Suffixes that distinguish several secrets: `API_KEY_PROD`, `password_old`. */
const ENVIRONMENTS = new Set(
  'prod production live dev devel development stage staging test testing qa uat sandbox local ci old new current previous next backup main master primary secondary default base value text plain string eu us uk de fr asia east west north south root admin user app db web api internal external'.split(
    ' ',
  ),
);

/** Suffixes that change the meaning of the name: `password_hint`, `api_key_name`. */
const OTHER_THINGS = new Set(
  'id ids name names url uri path paths file files filename dir folder length len min max minlength maxlength type types policy policies regex pattern hint hints expires expiry expiration expire expired ttl age count limit field fields header headers prefix suffix format alg algorithm hash hashed salt digest reset required enabled disabled version endpoint host port provider store manager arn ref reference scope scopes issuer label placeholder error errors message title description input strength rotation retries timeout size bits index status state updated created changed at by function fn callback hook handler service validator schema options option config settings map list set get form page link icon color class style'.split(
    ' ',
  ),
);

/** What a suffix does to the name before it: nothing, a change of meaning, or a name whose value must look like a secret. */
export function judgeSuffix(suffix: string): 'same' | 'other' | 'unsure' {
  const words = suffix
    .toLowerCase()
    .split(/[_.\s-]+/)
    .filter((word) => word !== '');
  if (words.some((word) => OTHER_THINGS.has(word))) return 'other';
  return words.every((word) => ENVIRONMENTS.has(word) || /^v?\d{1,4}$/.test(word)) ? 'same' : 'unsure';
}

/** Issuers whose keys have no recognisable mark. */
export const ISSUERS: string =
  'heroku|azure|mistral|cohere|deepgram|assemblyai|twilio|algolia|datadog|cloudflare|fastly|zendesk|okta|railway|snyk|postmark|linode|hetzner|plaid|dropbox|facebook|discord|intercom|pagerduty|alibaba|aliyun|tencent|zhipu|trello|stability|amplitude|segment|mixpanel|bugsnag|rollbar|vultr|ovh|adyen|coinbase|kraken|binance|bitbucket|bitly|calendly|etsy|finnhub|flickr|freshdesk|gitter|giphy|imgur|jfrog|linkedin|lob|looker|mapquest|messagebird|nytimes|openweather|pusher|rapidapi|shodan|spotify|squarespace|strava|telnyx|twitch|twitter|unsplash|vimeo|virustotal|vonage|wakatime|yelp|youtube|zoom';
