/** Writes a value into a text of the kind that agents see. */
export interface Context {
  readonly name: string;
  write(value: string): string;
}

const context = (name: string, template: string): Context => ({
  name,
  write: (value) => template.replace('%', () => value),
});

const sentences: readonly string[] = [
  'My details: %.',
  'Please use % from now on.',
  'It is %',
  '% is what I was given',
  'Thanks! %',
  'You can note % for the file, and nothing else.',
  'Is % correct?',
  'No, not that one: %!',
  'I think… %… yes',
  'Hello,\n%\nbye',
  '  %  ',
  '%',
  'Bitte notieren Sie %, danke.',
  'Das ist % und gehört mir',
  'Voici % pour le dossier',
  "C'est %, merci",
  'Aquí está %, gracias',
  '¿Es % correcto?',
  'Ecco % per la pratica',
  'Aqui está %, obrigado',
  'Oto %, dziękuję',
  'Вот %, спасибо',
  'Ορίστε %, ευχαριστώ',
  'İşte %, teşekkürler',
  'Hier is %, bedankt',
  'यह % है',
];

const punctuation: readonly string[] = [
  '(%)',
  '[%]',
  '{%}',
  '<%>',
  '"%"',
  "'%'",
  '“%”',
  '«%»',
  '„%“',
  '`%`',
  '(see %)',
  '(%), and more',
  'at (%).',
  '(first (%) second)',
  '%;',
  '*%*',
  '**%**',
  '_note_ %',
  '~~%~~',
  '- %',
  '* %\n* next',
  '1. %',
  '> %',
  '# %',
  '%,next',
  'a; %; b',
  '- item: %',
  '| name | % |',
  '|%|',
  '| Anna | % | 3 |\n|---|---|---|',
  'Anna\t%\tBerlin',
  'Anna,%,Berlin',
  '"Anna","%","Berlin"',
  'Anna;%;Berlin',
];

const machine: readonly string[] = [
  '{"note":"%"}',
  '{"a":{"b":["x","%"]}}',
  '["%"]',
  '{ note: "%", n: 1 }',
  "{'note': '%'}",
  '<td>%</td>',
  '<b>%</b>',
  '<p title="%">x</p>',
  '<note>%</note>',
  'note: %\nnext: 1',
  'note = "%"',
  'NOTE=%',
  'log: user said % at 10:00',
  '[link](%)',
  '[%](https://example.com)',
  '![%](a.png)',
  'https://example.com/?q=1 %',
  '\u001b[31m%\u001b[0m',
  '\u001b[1;32m%\u001b[39m ok',
  'x = f("%")',
  '// %',
  '/* % */',
  '%\r\nnext',
  'user> %',
  'INFO  [main] % (ok)',
  '```\n%\n```',
];

/** Scripts that put no space between words, and letters right beside a value. */
const unspaced: readonly string[] = [
  '我的资料是%请记下',
  '资料：%。',
  '（%）',
  '「%」',
  '電話番号は%です',
  '番号%をお願いします',
  '내정보는%입니다',
  '정보:%번',
  'ข้อมูลของฉันคือ%ครับ',
  'ข้อมูล%นะ',
  'معلوماتي هي %، شكرا',
  'هذا%فقط',
  'המידע שלי הוא %, תודה',
  'លេខ%ហើយ',
];

const named = (group: string, templates: readonly string[]): Context[] =>
  templates.map((template) => context(`${group}: ${template}`, template));

/** Nothing is hidden: a person reads the value as it is. */
export const plainContexts: readonly Context[] = [
  ...named('sentence', sentences),
  ...named('punctuation', punctuation),
  ...named('machine', machine),
  ...named('unspaced', unspaced),
];
