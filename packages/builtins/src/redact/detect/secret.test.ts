import { describe, expect, test } from 'vitest';
import { isLinear, textsFound } from '../sample-redaction.ts';
import { secrets } from './secret.ts';

const letters = 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0u1V2w3X4y5Z6';
const take = (length: number): string => letters.repeat(6).slice(0, length);
const hex = (length: number): string => '0123456789abcdef'.repeat(8).slice(0, length);

/** Made-up tokens in the shape of real ones, put together here so that no scanner takes this file for a leak. */
const tokens: Record<string, string> = {
  'AWS access key id': `AKIA${'IOSFODNN7EXAMPLE'}`,
  'AWS temporary key id': `ASIA${'Y34FZKBOKMUTVV7A'}`,
  'Stripe live key': `sk_live_${take(24)}`,
  'Stripe restricted key': `rk_live_${take(24)}`,
  'Google API key': `AIza${take(35)}`,
  'Google client secret': `GOCSPX-${take(28)}`,
  'Google access token': `ya29.${take(60)}`,
  'JSON web token': `eyJ${take(20)}.eyJ${take(30)}.${take(43)}`,
  'GitHub token': `ghp_${take(36)}`,
  'GitHub fine-grained token': `github_pat_${take(82)}`,
  'GitLab token': `glpat-${take(20)}`,
  'npm token': `npm_${take(36)}`,
  'OpenAI key': `sk-proj-${take(60)}`,
  'Anthropic key': `sk-ant-api03-${take(93)}AA`,
  'Groq key': `gsk_${take(52)}`,
  'Hugging Face token': `hf_${take(34)}`,
  'Slack token': `xoxb-123456789012-1234567890123-${take(24)}`,
  'Slack webhook': `https://hooks.slack.com/services/T${take(9)}/B${take(9)}/${take(24)}`,
  'SendGrid key': `SG.${take(22)}.${take(43)}`,
  'Twilio key': `SK${hex(32)}`,
  'Shopify token': `shpat_${hex(32)}`,
  'DigitalOcean token': `dop_v1_${hex(64)}`,
  'Vault token': `hvs.${take(90)}`,
  'database URL': `postgres://app:${take(10)}@db.example.com:5432/app`,
  'Redis URL without a user': `redis://:${take(10)}@cache.example.com:6379`,
  'URL with a password': `https://bob:${take(10)}@example.com/path`,
};

