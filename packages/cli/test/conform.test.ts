import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type CliResult, runCli, runCliApart } from './run-cli.ts';

/** A runtime that can run one type of hook, and therefore fails nearly everything. */
const subject = `{
  name: 'hardly',
  abilities: [],
  async open({ hooks = [], promptHooks, agentHooks = [] }) {
    const named = hooks.filter(({ id, hook }) => hook === 'before_create_message' && (promptHooks ?? agentHooks).includes(id));
    const stored = [];
    return {
      threadId: 't',
      async send(content) {
        let message = { id: 'm' + stored.length, role: 'user', content, created_at: 0 };
        for (const { execute } of named) message = await execute({}, message);
        stored.push(message);
        console.log('a runtime that prints');
        return { status: 'completed', text: null };
      },
      messages: async () => stored,
      sent: () => [],
      close: async () => {},
    };
  },
}`;

const files = {
  'subject.mjs': `export default ${subject};`,
  'function.ts': `import type { Subject } from '@spec/conformance';\nexport default async (): Promise<Subject> => (${subject});`,
  'leaky.mjs': `export default ${subject.replace('abilities: [],', 'abilities: [],\n  timer: setInterval(() => {}, 1_000),')};`,
  'stray.mjs': `export default ${subject.replace('const stored', "void Promise.reject(new TypeError('sk-secret'));\n    const stored")};`,
  'throws.mjs': "throw new Error('sk-secret');",
  'broken.ts': 'export default {',
  'nothing.mjs': 'export const subject = 1;',
  'failing.mjs': "export default () => { throw new RangeError('sk-secret'); };",
  'no-open.mjs': "export default { name: 'x', abilities: [] };",
  'no-name.mjs': 'export default { open() {}, abilities: [] };',
  'ability.mjs': "export default { name: 'x', open() {}, abilities: ['update', 'teleport'] };",
  'known.json': '{ "scope.an_empty_list_of_the_agent_is_none": "why", "scope.gone": "why" }',
  'bad.json': '{ "scope.a": 5 }',
} as const;

const folder = mkdtempSync(join(tmpdir(), 'spec-hooks-conform-'));
mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);

const conform = (...args: string[]): Promise<CliResult> => runCli(['conform', ...args], { cwd: folder });

const harmless = 'scope.without_any_list_no_hooks_run';
const wanting = 'before_create_message.is_used_for_insertion';

