import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { trustStore } from '@spec/commands/trust';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { findConfig } from '../project/config.ts';
import { configuredParts } from '../project/parts.ts';
import { findProjectCode, lookAtConfiguration, lookAtParts, writeTrust } from '../trust/project-code.ts';
import { buildMod } from './build-mod.ts';
import { makeMod } from './run.ts';
import { tryMod } from './try-mod.ts';

const home = process.cwd();
let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'claude-mod-'));
  vi.stubEnv('HOME', join(folder, 'home'));
  vi.stubEnv('XDG_STATE_HOME', '');
  vi.stubEnv('XDG_CONFIG_HOME', '');
  vi.stubEnv('XDG_DATA_HOME', '');
});

afterEach(() => {
  process.chdir(home);
  vi.unstubAllEnvs();
});

type Fields = Record<string, unknown>;

/** Writes a project, has a person trust it, and makes a mod of it. */
async function bundleProject(
  files: Readonly<Record<string, string>>,
  { isTrusted = true, allowPartial = [] as string[] } = {},
): Promise<string> {
  const all = { 'hooks.config.ts': CONFIG, ...files };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  process.chdir(folder);
  if (isTrusted) await trustProject();
  return makeMod({ out: 'mod', force: true, allowPartial });
}

async function trustProject(): Promise<void> {
  const code = findProjectCode(folder);
  if (code === undefined) throw new Error('there is no project');
  const parts = configuredParts(await findConfig(folder));
  await trustStore().trust(code.subject, writeTrust(lookAtConfiguration(code), lookAtParts(parts)));
}

const CONFIG = `import { defineConfig } from '@spec/cli';
export default defineConfig({ policies: './hooks' });
`;

const hook = (name: string, id: string, body: string): string => `import { defineHook } from '@spec/hooks';
export default defineHook({ hook: '${name}', id: '${id}', execute: async (state: any, a: any, b: any) => { ${body} } });
`;

/** What a mod of Claude Code finds around it, and nothing else. */
const globals = {
  ...{ AbortController, AbortSignal, TextEncoder, TextDecoder, URL, URLSearchParams },
  ...{ atob, btoa, structuredClone, crypto, performance },
};

type Handler = ($: object, e: Fields, next: Next) => Promise<Fields>;
type Next = ((e: Fields) => Promise<Fields>) & { readonly called?: boolean };

/** Loads the files of a mod as Claude Code does, in its names alone, and answers its events. */
async function loadMod(): Promise<
  (event: string, e: Fields, core?: (e: Fields) => Fields) => Promise<Fields>
> {
  const { outputFiles } = await build({
    ...{ entryPoints: [join(folder, 'mod/hooks/register.mjs')], bundle: true, write: false },
    ...{ format: 'iife', globalName: 'loaded', platform: 'neutral' },
  });
  const context = createContext({ ...globals }, { codeGeneration: { strings: false, wasm: false } });
  const register = runInContext(`${outputFiles[0]?.text}\nloaded.register`, context);
  const rows: { event: string; doors?: readonly string[]; hook: Handler; caught?: Handler }[] = [];
  register((event: string, ...[matcher, hook]: [object, Handler]) => {
    const row: (typeof rows)[number] =
      hook === undefined
        ? { event, hook: matcher as unknown as Handler }
        : { event, doors: (matcher as { door: string[] }).door, hook };
    rows.push(row);
    return { catch: (caught: Handler) => (row.caught = caught) };
  });
  return async (event, e, core = () => ({})) => {
    const row = rows.find((one) => one.event === event && (one.doors?.includes(String(e.door)) ?? true));
    return row === undefined ? core(e) : runRow(row, e, core);
  };
}

const engine = { session: { id: async () => 's1', cwd: async () => folder } };

/** Ten seconds of its own are what Claude Code gives a hook; here, less. */
const BUDGET = 500;

async function runRow(
  { hook, caught }: { readonly hook: Handler; readonly caught?: Handler },
  e: Fields,
  core: (e: Fields) => Fields,
): Promise<Fields> {
  let called: Promise<Fields> | undefined;
  const next = async (given: Fields): Promise<Fields> => (called ??= Promise.resolve(core(given)));
  const late = new Promise<never>((_, reject) => setTimeout(() => reject(new Error('overran')), BUDGET));
  try {
    return await Promise.race([hook(engine, e, next), late]);
  } catch {
    if (caught === undefined) return next(e);
    return caught(engine, e, Object.assign(next, { called: called !== undefined }));
  }
}

const call = (command: string): Fields => ({ tool: 'Bash', tool_use_id: 't1', command });

