// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell lines
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DefinitionError, RunError } from '@spec/hooks';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileTemplate } from './template.ts';

/**
 * Real shells are the judge: in an empty folder they run commands whose values do their best to leave a file there. `show` prints what
 * it was given, each followed by a NUL.
 */
const shells = ['/bin/dash', '/bin/bash'].filter((shell) => existsSync(shell));
const SHOW = 'show() { printf \'%s\\0\' "$@"; }\n';

let folder = '';
let work = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'template-shells-'));
  work = join(folder, 'work');
  mkdirSync(work);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(shell: string, script: string): string {
  const { stdout } = spawnSync(shell, ['-c', SHOW + script], {
    cwd: work,
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' },
    timeout: 10_000,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return stdout;
}

/** What nothing but a value that ran can have left. */
function strayFiles(): string[] {
  const names = readdirSync(work);
  for (const name of names) rmSync(join(work, name), { recursive: true });
  return names;
}

/** A place for a value, and what `show` is given there. */
const places: readonly (readonly [template: string, shown: (value: string) => readonly string[]])[] = [
  ['show {{input.v}}', (v) => [v]],
  ['show a{{input.v}}b', (v) => [`a${v}b`]],
  ['show -- {{input.v}} end', (v) => ['--', v, 'end']],
  ['show ~{{input.v}}*', (v) => [`~${v}*`]],
  ["show 'a {{input.v}} b'", (v) => [`a ${v} b`]],
  ["show '\\{{input.v}}'", (v) => [`\\${v}`]],
  ['show \'"{{input.v}}"\'', (v) => [`"${v}"`]],
  ["show 'a'{{input.v}}'b'", (v) => [`a${v}b`]],
  ['show "a {{input.v}} b"', (v) => [`a ${v} b`]],
  ['show "{{input.v}}"', (v) => [v]],
  ['show "\'{{input.v}}\'"', (v) => [`'${v}'`]],
  ['show "\\"{{input.v}}\\""', (v) => [`"${v}"`]],
  ['show "$(printf "%s." {{input.v}})"', (v) => [`${v}.`]],
  ['show "$(printf "%s." "x{{input.v}}")"', (v) => [`x${v}.`]],
  ['show "$(show \'x{{input.v}}\' >/dev/null)" a', () => ['', 'a']],
  ['x={{input.v}}; show "$x"', (v) => [v]],
  ['x="y {{input.v}}"; show "$x"', (v) => [`y ${v}`]],
  ['export x={{input.v}}; show "$x"', (v) => [v]],
  ['true && show {{input.v}} || show no', (v) => [v]],
  ['if [ -n x{{input.v}} ]; then show {{input.v}}; fi', (v) => [v]],
  ['[ {{input.v}} = {{input.v}} ] && show same', () => ['same']],
  ['for x in {{input.v}} b; do show "$x"; done', (v) => [v, 'b']],
  ['case {{input.v}} in "{{input.v}}") show yes;; esac', () => ['yes']],
  ['(show {{input.v}})', (v) => [v]],
  ['{ show {{input.v}}; }', (v) => [v]],
  ['show {{input.v}} # a comment\nshow b', (v) => [v, 'b']],
  ["show a # don't\nshow {{input.v}}", (v) => ['a', v]],
  ["cat >/dev/null <<'E'\ndon't \"\nE\nshow {{input.v}}", (v) => [v]],
  ["cat <<E 2>/dev/null | { cat >/dev/null; show {{input.v}}; }\nit's\nE", (v) => [v]],
  [`sh -c 'printf "%s\\0" "$1"' sh {{input.v}}`, (v) => [v]],
  ['env x={{input.v}} sh -c \'printf "%s\\0" "$x"\'', (v) => [v]],
  [`V={{input.v}} awk 'BEGIN { printf "%s%c", ENVIRON["V"], 0 }'`, (v) => [v]],
  ["printf '%s\\0' {{input.v}}", (v) => [v]],
  ['show {{input.v}}{{input.v}}"{{input.v}}"', (v) => [v + v + v]],
  ['show a \\\n  {{input.v}}', (v) => ['a', v]],
  ['show {{input.v}} 2>/dev/null', (v) => [v]],
];

const hostile = fc.constantFrom(
  "'",
  '"',
  '\\',
  '`',
  '$',
  "';: > pwned; '",
  '";: > pwned; "',
  "'\"';: > pwned; '\"'",
  '$(: > pwned)',
  '`: > pwned`',
  '${x:=$(: > pwned)}',
  'a[$(: > pwned)]',
  '\n: > pwned\n',
  '\nE\n: > pwned\n',
  '; : > pwned #',
  '& : > pwned &',
  '| : > pwned',
  ') ; : > pwned ; (',
  '> pwned',
  '\\',
  "\\'",
  "'\\''",
  '{a,b}',
  '*',
  '~',
  '!',
  '-n',
  '--',
  '%s',
  '\\n',
  '\\0',
  '\r',
  '\t',
  ' ',
  '\x1b',
  '\x7f',
  '\u0085',
  '\u00a0',
  '\u2028',
  '\ufeff',
  'é',
  'ÁÂÃÄÅÆÇÈ',
  '表',
  '👩‍👧',
  '{{toolName}}',
  '$&',
  '',
);
const value = fc
  .array(fc.oneof({ weight: 4, arbitrary: hostile }, fc.string({ unit: 'grapheme', maxLength: 6 })), {
    maxLength: 6,
  })
  .map((parts) => parts.join('').replaceAll('\0', ''))
  .filter((text) => text.isWellFormed());

describe.skipIf(shells.length < 2)('real shells', () => {
  test('hand over every value at every place, byte for byte, and run nothing of it', {
    timeout: 120_000,
  }, () => {
    const templates = places.map(([template, shown]) => ({ ...compileTemplate(template), shown }));
    fc.assert(
      fc.property(
        fc.constantFrom(...shells),
        fc.array(value, { minLength: 1, maxLength: 4 }),
        (shell, values) => {
          const pairs = values.flatMap((v) => templates.map((template) => ({ v, template })));
          const script = pairs
            .map(({ v, template }) => `${template.render({ input: { v } })}\nshow '<end>'\n`)
            .join('');
          const shown = pairs.flatMap(({ v, template }) => [...template.shown(v), '<end>']);
          expect(run(shell, script).split('\0')).toEqual([...shown, '']);
          expect(strayFiles()).toEqual([]);
        },
      ),
      { numRuns: 40, seed: 5 },
    );
  });

  /** Around a place stands what moves quotes, comments and parentheses; one character less or more makes lines that nobody thought of. */
  const around = fc.constantFrom(
    'true',
    "show 'a;'",
    'show a#b',
    "true # don't",
    'show "a\\"b"',
    "show $'it\\'s'",
    "x='\n'",
    "cat <<E\ndon't\nE\ntrue",
    "cat <<'E'\n\"\nE\ntrue",
    'cat <<-E\n\tx\n\tE\ntrue',
    'show $((1<<2))',
    '((1<<2))',
    'show "$[1+1]"',
    'show ${X#"}"}',
    'show "${X:-\'}"',
    'show "${X#\'}\'}"',
    'case a in a) true;; esac',
    'show "$(cat <<E\nit\'s )\nE\n)"',
    'show `show \\`true\\``',
    'show $(true # )\n)',
    'show {a,b}',
    'sh -c \'show "$0"\'',
    "eval 'true'",
  );
  const place = fc.constantFrom(...places.map(([template]) => template));
  const glue = fc.constantFrom('; ', '\n', ' && ', ' | ', ' ', '');
  const damage = fc.option(
    fc.tuple(
      fc.nat(),
      fc.option(
        fc.constantFrom('"', "'", '\\', '$', '$(', ')', '(', '`', '{', '}', '#', '\n', '<<E', ';', '['),
      ),
    ),
  );
  const anyTemplate = fc
    .tuple(fc.array(around, { maxLength: 2 }), place, fc.array(around, { maxLength: 1 }), glue, damage)
    .map(([before, middle, after, separator, harm]) => {
      const text = [...before, middle, ...after].join(separator);
      if (harm === null) return text;
      const at = harm[0] % (text.length + 1);
      return text.slice(0, at) + (harm[1] ?? '') + text.slice(harm[1] === null ? at + 1 : at);
    });

  test('run nothing of a value in any template that is taken', { timeout: 120_000 }, () => {
    let taken = 0;
    fc.assert(
      fc.property(fc.array(fc.tuple(anyTemplate, value), { minLength: 8, maxLength: 8 }), (pairs) => {
        const lines = pairs.flatMap(([text, v]) => rendered(text, v));
        taken += lines.length;
        for (const shell of shells) {
          // Each in a subshell: a line that is no shell syntax ends only itself.
          const script = lines.map((line) => `(eval ${quoted(line)}) </dev/null >/dev/null 2>&1`);
          run(shell, script.join('\n'));
          expect(strayFiles().filter((name) => name === 'pwned')).toEqual([]);
        }
      }),
      { numRuns: 60, seed: 6 },
    );
    expect(taken).toBeGreaterThan(100);
  });
});

function rendered(text: string, v: string): string[] {
  try {
    return [compileTemplate(text).render({ input: { v }, toolName: v, sandbox: '/' })];
  } catch (error) {
    if (error instanceof DefinitionError || error instanceof RunError) return [];
    throw error;
  }
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

describe.skipIf(shells.length < 2)('a value that could reach a second shell', () => {
  const payloads = ["'; touch PWN; '", '; touch PWN', '$(touch PWN)', '"; touch PWN; "', 'touch PWN'];

  test.each([
    'bash -c "printf %s \'$(printf %s {{input.v}})\'"',
    'x={{input.v}}; bash -c "echo $x"',
    'x={{input.v}}; sh -c "$x"',
    'x={{input.v}}; eval $x',
    'x={{input.v}}; eval "echo $x"',
    'f() { eval "$1"; }; f {{input.v}}',
    'printf %s {{input.v}} | xargs -I{} sh -c {}',
    "printf %s {{input.v}} | xargs -I% sh -c 'echo %'",
    'echo x | split --filter={{input.v}}',
    'npm exec -c {{input.v}}',
    'printf %s {{input.v}} > s.sh; sh s.sh',
    'printf %s {{input.v}} > "s.sh" && . ./s.sh; sh s.sh',
    'printf %s {{input.v}} > ./s; chmod +x ./s; ./s',
    'printf %s {{input.v}} | sh',
    'sh <<< {{input.v}}',
    'bash <(printf %s {{input.v}})',
    'GIT_SSH_COMMAND={{input.v}} git fetch',
    'EDITOR={{input.v}} git commit',
    'PAGER={{input.v}} man ls',
    'NODE_OPTIONS={{input.v}} node -v',
    'LD_PRELOAD={{input.v}} ls',
    'git -c core.pager={{input.v}} log',
    'setpriv sh -c {{input.v}}',
    'time { eval {{input.v}}; }',
  ])('%s is refused, or runs nothing', (template) => {
    let compiled: ReturnType<typeof compileTemplate>;
    try {
      compiled = compileTemplate(template);
    } catch (error) {
      expect(error).toBeInstanceOf(DefinitionError);
      return;
    }
    for (const v of payloads) for (const shell of shells) run(shell, compiled.render({ input: { v } }));
    expect(strayFiles()).not.toContain('PWN');
  });
});