describe('secrets', () => {
  test.each(Object.entries(tokens))('%s', (_name, token) => {
    expect(textsFound(secrets, `Use ${token} for it.`).some((found) => found.includes(token))).toBe(true);
    expect(textsFound(secrets, `"${token}",`).some((found) => found.includes(token))).toBe(true);
  });

  test.each([
    ['password=hunter2', 'hunter2'],
    ['PASSWORD = "correct horse battery"', 'correct horse battery'],
    ['"db_password": "x9!kq"', 'x9!kq'],
    ["api_key: 'abcd1234'", 'abcd1234'],
    ['client_secret => zzz-999-yyy', 'zzz-999-yyy'],
    ['my password is hunter2.', 'hunter2'],
    [`Authorization: Bearer ${take(30)}`, take(30)],
    ['Authorization: Basic dXNlcjpwYXNzd29yZA==', 'dXNlcjpwYXNzd29yZA=='],
    [`aws_secret_access_key = "${take(40)}"`, take(40)],
    ['passphrase: correct-horse-battery', 'correct-horse-battery'],
    ['passwort: deutschpass1', 'deutschpass1'],
    ['Contraseña: Madrid2024', 'Madrid2024'],
    ['API key: abcd1234', 'abcd1234'],
    ['DB_PASSWORD_2=hunter2', 'hunter2'],
    [`https://x.example/file?sig=${take(44)}&v=1`, take(44)],
  ])('out of %s', (text, secret) => {
    expect(textsFound(secrets, text)).toContain(secret);
  });

  test.each([
    ['export SECRET_TOKEN=exporttok9988', 'exporttok9988'],
    ['token=abc123def456', 'abc123def456'],
    ['token: abc123def456', 'abc123def456'],
    ['Token = "abc123def456"', 'abc123def456'],
    ['token=123456', '123456'],
    ['X-Auth-Token: abc123def456', 'abc123def456'],
    ['githubToken: abc123def456', 'abc123def456'],
    ['https://x.example/a?token=abc123def&page=2', 'abc123def'],
    ['https://x.example/a?page=2&session=s8f7a6', 's8f7a6'],
    ['DB_PASS=letters', 'letters'],
    ['dbPass=hunter2', 'hunter2'],
    ['user=bob pass=hunter', 'hunter'],
    ['pass: hunter22', 'hunter22'],
    ["pass: 'correct horse'", 'correct horse'],
    ['pw: hunter22', 'hunter22'],
    ['pw=hunt', 'hunt'],
    ['PIN: 1234', '1234'],
    ['**Pin code:** 004711.', '004711'],
    ['cardPin=9876', '9876'],
    ['OTP: 123456', '123456'],
    ['Cookie: a=b; session=8f7a6d5c; theme=dark', '8f7a6d5c'],
    ['Session: 8f7a6d5c4b', '8f7a6d5c4b'],
    ['curl -u bob:pass https://x.example', 'pass'],
    ["curl -sS -u 'bob:my pass' https://x.example", 'my pass'],
    ['curl https://x.example \\\n  --user=bob:pa:ss', 'pa:ss'],
    ['curl -su bob:pass1 https://x.example', 'pass1'],
  ])('behind a common word, out of %s', (text, secret) => {
    expect(textsFound(secrets, text)).toContain(secret);
  });

  test.each([
    'It is a token of thanks: 12 flowers',
    'total tokens: 1234',
    'max_token=128000, token: 1234',
    'token: abstract-noun',
    'token=get_token2()',
    'token = tokens[0]',
    'next_page_token=abc123def456, pageToken: abc123def456',
    'token=$TOKEN1 token: null token=<token1>',
    'Boarding pass: HAT193XY, day pass: 24hours',
    'pass: 1200, fail: 30',
    'second pass: re-check everything',
    'bypass: route66a, compass=north',
    'Session: 2024-05-20T10:00, next session: 10:30am-11:30am',
    'session: morning',
    'session = requests.Session()',
    'pin: 13, spin: 1234, Pin: GPIO17',
    'the pin: press it down',
    'flight: HAT193, price=1234, payment: credit_card_7815826, user: mia_li_3668',
    'docker run -u 1000:1000 image',
    'curl -u bob:$PASSWORD https://x.example',
  ])('behind a common word, %s holds none', (text) => {
    expect(textsFound(secrets, text)).toEqual([]);
  });

  test.each(['password=', 'token=', 'password="'])('%s with a long value, whole', (label) => {
    const value = take(300).repeat(5);
    expect(textsFound(secrets, `${label}${value}"`)).toContain(value);
  });

  test('a private key, whole or cut off', () => {
    const begin = '-----BEGIN RSA PRIVATE KEY-----';
    const whole = `${begin}\n${take(64)}\n-----END RSA PRIVATE KEY-----`;
    expect(textsFound(secrets, `key:\n${whole}\nend`)).toContain(whole);
    expect(textsFound(secrets, `key:\n${begin}\n${take(64)}`)).toContain(`${begin}\n${take(64)}`);
  });

  test.each([
    'Password: please enter it below.',
    'I forgot my password and the reset is broken',
    `password=$${'{DB_PASSWORD}'}`,
    'password: <your password>',
    'api_key: null',
    'the secret of success is patience',
    'reservation NO6JO3, flight HAT193, call_oIHazX6yQrB8hUwl4cRilFKj',
    'https://example.com/a?page=2',
    'sk-learn is a library',
    'commit 3f786850e387550fdab836ed7e6dc881de23001b',
  ])('%s holds none', (text) => {
    expect(textsFound(secrets, text)).toEqual([]);
  });

  test.each([
    ['password', 'abc', true],
    ['userPassword', 'abc def', true],
    ['DB_PASSWORD', 'x', true],
    ['x-api-key', 'abc', true],
    ['authorization', 'Basic dXNlcjpwYXNz', true],
    ['authorization', 'approved', false],
    ['token', take(24), true],
    ['token', 'word', false],
    ['token', 'abc123def456', true],
    ['SECRET_TOKEN', 'exporttok9988', true],
    ['session', '8f7a6d5c4b', true],
    ['session', '2024-05-20T10:00:00', false],
    ['pass', 'hunter22', true],
    ['boarding_pass', 'HAT193XY', false],
    ['pw', 'abc', true],
    ['passwort', 'abc', true],
    ['next_page_token', take(24), false],
    ['max_tokens', '1000', false],
    ['password', 'null', false],
    ['password_hint', 'the dog', false],
  ])('under the key %s, %j: %s', (key, text, isSecret) => {
    expect(textsFound(secrets, text, key)).toEqual(isSecret ? [text] : []);
  });

  test.each([
    ...[
      'eyJ',
      'eyJa.',
      'sk-',
      'sk-a',
      'ghp_',
      'xoxb-a-',
      'AKIA',
      'password',
      'password="',
      'password is ',
      'bearer ',
      'a://b:',
      'a://',
    ],
    ...[
      'token=',
      'token: a1',
      'pass="',
      'pin',
      'a_token',
      'aToken',
      'mot de passe',
      'curl ',
      'curl -u ',
      'curl -u a:',
      'curl \\\n',
      '-u a:b ',
    ],
    ...[
      '-----BEGIN PRIVATE KEY-----',
      '-----BEGIN ',
      '?key=',
      'SG.a.',
      'secret',
      '1:AA',
      'http://a:b',
      'hvs.',
    ],
  ])('takes linear time on %j repeated', (unit) => {
    expect(isLinear((text) => textsFound(secrets, text), unit)).toBe(true);
  });
});