describe('a mod of Claude Code', () => {
  test('denies, asks, rewrites and adds context as the hooks say, without Node', async () => {
    await bundleProject({
      'hooks/guard.ts': hook(
        'before_tool_call',
        'guard',
        `const { command } = JSON.parse(a.function.arguments);
         if (command === 'deny') return { decision: 'deny', reason: 'No.' };
         if (command === 'ask') return { decision: 'ask', reason: 'Sure?' };
         if (command === 'rewrite') return { input: { command: 'safe' } };
         if (command === 'allow') return { decision: 'allow' };
         if (command === 'context') return { context: 'Mind the gap.' };
         return null;`,
      ),
    });
    const ask = await loadMod();
    const event = 'classic.PreToolUse';
    expect(await ask(event, call('ls'))).toEqual({});
    expect(await ask(event, call('deny'))).toEqual({ deny: expect.stringContaining('No.') });
    expect(await ask(event, call('ask'))).toEqual({ ask: expect.stringContaining('Sure?') });
    expect(await ask(event, call('allow'))).toEqual({ allow: true });
    expect(await ask(event, call('allow'), () => ({ deny: 'a rule says so' }))).toEqual({
      deny: 'a rule says so',
    });
    expect(await ask(event, call('ask'), () => ({ allow: true }))).toEqual({
      ask: expect.stringContaining('Sure?'),
    });
    expect(await ask(event, call('context'))).toEqual({ additionalContext: ['Mind the gap.'] });
    const seen: Fields[] = [];
    expect(
      await ask(event, call('rewrite'), (e) => {
        seen.push(e);
        return {};
      }),
    ).toEqual({ updatedInput: { command: 'safe' } });
    expect(seen).toEqual([{ tool: 'Bash', tool_use_id: 't1', command: 'safe' }]);
  });

  test('denies when a guard throws, hangs or never answers', async () => {
    const text = hook('before_tool_call', 'guard', 'await new Promise(() => {});');
    await bundleProject({ 'hooks/guard.ts': text.replace("id: 'guard'", "id: 'guard', timeout: '1h'") });
    const ask = await loadMod();
    expect(await ask('classic.PreToolUse', call('ls'))).toEqual({
      deny: expect.stringMatching(/Nobody has judged this.*switch the plugin spec-hooks off/),
    });
    await bundleProject({ 'hooks/guard.ts': hook('before_tool_call', 'guard', `throw new Error('x');`) });
    expect(await (await loadMod())('classic.PreToolUse', call('ls'))).toEqual({ deny: expect.any(String) });
  });

  test('ends a hook at its own limit, by the timers that a mod has', async () => {
    const text = hook('before_tool_call', 'guard', 'await new Promise(() => {});');
    await bundleProject({ 'hooks/guard.ts': text.replace("id: 'guard'", "id: 'guard', timeout: '20ms'") });
    expect(await (await loadMod())('classic.PreToolUse', call('ls'))).toEqual({
      deny: expect.stringContaining('guard'),
    });
  });

  test('rewrites and refuses prompts, and changes the system message', async () => {
    await bundleProject(
      {
        'hooks/prompt.ts': hook(
          'before_user_message',
          'prompt',
          `return a.content === 'bad' ? { decision: 'deny', reason: 'Not that.' } : { input: 'better', context: 'More.' };`,
        ),
        'hooks/system.ts': hook('after_system_message', 'system', `return a + ' And mine.';`),
      },
      { allowPartial: ['system'] },
    );
    const ask = await loadMod();
    const prompt = { text: 'bad', origin: { kind: 'composer' }, wait: false };
    expect(await ask('prompt.submit', prompt, (e) => e)).toEqual({
      drop: expect.stringContaining('Not that.'),
    });
    expect(await ask('prompt.submit', { ...prompt, text: 'x' }, (e) => e)).toMatchObject({
      text: 'better',
      context: ['More.'],
    });
    const sections = [{ id: 'intro', text: 'Theirs.', scope: 'shared' }];
    expect(await ask('prompt.compose', { model: 'm' }, () => ({ sections }))).toEqual({
      sections: [...sections, { id: 'spec-hooks:system', text: ' And mine.', scope: 'session' }],
    });
  });

  test('changes results before they are stored, those of failures too, and withholds what it cannot judge', async () => {
    await bundleProject({
      'hooks/redact.ts': `import { defineHook } from '@spec/hooks';
export default defineHook({ hook: 'before_store_tool_result', id: 'redact', match: 'Bash',
  execute: async (_: any, call: any, result: any) =>
    result.status === 'error' ? { ...result, error: 'hidden' } : { ...result, result: result.result.replace('secret', '***') } });
`,
    });
    const ask = await loadMod();
    const pass = (door: string, content: unknown): Promise<Fields> =>
      ask('session.append', { door, message: { role: 'user', content } }, (e) => e);
    await pass('response', [{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'cat' } }]);
    const block = { type: 'tool_result', tool_use_id: 't1', content: 'the secret' };
    expect(await pass('tool-result', [block])).toMatchObject({
      message: { content: [{ tool_use_id: 't1', content: [{ type: 'text', text: 'the ***' }] }] },
    });
    expect(await pass('tool-result', [block])).toMatchObject({
      message: { content: [{ content: [{ text: expect.stringContaining('withheld') }], is_error: true }] },
    });
    await pass('response', [{ type: 'tool_use', id: 't1', name: 'Bash', input: {} }]);
    expect(await pass('tool-result', [{ ...block, is_error: true }])).toMatchObject({
      message: { content: [{ content: [{ text: 'hidden' }], is_error: true }] },
    });
  });

  test('keeps a turn going, refuses compaction, and tells of sessions', async () => {
    await bundleProject({
      'hooks/stop.ts': hook('before_stop', 'stop', `return { keepGoing: 'Run the tests.' };`),
      'hooks/compact.ts': hook(
        'before_compaction',
        'compact',
        `return { decision: 'deny', reason: String(a.messageCount) };`,
      ),
      'hooks/start.ts': hook('after_session_started', 'start', `return a.sessionId;`),
    });
    const ask = await loadMod();
    const base = { session_id: 's1', cwd: folder };
    expect(await ask('classic.Stop', { ...base, stop_hook_active: false })).toEqual({
      block: expect.stringContaining('Run the tests.'),
    });
    expect(await ask('session.compact', { trigger: 'auto', messages: [{}, {}] })).toEqual({
      skip: expect.stringContaining('2'),
    });
    expect(await ask('classic.SessionStart', { ...base, source: 'startup' })).toEqual({
      additionalContext: ['s1'],
    });
  });

  test('names the modules that need Node, and the parts that no mod can run', async () => {
    const fine = hook('before_tool_call', 'fine', 'return null;');
    const refusal = (files: Readonly<Record<string, string>>): Promise<string> =>
      bundleProject({ 'hooks/fine.ts': fine, ...files }).then(
        () => 'made',
        (error: Error) => error.message,
      );
    const reads = `import { readFileSync } from 'node:fs';\nexport const read = () => readFileSync('x', 'utf8');\n`;
    expect(
      await refusal({
        'hooks/_read.ts': reads,
        'hooks/node.ts': `import { read } from './_read.ts';\n${hook('before_tool_call', 'node', 'read(); return null;')}`,
      }),
    ).toContain('hooks/_read.ts needs node:fs');
    writeFileSync(join(folder, 'hooks/_read.ts'), 'export const read = () => process.env.HOME;\n');
    await trustProject();
    await expect(makeMod({ out: 'mod', force: true })).rejects.toThrow('hooks/_read.ts needs process');
    writeFileSync(join(folder, 'hooks/_read.ts'), 'export const read = () => 1;\n');
    folder = mkdtempSync(join(tmpdir(), 'claude-mod-'));
    const withRules = CONFIG.replace('})', ", rules: 'rules.yaml' })");
    expect(await refusal({ 'hooks.config.ts': withRules, 'rules.yaml': 'rules: []\n' })).toContain(
      'rules.yaml',
    );
  });

  test('imports nothing that nobody has trusted', async () => {
    const text = `globalThis.wasImported = true;\n${hook('before_tool_call', 'guard', 'return null;')}`;
    await expect(bundleProject({ 'hooks/guard.ts': text }, { isTrusted: false })).rejects.toThrow(
      'is not trusted yet',
    );
    expect('wasImported' in globalThis).toBe(false);
  });

  test('makes the same files of the same hooks, wherever the project stands', async () => {
    const files = { 'hooks/guard.ts': hook('before_tool_call', 'guard', 'return null;') };
    const read = (): Readonly<Record<string, string>> =>
      Object.fromEntries(
        readdirSync('mod', { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name), 'utf8')]),
      );
    await bundleProject(files);
    const first = read();
    folder = mkdtempSync(join(tmpdir(), 'claude-mod-elsewhere-and-longer-'));
    await bundleProject(files);
    expect(read()).toEqual(first);
    expect(Object.keys(first).sort()).toEqual([
      'hooks.json',
      'plugin.json',
      'register.mjs',
      'spec-hooks.mjs',
    ]);
    expect(JSON.stringify(first)).not.toContain(tmpdir());
    // Claude Code takes `on` and `$` only where they are written out.
    expect(first['register.mjs']).not.toMatch(/\$(?!\.session\.(?:id|cwd)\(\)|, e, next\))/);
  });

  test('takes hooks that stand in the configuration', async () => {
    const config = `import { defineConfig } from '@spec/cli';
import { defineHook } from '@spec/hooks';
const own = defineHook({ hook: 'before_tool_call', id: 'own', execute: async () => null });
export default defineConfig({ policies: [own, './hooks'] });
`;
    const path = join(folder, 'hooks.config.ts');
    writeFileSync(path, config);
    const source = { hooks: [], policies: [path], config: path };
    const { forTrial } = await buildMod(source, { root: folder, allowPartial: [] });
    expect(() => tryMod(forTrial, [{ id: 'own' }])).not.toThrow();
    expect(() => tryMod(forTrial, [{ id: 'other' }])).toThrow('would be without the hook "other"');
    expect(() => tryMod('process.exit();', [])).toThrow('process is not defined');
  });
});