describe.concurrent('spec-hooks conform MODULE', { timeout: 60_000 }, () => {
  test('says what failed, and why', async () => {
    const { code, stdout, stderr } = await conform('subject.mjs', '--only', wanting);
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout).toContain(`failed  ${wanting}  MUST, spec 4.1`);
    expect(stdout).toContain('What the hook returns is what is stored');
    expect(stdout).toContain('hardly\nnot conformant: 0 of 1 · MUST 0/1');
  });

  test('ends with 0 where nothing failed; the module may be TypeScript and a function', async () => {
    const { code, stdout, stderr } = await conform('function.ts', '--only', harmless);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /\nhardly\nonly a part was judged, and is conformant: 1 of 1 · MUST 1\/1 · not judged \d{3,}\n$/,
    );
  });

  test('--json is JSON alone, whatever the runtime prints', async () => {
    const { code, stdout } = await conform('subject.mjs', '--json', '--only', 'scope.*');
    const { ok, summary, verdicts, notJudged } = JSON.parse(stdout);
    expect([code, ok]).toEqual([1, false]);
    expect(summary).toMatch(/^not conformant: /);
    expect(notJudged).toBeGreaterThan(verdicts.length);
    expect(verdicts.find(({ id }: { id: string }) => id === harmless)).toMatchObject({
      outcome: 'passed',
      level: 'MUST',
    });
  });

  test('--markdown is a page', async () => {
    const { code, stdout } = await conform('subject.mjs', '--markdown', '--only', wanting);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^# Conformance of hardly\n\n\*\*not conformant: 0 of 1/);
    expect(stdout).toContain(`| ${wanting} | MUST | spec 4.1 |`);
  });

  test('a baseline that is stale fails', async () => {
    const { code, stdout } = await conform(
      'subject.mjs',
      '--baseline',
      'known.json',
      '--only',
      'scope.an_empty_list_of_the_agent_is_none',
    );
    expect(code).toBe(1);
    expect(stdout).toContain('stale  scope.an_empty_list_of_the_agent_is_none');
    expect(stdout).toContain('stale  scope.gone\n  No case has this id');
  });

  test('what a runtime leaves running does not keep the command', async () => {
    const started = performance.now();
    expect((await conform('leaky.mjs', '--only', harmless)).code).toBe(0);
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  test('what a runtime throws where nobody can catch it is told, without its text', async () => {
    const { code, stderr } = await runCliApart(['conform', 'stray.mjs', '--only', harmless], { cwd: folder });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^spec-hooks: 2 error\(s\) came up where nobody could catch them: TypeError at .*stray\.mjs:\d+:\d+\.\n$/,
    );
  });

  test.each([
    ['missing.mjs', [], /^spec-hooks: missing\.mjs does not exist\.\n$/],
    ['throws.mjs', [], /^spec-hooks: throws\.mjs throws when it is imported: Error at .*throws\.mjs:1\.\n$/],
    ['broken.ts', [], /^spec-hooks: broken\.ts does not parse at \d+:\d+: .*\n$/],
    [
      'nothing.mjs',
      [],
      /^spec-hooks: nothing\.mjs has no subject as its default export: \{ name, abilities, open \}\.\n$/,
    ],
    [
      'failing.mjs',
      [],
      /^spec-hooks: failing\.mjs exports a function that failed: RangeError at .*failing\.mjs:1:\d+\.\n$/,
    ],
    ['no-open.mjs', [], /^spec-hooks: no-open\.mjs exports a subject without the function "open"\.\n$/],
    ['no-name.mjs', [], /^spec-hooks: no-name\.mjs exports a subject without a name\.\n$/],
    [
      'ability.mjs',
      [],
      /^spec-hooks: ability\.mjs exports a subject with the ability "teleport"; there are control, .*\.\n$/,
    ],
    [
      'subject.mjs',
      ['--baseline', 'gone.json'],
      /^spec-hooks: There is no file gone\.json: give the file of a baseline\.\n$/,
    ],
    [
      'subject.mjs',
      ['--baseline', 'bad.json'],
      /^spec-hooks: The baseline gives no reason for "scope\.a": .*\.\n$/,
    ],
  ])('%s %j: one sentence, exit code 1', async (module, flags, sentence) => {
    const { code, stdout, stderr } = await conform(module, ...flags);
    expect(stderr).toMatch(sentence);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  });

  test.each([
    ['--only', 'nothing.*', 'No case has the id or the topic "nothing.*".'],
    ['--concurrency', 'many', '"concurrency" must be a whole number from 1, not NaN.'],
    ['--concurrency', '0', '"concurrency" must be a whole number from 1, not 0.'],
  ])('%s %s is wrong usage', async (flag, value, sentence) => {
    const result = await conform('subject.mjs', flag, value);
    expect(result).toEqual({ code: 2, stdout: '', stderr: `spec-hooks: ${sentence}\n` });
  });

  test('without a module it says how', async () => {
    const { code, stdout, stderr } = await conform();
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe(
      'spec-hooks: MODULE is missing: name the module that exports the subject, or give --list to see the cases.\n',
    );
  });

  test('--list prints the chosen cases, without a module', async () => {
    const { code, stdout, stderr } = await conform('--list', '--only', harmless);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(
      `${harmless}  MUST, spec 1.3\n  Where neither the prompt nor the agent declares hooks, none run.\n`,
    );
  });

  test('--list --json is the list for machines', async () => {
    const { code, stdout } = await conform('--list', '--json', '--only', 'state.*');
    const listed = JSON.parse(stdout) as readonly Record<string, unknown>[];
    expect(code).toBe(0);
    expect(listed.length).toBeGreaterThan(2);
    for (const one of listed)
      expect(Object.keys(one)).toEqual(['id', 'section', 'level', 'says', 'needs', 'hooks']);
  });
});
