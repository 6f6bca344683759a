import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findAgent } from '@spec/agents';
import { trustStore } from '@spec/commands/trust';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { findUnknown } from '../daemon/kept-thread.ts';
import { openFolder, openHooks } from '../hook/open-hooks.ts';
import { answerUntrusted } from '../hook/refusals.ts';
import { findProjectCode } from './project-code.ts';
import { trustCode } from './trust-code.ts';

const config = `export default { policies: 'hooks' };`;
const guard = `import { defineHook } from '@spec/hooks';
export default defineHook({ hook: 'before_tool_call', id: 'no_rm', match: 'Bash', execute: async () => ({ decision: 'deny', reason: 'no' }) });`;
const agent = findAgent('claude-code');
let root: string;
const from = process.cwd();

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'spec-hooks-lost-'));
  vi.stubEnv('XDG_CONFIG_HOME', join(root, 'home'));
  mkdirSync(join(root, 'hooks'));
  write('hooks.config.mjs', config);
  write('hooks/no_rm.mjs', guard);
  process.chdir(root);
});

afterEach(() => {
  process.chdir(from);
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

function write(file: string, text: string): void {
  writeFileSync(join(root, file), text);
}

async function trust(): Promise<string> {
  const code = findProjectCode(root);
  if (code === undefined) throw new Error('there is no code');
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const { recorded, status } = await trustCode(code, trustStore(), { yes: true });
  write.mockRestore();
  return recorded ? 'recorded' : status;
}

/** What keeps the hooks from running, as every way to them sees it. */
async function findWhy(): Promise<object | undefined> {
  const folder = { scope: 'project', root } as const;
  const ways = [
    await openHooks({ ...folder, agent }),
    await openFolder(folder),
    (await findUnknown(folder)) ?? {},
  ];
  for (const way of ways) if ('close' in way && typeof way.close === 'function') await way.close();
  const refused = ways.map((way) => ('refusal' in way ? way : undefined));
  for (const one of refused) expect(one).toEqual(refused[0]);
  return refused[0];
}

const lost = { refusal: 'lost', subject: 'hooks.config.mjs' };

const moves: readonly (readonly [string, () => void, object])[] = [
  ['moved away', () => renameSync('hooks.config.mjs', 'x'), { ...lost, instead: 'hooks' }],
  [
    'moved away with the folder of hooks',
    () => {
      renameSync('hooks.config.mjs', 'x');
      renameSync('hooks', 'y');
    },
    lost,
  ],
  [
    'hidden by another',
    () => write('hooks.config.ts', 'export default {};'),
    { ...lost, instead: 'hooks.config.ts' },
  ],
];

test.each(moves)(
  'a trusted configuration that is %s is missed, in every way to the hooks',
  async (_, move, why) => {
    await trust();
    expect(await findWhy()).toBeUndefined();
    move();
    expect(await findWhy()).toEqual(why);
  },
);

test('a trusted folder of hooks that is gone, or hidden by a configuration, is missed', async () => {
  rmSync('hooks.config.mjs');
  await trust();
  renameSync('hooks', 'away');
  expect(await findWhy()).toEqual({ refusal: 'lost', subject: 'hooks' });
  renameSync('away', 'hooks');
  expect(await findWhy()).toBeUndefined();
  write('hooks.config.mjs', 'export default {};');
  expect(await findWhy()).toEqual({ refusal: 'lost', subject: 'hooks', instead: 'hooks.config.mjs' });
});

test('a nearer configuration that nobody trusts does not take the place of a trusted one above', async () => {
  await trust();
  mkdirSync('below');
  root = join(root, 'below');
  write('hooks.config.mjs', 'export default {};');
  try {
    expect(await findWhy()).toEqual({
      refusal: 'lost',
      subject: '../hooks.config.mjs',
      instead: 'hooks.config.mjs',
    });
    await trust();
    expect(await findWhy()).toBeUndefined();
  } finally {
    root = join(root, '..');
  }
});

test('who trusts what is there now lets go of what is gone', async () => {
  await trust();
  renameSync('hooks.config.mjs', 'hooks.config.js');
  expect(await trust()).toBe('recorded');
  expect(await findWhy()).toBeUndefined();
  renameSync('hooks.config.js', 'hooks.config.mjs');
  expect(await findWhy()).toEqual({ ...lost, subject: 'hooks.config.js', instead: 'hooks.config.mjs' });
});

test('trusted code that is found only because nearer code is gone waits for a person', async () => {
  renameSync('hooks.config.mjs', 'x');
  await trust();
  renameSync('x', 'hooks.config.mjs');
  await trust();
  renameSync('hooks.config.mjs', 'x');
  expect(await findWhy()).toEqual({ ...lost, instead: 'hooks' });
  expect(await trust()).toBe('trusted');
  expect(await findWhy()).toBeUndefined();
});

test('what was guarded is denied with the reason, and what a person can do', () => {
  const called = { agent, event: 'PreToolUse', scope: 'project', root } as const;
  const memory = { told: false } as never;
  const code = { refusal: 'lost', subject: 'hooks.config.mjs' } as const;
  expect(answerUntrusted(called, code, memory).stdout).toMatch(
    /"deny".*is gone: hooks\.config\.mjs\. Put it back.*spec-hooks trust --remove hooks\.config\.mjs/,
  );
  expect(answerUntrusted(called, { ...code, instead: 'hooks' }, memory).stdout).toMatch(
    /"deny".*hooks is found in place of hooks\.config\.mjs.*spec-hooks trust hooks/,
  );
});
