import { describe, expect, test } from 'vitest';
import { projectFolder } from './project-folder.ts';
import { hasTerminal, runOnTerminal } from './run-on-terminal.ts';

const HIDDEN = '\u001b[?25l';
const SHOWN = '\u001b[?25h';

const talk = (id: string): object => ({
  id,
  messages: [
    { role: 'user', content: 'Hello.' },
    { role: 'assistant', content: 'Welcome back!' },
  ],
});

const files = {
  'few.jsonl': [talk('a'), talk('b')].map((one) => JSON.stringify(one)).join('\n'),
  'many.jsonl': Array.from({ length: 2_000 }, (_, i) => JSON.stringify(talk(`t${i}`))).join('\n'),
  'bad.jsonl': '{"format":"spec-thread","version":1}\nno line of an export\n',
  'hooks/loud.ts': `import { defineHook } from '@spec/hooks';
export default defineHook({ hook: 'before_create_message', id: 'loud', execute: async (_state, message) => {
  process.stdout.write('a hook ');
  process.stdout.write('');
  process.stdout.write(Buffer.from('says '));
  await new Promise((resolve) => process.stdout.write(message.role + '\\n', resolve));
  return message;
} });`,
  'cases.yaml': `cases: [{ event: PreToolUse, expect: { decision: none } }]\n`,
  'subject.mjs': `const stored = [];
export default { name: 'hardly', abilities: [], open: async () => ({
  threadId: 't',
  send: async () => ({ status: 'completed', text: null }),
  messages: async () => stored,
  sent: () => [],
  close: async () => {},
}) };`,
};

/** What a terminal is left with: whole lines, and a cursor. */
function expectTidy({ raw, screen }: { readonly raw: string; readonly screen: string }): void {
  expect(raw.lastIndexOf(SHOWN)).toBeGreaterThanOrEqual(raw.lastIndexOf(HIDDEN));
  expect(screen).not.toMatch(/[━─]|\d%/);
}

describe.runIf(hasTerminal)('on a terminal', { timeout: 120_000 }, () => {
  test('replay, export, import, backup and vacuum say what goes on, and leave nothing of it', async () => {
    const { path: cwd } = projectFolder(files);
    const replayed = await runOnTerminal('replay few.jsonl --hooks hooks --db t.db', { cwd });
    expect(replayed.raw).toMatch(/━ 100% {2}2 conversations {2}\d+s/);
    expect(replayed.screen).toMatch(/^a hook says user\na hook says assistant\n/);
    expectTidy(replayed);
    const steps: readonly [string, RegExp][] = [
      ['export a --db t.db --output a.jsonl', /Exporting a {2}\d+ lines {2}\d+s/],
      ['export b --db t.db > b.jsonl', /Exporting b {2}\d+ lines {2}\d+s/],
      ['import a.jsonl --db other.db', /━ 100% {2}[\d,]+ bytes {2}\d+s/],
      ['import - --db other.db < b.jsonl', /Importing standard input {2}[\d,]+ bytes {2}\d+s/],
      ['backup copy.db --db t.db', /Copying t\.db \([\d,]+ bytes\) to copy\.db/],
      ['vacuum --db t.db', /Writing t\.db \([\d,]+ bytes\) anew/],
    ];
    for (const [args, progress] of steps) {
      const result = await runOnTerminal(args, { cwd });
      expect(result.raw, args).toMatch(progress);
      expect(result.screen, args).not.toMatch(progress);
      expect(result.raw, 'nothing is printed above').not.toContain('\r\u001b[K');
      expect(result.code, result.screen).toBe(0);
      expectTidy(result);
    }
    const wholeOnScreen = await runOnTerminal('export a --db t.db', { cwd });
    expect(wholeOnScreen.raw).not.toContain('Exporting');
  });

  test('conform and test count cases', async () => {
    const { path: cwd } = projectFolder(files);
    const conform = await runOnTerminal("conform subject.mjs --only 'scope.*'", { cwd });
    expect(conform.raw).toMatch(/━ 100% {2}(\d+) of \1 cases {2}\d+s/);
    expectTidy(conform);
    const tested = await runOnTerminal('test cases.yaml', { cwd });
    expect(tested.raw).toMatch(/━ 100% {2}1 of 1 case {2}\d+s/);
    expectTidy(tested);
  });

  test('an error clears it', async () => {
    const { path: cwd } = projectFolder(files);
    const bad = await runOnTerminal('import bad.jsonl --db new.db', { cwd });
    expect(bad.raw).toContain('─');
    expect(bad.screen).toMatch(/^spec-hooks: import of .+, line 2: .+\n$/);
    expect(bad.code).toBe(1);
    expectTidy(bad);
  });

  test('Ctrl-C clears it, and ends what has nothing to finish', async () => {
    const { path: cwd } = projectFolder(files);
    const conform = await runOnTerminal('conform subject.mjs', { cwd, interruptAt: ' cases ' });
    expect(conform.code).toBe(130);
    expect(conform.screen).not.toContain('conformant');
    expectTidy(conform);
    const replay = await runOnTerminal('replay many.jsonl --no-hooks --db t.db', {
      cwd,
      interruptAt: ' conversations ',
    });
    expect(replay.code).toBe(130);
    expect(replay.screen).toContain('Interrupted. Run it again with --db t.db');
    expectTidy(replay);
  });

  test('--json shows none', async () => {
    const { path: cwd } = projectFolder(files);
    for (const args of ["conform subject.mjs --only 'scope.*'", 'replay few.jsonl --no-hooks']) {
      const { raw } = await runOnTerminal(`${args} --json`, { cwd });
      expect(raw, args).toMatch(/^\{\r\n[\s\S]*\}\r\n$/);
    }
  });
});
