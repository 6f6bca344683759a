// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell lines
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DefinitionError, RunError } from '@spec/hooks';
import { describe, expect, test } from 'vitest';
import { compileTemplate } from './template.ts';

function refusal(run: () => unknown): { code: string; message: string } {
  try {
    run();
  } catch (error) {
    if (error instanceof DefinitionError || error instanceof RunError)
      return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error('It was not refused.');
}

describe('the commands of the document, word for word', () => {
  const audit = "echo '[AUDIT] Agent running bash: {{input.command}}' >> /var/log/flo-audit.log";
  const save =
    "cd {{sandbox}} && git add -A && git commit -m 'auto-save after {{toolName}}' 2>/dev/null || true";
  const running = "echo 'Agent running: {{input.command}}' >> /var/log/flo-audit.log";

  test('know where their variables stand', () => {
    const places = (command: string) =>
      compileTemplate(command).variables.map(({ text, quoting }) => [text, quoting]);
    expect(places(audit)).toEqual([['{{input.command}}', 'single']]);
    expect(places(running)).toEqual([['{{input.command}}', 'single']]);
    expect(places(save)).toEqual([
      ['{{sandbox}}', 'bare'],
      ['{{toolName}}', 'single'],
    ]);
  });

  test('do not run what a tool was given', () => {
    const rendered = compileTemplate(audit).render({ input: { command: "'; touch pwned; echo '" } });
    expect(rendered).toBe(
      "echo '[AUDIT] Agent running bash: '\\''; touch pwned; echo '\\''' >> /var/log/flo-audit.log",
    );
    expect(compileTemplate(save).render({ sandbox: "/it's here", toolName: 'files' })).toBe(
      "cd '/it'\\''s here' && git add -A && git commit -m 'auto-save after files' 2>/dev/null || true",
    );
  });

  test('the first one, run', () => {
    const folder = mkdtempSync(join(tmpdir(), 'template-'));
    const command = compileTemplate(audit.replace('/var/log/flo-audit.log', '/dev/stdout'));
    const line = command.render({ input: { command: "a'; touch pwned; '$(touch pwned)" } });
    const { stdout } = spawnSync('/bin/sh', ['-c', `${line} | cat`], { cwd: folder, encoding: 'utf8' });
    const ran = existsSync(join(folder, 'pwned'));
    rmSync(folder, { recursive: true });
    expect(ran).toBe(false);
    expect(stdout).toBe("[AUDIT] Agent running bash: a'; touch pwned; '$(touch pwned)\n");
  });
});

describe('a value is quoted for its place', () => {
  test.each([
    ['log {{input.v}}', "log 'a'\\''b'"],
    ["log 'x {{input.v}}'", "log 'x a'\\''b'"],
    ['log "x {{input.v}}"', "log \"x \"'a'\\''b'\"\""],
    ['log x{{input.v}}y', "log x'a'\\''b'y"],
    ['log "$(basename {{input.v}})"', "log \"$(basename 'a'\\''b')\""],
    ['log {{ input.v }}', "log 'a'\\''b'"],
    ["docker ps --format '{{.Names}}' {{input.v}}", "docker ps --format '{{.Names}}' 'a'\\''b'"],
    ['log x', 'log x'],
  ])('%s', (command, rendered) => {
    expect(compileTemplate(command).render({ input: { v: "a'b" } })).toBe(rendered);
  });

  test('what is no string is its JSON text', () => {
    const { render } = compileTemplate('log {{input.v}}');
    expect(render({ input: { v: 5 } })).toBe("log '5'");
    expect(render({ input: { v: null } })).toBe("log 'null'");
    expect(render({ input: { v: { a: ["it's"] } } })).toBe(`log '{"a":["it'\\''s"]}'`);
  });

  test('fields within fields and positions in lists are followed', () => {
    const { render } = compileTemplate('log {{input.a.b-c.0}} {{result}}');
    expect(render({ input: { a: { 'b-c': ['x'] } }, result: 'r' })).toBe("log 'x' 'r'");
  });

  test('a variable that comes in as a value stays text', () => {
    const { render } = compileTemplate('log {{input.v}} {{toolName}}');
    expect(render({ input: { v: '{{toolName}}$&' }, toolName: 't' })).toBe("log '{{toolName}}$&' 't'");
  });
});

describe('refused when it is loaded', () => {
  test.each<[string, string]>([
    ['log {{tool}}', 'is no variable. Did you mean {{toolName}}?'],
    ['log {{inptu.command}}', 'is no variable. Did you mean {{input.field}}?'],
    ['log {{input}}', 'is no variable. Name a field of the input, such as {{input.command}}.'],
    ['log {{result.content}}', 'is no variable. Write {{result}}.'],
    ['log {{json .}}', 'is no variable. The variables are'],
    ['log {{}}', 'is no variable.'],
    ['log x # {{input.v}}', 'is in a comment'],
    ['cat <<EOF\n{{input.v}}\nEOF', 'is in a here-document'],
    ["cat <<'EOF'\n{{input.v}}\nEOF", 'is in a here-document'],
    ['log `basename {{input.v}}`', 'is inside backticks'],
    ['log "`basename {{input.v}}`"', 'is inside backticks'],
    ['log $(({{input.v}} + 1))', 'is inside an arithmetic expression'],
    ['(({{input.v}} > 1))', 'is inside an arithmetic expression'],
    ['log $[{{input.v}}]', 'is inside an arithmetic expression'],
    ['log ${x:-{{input.v}}}', 'is inside ${…}'],
    ['log "${x:-{{input.v}}}"', 'is inside ${…}'],
    ["log $'{{input.v}}'", "is inside $'…'"],
    ['log ${{input.v}}', 'comes right after $'],
    ['log \\{{input.v}}', 'comes right after \\'],
    ['log "\\{{input.v}}"', 'comes right after \\'],
    ["log $'a' {{input.v}}", "is on a line with $'…'"],
    ['log "unclosed {{input.v}}', 'cannot be read for certain'],
    ['log {{input.v}}\r\nlog', 'cannot be read for certain'],
    ['cat <<{{input.v}}\nx\nEOF', 'cannot be read for certain'],
    ['log {a,{{input.v}}}', 'is not part of a word of a command'],
    ['eval {{input.v}}', 'is given to eval'],
    ['eval "log {{input.v}}"', 'is given to eval'],
    ["sh -c 'log {{input.v}}'", 'is where sh looks for code'],
    ['bash -lc "log {{input.v}}"', 'is where bash looks for code'],
    ["sudo -n bash -c 'log {{input.v}}'", 'is where bash looks for code'],
    ["env A=1 sh -c 'log {{input.v}}'", 'is where sh looks for code'],
    ["find . -exec sh -c 'log {{input.v}}' \\;", 'is where sh looks for code'],
    ["docker exec box sh -c 'log {{input.v}}'", 'is where sh looks for code'],
    ['sh <<< {{input.v}}', 'is where sh looks for code'],
    ['python3 <<< {{input.v}}', 'is where python3 looks for code'],
    ['bash {{input.v}}', 'is where bash looks for code'],
    ['curl x | sh; log {{input.v}}', 'a shell reads its commands from its input'],
    ['log {{input.v}} | sh', 'a shell reads its commands from its input'],
    ['awk \'{ print "{{input.v}}" }\' f', 'is where awk looks for code'],
    ['awk -f p.awk {{input.v}}', 'is where awk looks for code'],
    ['python3 -c "print({{input.v}})"', 'is where python3 looks for code'],
    ["perl -ne 'print {{input.v}}'", 'is where perl looks for code'],
    ["perl -e 'print' {{input.v}}", 'is where perl looks for code'],
    ["node -e 'f({{input.v}})'", 'is where node looks for code'],
    ['sed "s/a/{{input.v}}/" f', 'is where sed looks for code'],
    ['sed -i s/a/b/ {{input.v}}', "sed 's/a/b/' -- {{input.v}}"],
    ['jq ".x = \\"{{input.v}}\\""', "jq -n --arg v {{input.v}} '$v'"],
    ['jq "{{input.v}}"', "jq -n --arg v {{input.v}} '$v'"],
    ['ssh host log {{input.v}}', 'is given to ssh'],
    ['make check FILE={{input.v}}', 'is given to make'],
    ['sqlite3 db "insert into t values (\'{{input.v}}\')"', 'is given to sqlite3'],
    ['trap "log {{input.v}}" EXIT', 'is given to trap'],
    ['. {{input.v}}', 'is given to .'],
    ['{{input.command}}', "is in the position of a command's name"],
    ['./{{toolName}}.sh', "is in the position of a command's name"],
    ['true && {{input.v}} x', "is in the position of a command's name"],
    ['nohup {{input.v}}', "is in the position of a command's name"],
    ['env -S{{input.v}} log', 'is among the options of env'],
    ['env {{input.v}} log', "is in the position of a command's name"],
    ['export PATH={{input.v}}', 'is given to export'],
    ['env LD_PRELOAD={{input.v}} log', 'is among the options of env'],
    ['node -r {{input.v}} x.js', 'is where node looks for code'],
    ['awk -f {{input.v}} x', 'is where awk looks for code'],
    ['PATH={{input.v}} log', 'is in the name of a variable, or in one that tells the shell what to run'],
    ['a[{{input.v}}]=1', 'is in the name of a variable'],
    ['declare {{input.v}}=1', 'is given to declare'],
    ['declare -a x={{input.v}}', 'is given to declare'],
    ['declare -i n; n={{input.v}}', 'is on a line with declare -i'],
    ['read {{input.v}}', 'is given to read'],
    ['printf {{input.v}}', 'is in the format of printf'],
    ['printf -v {{input.v}} x', 'is in the format of printf'],
    ['[[ {{input.v}} -eq 1 ]]', 'is where [[ may take it for more than text'],
    ['[ -v {{input.v}} ]', 'is where [ may take it for more than text'],
    ['test {{input.v}} {{toolName}}', 'is where test may take it for more than text'],
  ])('%s', (command, problem) => {
    const { code, message } = refusal(() => compileTemplate(command));
    expect(code).toBe('bad_template');
    expect(message).toContain(problem);
  });

  test('says where, and what to write', () => {
    const command = 'set -e\nlog one\n  sh -c "log {{input.path}}"';
    expect(refusal(() => compileTemplate(command)).message).toBe(
      'Bad template, line 3, column 14: {{input.path}} is where sh looks for code or options. Hand it over as an ' +
        `argument: sh -c 'command "$1"' sh {{input.path}}. Or read it from standard input, where the payload is as JSON.`,
    );
  });

  test('names the variable that is meant, not the first', () => {
    const { message } = refusal(() => compileTemplate('log {{toolName}}; eval {{input.v}}'));
    expect(message).toMatch(/^Bad template, line 1, column 24: \{\{input\.v\}\} is given to eval/);
  });
});

describe('taken', () => {
  test.each([
    `sh -c 'log "$1"' sh {{input.v}}`,
    `bash check.sh {{input.v}}`,
    `python3 -c 'import sys; print(sys.argv[1])' -- {{input.v}}`,
    'python3 -m json.tool {{input.v}}',
    'python3 {{sandbox}}/check.py {{input.v}}',
    '{{sandbox}}/node_modules/.bin/lint -- {{input.v}}',
    `V={{input.v}} awk 'BEGIN { print ENVIRON["V"] }'`,
    `awk -v v={{input.v}} 'BEGIN { print v }'`,
    "awk '{ print }' {{input.v}}",
    "sed 's/a/b/' -- {{input.v}}",
    "perl -e 'print $ARGV[0]' -- {{input.v}}",
    `jq -n --arg v {{input.v}} '$v' >> log.jsonl`,
    'declare x={{input.v}}; log "$x"',
    '[ {{input.v}} -gt 5 ] && log',
    '[ -n {{input.v}} ] && log',
    '[[ {{input.v}} == *.py ]] && log',
    'case {{input.v}} in *.py) black -- {{input.v}};; esac',
    'cat <<EOF\nx\nEOF\nlog {{input.v}}',
    'log > {{input.v}}',
    'timeout 5 grep -- {{input.v}} f',
    'env A={{input.v}} log',
    "printf '%s\\n' {{input.v}} | tee log",
    'if [ -f {{input.v}} ]; then log; fi',
    'for f in {{input.v}}; do log "$f"; done',
    'find {{sandbox}} -name {{input.v}} -exec log {} \\;',
  ])('%s', (command) => {
    expect(compileTemplate(command).variables.length).toBeGreaterThan(0);
  });
});

describe('refused when it is filled in', () => {
  test.each<[string, string, Record<string, unknown>]>([
    ['log {{input.v}}', 'is not there for this call', {}],
    ['log {{result}}', 'is not there for this call', { input: {} }],
    ['log {{input.constructor}}', 'is not there for this call', { input: {} }],
    ['log {{input.constructor.name}}', 'is not there for this call', { input: {} }],
    ['log {{input.__proto__}}', 'is not there for this call', { input: {} }],
    ['log {{input.v.length}}', 'is not there for this call', { input: { v: 'secret' } }],
    ['log {{input.v.x}}', 'is not there for this call', { input: { v: null } }],
    ['log {{input.v}}', 'holds a NUL character', { input: { v: 'secret\0' } }],
    ['log {{input.v}}', 'holds half of a surrogate pair', { input: { v: 'secret\ud800' } }],
    ['log {{input.v}}', 'is no value that JSON can write', { input: { v: 5n } }],
    ['log {{input.v}}', 'is no value that JSON can write', { input: { v: undefined } }],
  ])('%s: %s', (command, problem, values) => {
    const { code, message } = refusal(() => compileTemplate(command).render(values));
    expect(code).toBe('invalid_input');
    expect(message).toContain(problem);
    expect(message).not.toContain('secret');
  });

  test('a command of 128 KiB, and none that is a byte shorter', () => {
    const { render } = compileTemplate('log {{input.v}}');
    const longest = 131_072 - "log ''".length - 1;
    expect(render({ input: { v: 'x'.repeat(longest) } })).toHaveLength(131_071);
    const { code, message } = refusal(() => render({ input: { v: `é${'x'.repeat(longest - 1)}` } }));
    expect(code).toBe('input_too_large');
    expect(message).toContain('131072 bytes');
    expect(spawnSync('/bin/sh', ['-c', render({ input: { v: 'x'.repeat(longest) } })]).error).toBeUndefined();
  });
});
