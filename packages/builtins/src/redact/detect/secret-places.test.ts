import { describe, expect, test } from 'vitest';
import { isLinear, textsFound } from '../sample-redaction.ts';
import { secrets } from './secret.ts';

const P = 'Winter#2031';
const key = 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6';
const found = (text: string): string[] => textsFound(secrets, text);

describe('codes for one time in sentences', () => {
  test.each([
    'my otp is 493021',
    'The OTP for the login is 493021.',
    'Your verification code is 493021.',
    'Your one-time code is: 493021',
    'the 2FA code was 493021',
  ])('%s', (text) => {
    expect(found(text)).toEqual(['493021']);
  });

  test('the word pw begins a sentence in German too', () => {
    expect(found(`das pw lautet: ${P}`)).toEqual([P]);
  });

  test.each([
    'the status code is 493021',
    'the exit code is 1234',
    'OTP is enabled',
    'the zip code is 94107',
  ])('%s is none', (text) => {
    expect(found(text)).toEqual([]);
  });
});

describe('passwords where they stand', () => {
  test.each([
    ...[`API_KEY_PROD=${P}`, `PASSWORD_STAGING=${P}`, `ADMIN_PASS=${P}`, `ENV ROOT_PASSWORD ${P}`],
    ...[
      `val dbPassword: String = "${P}"`,
      `define("DB_PASSWORD", "${P}");`,
      `process.env.DB_PASSWORD || '${P}'`,
    ],
    ...[`client.setPassword("${P}")`, `smtp.login("bob", "${P}")`, `Admin password (temporary): ${P}`],
    ...[`ConvertTo-SecureString "${P}" -AsPlainText`, `localhost:5432:shop:app:${P}`],
  ])('in programs and settings: %s', (text) => {
    expect(found(text)).toContain(P);
  });

  test.each([
    ...[
      `app --password ${P}`,
      `app --db-password=${P} run`,
      `app --api-key "${P}"`,
      `mysql -uroot -p${P} shop`,
    ],
    ...[`sshpass -p ${P} ssh bob@host`, `docker login -u bob -p ${P} registry.example.com`],
    ...[
      `curl -u bob:${P} https://x.example`,
      `curl -u ":${P}" https://x.example`,
      `http -a bob:${P} x.example`,
    ],
    ...[`redis-cli -h cache -a ${P} ping`, `openssl rsa -passin pass:${P}`, `ldapsearch -w ${P} -b dc=x`],
    ...[`kubectl create secret generic db --from-literal=admin=${P}`, `requirepass ${P}`],
    ...[`echo ${P} | docker login -u bob --password-stdin`, `sudo -S <<< "${P}"`],
  ])('in commands: %s', (text) => {
    expect(found(text)).toContain(P);
  });

  test.each([
    ...[`<password>${P}</password>`, `<ns:Password type="text">\n  ${P}\n</ns:Password>`],
    ...[`<property name="password" value="${P}"/>`, `<key>password</key>\n<string>${P}</string>`],
    ...[`<input type="password" name="x" value="${P}">`, `- name: DB_PASSWORD\n  value: "${P}"`],
    ...[`CREATE USER bob IDENTIFIED BY '${P}';`, `ALTER ROLE bob WITH PASSWORD '${P}'`],
    ...[`INSERT INTO users (name, password) VALUES ('bob', '${P}')`],
  ])('in XML, HTML, YAML and SQL: %s', (text) => {
    expect(found(text)).toContain(P);
  });

  test.each([
    `user,password\nbob,${P}`,
    `id;pass;mail\n1;${P};x\n2;other;y`,
    `user\tpassword\nbob\t${P}`,
    `| user | password |\n|---|---|\n| bob | ${P} |`,
    `| password | ${P} |`,
    `User      Password\nbob       ${P}`,
  ])('in tables: %j', (text) => {
    expect(found(text)).toContain(P);
  });

  test('in several rows of two cells', () => {
    expect(found(`| user | bob |\n| password | ${P} |\n| token | ${key} |`)).toEqual([P, key]);
  });

  test('every value of a Kubernetes secret, and none of a map beside it', () => {
    const secret = `kind: Secret\nmetadata:\n  name: db\ndata:\n  dsn: ${key}\n  other: YWJjZGVm\n---\nkind: ConfigMap\ndata:\n  colour: red12\n`;
    expect(found(secret)).toEqual([key, 'YWJjZGVm']);
  });

  test.each([
    ...[
      `The password for the wifi is ${P}.`,
      `Password for the admin account: ${P}`,
      `log in with password ${P}`,
    ],
    ...[
      `I changed my password to ${P}`,
      `use ${P} as the password`,
      `creds: bob / hunter22`.replace('hunter22', P),
    ],
    ...[`Das Passwort lautet ${P}`, `La contraseña del wifi es ${P}`, `mon mot de passe est ${P}`],
    ...[`minha senha é ${P}`, `la password è ${P}`, `moje hasło to ${P}`, `мой пароль: ${P}`, `密码是${P}`],
    ...[`パスワードは${P}です`.replace('です', ' です'), `비밀번호는 ${P} 입니다`],
  ])('in sentences: %s', (text) => {
    expect(found(text)).toContain(P);
  });

  test('a name and a password in base64, with or without a digit', () => {
    expect(found('Authorization: Basic dXNlcjpwYXNz')).toContain('dXNlcjpwYXNz');
    expect(found('Basic knowledge of cooking, basic understanding')).toEqual([]);
  });

  test('a key without a mark behind the name of its issuer', () => {
    expect(found(`Mistral key: ${key}`)).toContain(key);
    expect(found(`TRELLO_KEY=${key}`)).toContain(key);
    expect(found(`cache_key=${key}, CACHE_KEY=${key}, build ${key}`)).toEqual([]);
  });

  test.each([
    'const password = getPassword();',
    'password = options.verifyAccessToken;',
    'authToken: (driver2) => withStyle.error(',
    'privateKey: KeyLike | SignKeyObjectInput,',
    'emit(event: "session", session: ServerHttp2Session): boolean;',
    'const TOKEN_KEY = "refresh_token";',
    'password: string; secret?: string | undefined',
    '"pbkdf2-password": "1.2.1"',
    'password: "Password must be at least 8 characters",',
    'type State = "pass" | "fail";',
    "type: 'input' | 'password' | 'text'",
    'PWD=/home/bob',
    'password=$PASSWORD token=%TOKEN% api_key=<YOUR_KEY> secret=******** pass={{pass}}',
    'API key: https://example.com/api-keys2',
    'arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-Ab12Cd',
    'postgres://user:password@localhost:5432/app',
    'password_hint: rex2, api_key_name=prod1, token_type=bearer1, passwordLength: 12',
    'the --password option, --token string, --api-key KEY',
    'password SHA-256, password 2FA, passwords1',
    'name,age\nbob,12',
    'kind: ConfigMap\ndata:\n  mode: fast1',
    'STRIPE_KEY=pk_live_51HabcdefGHIJKL',
  ])('%s holds none', (text) => {
    expect(found(text)).toEqual([]);
  });

  test.each(['password=a1b2 ', '<pw>a1b2</pw>', '| pw | a1b2 |\n'])('as many as there are: %j', (unit) => {
    const count = 130_000;
    expect(found(unit.repeat(count)).length).toBeGreaterThanOrEqual(count);
  });

  test.each([
    ...['password for ', 'my password to ', '<password>', '<a password="', 'password | ', 'a,b,password\n'],
    ...['mysql -u ', 'docker login ', 'echo a | ', '--a-b-token=', 'insert into a (password) values (a,'],
    ...[
      'kind: Secret\ndata:\n  a: b\n',
      'basic ',
      'heroku_',
      'A_KEY_',
      'ENV A_PASSWORD_',
      '密码是',
      'пароль ',
    ],
  ])('takes linear time on %j repeated', (unit) => {
    expect(isLinear(found, unit)).toBe(true);
  });
});
