import type { Kind } from '../../kind.ts';
import type { Random } from '../../random.ts';
import { aloneIn } from './alone.ts';
import { madeKey } from './made-key.ts';
import {
  cloudForms,
  codeForms,
  messageForms,
  modelForms,
  paymentForms,
  unmarkedForms,
  type VendorForm,
  workForms,
} from './vendor-forms.ts';

const markedForms = [
  ...cloudForms,
  ...codeForms,
  ...modelForms,
  ...paymentForms,
  ...messageForms,
  ...workForms,
];

/** Where keys stand behind a label; `{N}` is the variable, `{c}` the same in camel case, `{I}` the issuer. */
const LABELLED: readonly string[] = [
  '{N}={}',
  'export {N}="{}"',
  '{N}: {}',
  '"{c}": "{}"',
  "const {c} = '{}';",
  '{N}_PROD={}',
  '$env:{N} = "{}"',
  'ENV {N} {}',
  'ENV {N}={}',
  '| {N} | {} |',
  'the {I} API key is {}',
  'My {I} token: {}',
  '{I} secret key: `{}`',
  "client = Client(api_key='{}')",
  'tool --api-key {} list',
  'tool --token={} list',
  'curl -H "Authorization: Bearer {}" https://api.example.com',
  "curl -H 'x-api-key: {}' https://api.example.com",
  '<apiKey>{}</apiKey>',
  '[default]\napi_key = {}\nregion = eu',
];

const camelCase = (variable: string): string =>
  variable.toLowerCase().replace(/_([a-z\d])/g, (_all, letter: string) => letter.toUpperCase());

function fillTemplate([, , template]: VendorForm, random: Random): string {
  return madeKey(template, random).replaceAll('{$}', '$');
}

const bare = (name: string, forms: readonly VendorForm[], isPromised = true): Kind => ({
  name,
  isPromised,
  sample: (random) => ({ value: fillTemplate(random.pick(forms), random) }),
});

const behindLabel = (name: string, forms: readonly VendorForm[]): Kind => ({
  name,
  isPromised: true,
  contexts: aloneIn(200),
  sample: (random) => {
    const form = random.pick(forms);
    const [issuer, variable] = form;
    const value = fillTemplate(form, random);
    const place = random.pick(LABELLED);
    const written = place
      .replaceAll('{N}', variable)
      .replace('{c}', camelCase(variable))
      .replace('{I}', issuer);
    return { value, written: written.replace('{}', () => value) };
  },
});

/** JSON web tokens (RFC 7519): signed, encrypted, unsigned. */
const TOKENS = [
  'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ{w90}.{w43}',
  'eyJ{w60}.{w86}.{w16}.{w120}.{w22}',
  'eyJhbGciOiJub25lIn0.eyJ{w60}.',
];

export const keyKinds: readonly Kind[] = [
  bare('key of a cloud', cloudForms),
  bare('key of code and builds', codeForms),
  bare('key of models', modelForms),
  bare('key of payments and shops', paymentForms),
  bare('key of messages', messageForms),
  bare('key of data and work', workForms),
  behindLabel('marked key behind a label', markedForms),
  behindLabel('unmarked key behind a label', unmarkedForms),
  bare('unmarked key, alone', unmarkedForms, false),
  {
    name: 'JSON web token',
    isPromised: true,
    sample: (random) => ({ value: madeKey(random.pick(TOKENS), random) }),
  },
];
