import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { hookModule, type TemporaryFolder, temporaryFolder } from '../../test/temporary-folder.ts';
import { type AnyHook, createRegistry, type DefinitionError } from '../index.ts';
import { type HookWatch, loadHooks } from './load-hooks.ts';

interface Watching extends TemporaryFolder {
  readonly watch: HookWatch;
  /** What happened: the ids of a new set, or why it was refused. */
  readonly heard: string[];
  /** Waits for the next thing that happens. */
  next(): Promise<string>;
}

const ids = (hooks: readonly AnyHook[]) => hooks.map(({ id }) => id).join(' ');

async function watching(
  files: Readonly<Record<string, string>>,
  { interval = 20, onSwap = (_hooks: readonly AnyHook[]) => {} } = {},
): Promise<Watching> {
  const folder = temporaryFolder(files);
  const heard: string[] = [];
  let told = 0;
  const watch = await loadHooks(folder.path, {
    watch: true,
    interval,
    async onSwap(hooks) {
      onSwap(hooks);
      heard.push(ids(hooks));
    },
    onRefused: ({ message }: DefinitionError) => heard.push(message.replaceAll(folder.path, 'FOLDER')),
  });
  onTestFinished(() => watch.close());
  const next = async () => {
    await expect.poll(() => heard.length, { timeout: 5_000, interval: 5 }).toBeGreaterThan(told);
    return heard[told++] as string;
  };
  return { ...folder, watch, heard, next };
}

/** Longer than a change takes to be taken. */
const QUIET_MS = 150;

describe('watch', () => {
  test('takes files that are written, replaced, added, renamed and removed', async () => {
    const { watch, write, replace, remove, next, heard } = await watching({ 'a.ts': hookModule('a1') });
    expect(ids(watch.hooks)).toBe('a1');
    write('a.ts', hookModule('a2'));
    expect(await next()).toBe('a2');
    replace('a.ts', hookModule('a3'));
    expect(await next()).toBe('a3');
    write('sub/b.mts', hookModule('b1'));
    expect(await next()).toBe('a3 b1');
    remove('a.ts');
    expect(await next()).toBe('b1');
    expect(ids(watch.hooks)).toBe('b1');
    await delay(QUIET_MS);
    expect(heard).toHaveLength(4);
  });

  test('takes changes of what the modules import: helpers in the folder and outside, JSON, through links', async () => {
    const outside = temporaryFolder({ 'far.ts': "export const far = 'f1';" });
    const { write, link, next } = await watching({
      '_near.ts': "export const near = 'n1';",
      'data.json': '{ "d": "d1" }',
      'a.ts': `import { defineHook } from '@spec/hooks';
        import { far } from '${outside.path}/far.ts';
        import { near } from './_near.ts';
        import data from './data.json';
        const id = [near, far, data.d].join('_');
        export default defineHook({ hook: 'after_thread_created', id, execute: async () => {} });`,
    });
    write('_near.ts', "export const near = 'n2';");
    expect(await next()).toBe('n2_f1_d1');
    outside.write('far.ts', "export const far = 'f2';");
    expect(await next()).toBe('n2_f2_d1');
    write('data.json', '{ "d": "d2" }');
    expect(await next()).toBe('n2_f2_d2');
    outside.write('linked.ts', hookModule('linked1'));
    link('b.ts', join(outside.path, 'linked.ts'));
    expect(await next()).toBe('n2_f2_d2 linked1');
    outside.replace('linked.ts', hookModule('linked2'));
    expect(await next()).toBe('n2_f2_d2 linked2');
  });

  test('keeps the old set while the new one is bad, says so once, and takes it when it is good', async () => {
    const { watch, write, next, heard } = await watching({
      'a.ts': hookModule('a'),
      'b.ts': hookModule('b'),
    });
    write('a.ts', 'export default {');
    expect(await next()).toBe(
      'A hook module in FOLDER cannot be used, so no hook was loaded:\n  a.ts: does not parse at 1:17: Unexpected token',
    );
    expect(ids(watch.hooks)).toBe('a b');
    await delay(QUIET_MS);
    expect(heard).toHaveLength(1);
    write('b.ts', hookModule('b2'));
    expect(await next()).toContain('a.ts: does not parse');
    expect(ids(watch.hooks)).toBe('a b');
    write('a.ts', hookModule('a2'));
    expect(await next()).toBe('a2 b2');
  });

  test('keeps the old set when the folder is emptied or gone', async () => {
    const { watch, path, write, remove, next } = await watching({ 'a.ts': hookModule('a') });
    remove('a.ts');
    expect(await next()).toContain('The folder of hooks FOLDER has no hook modules');
    remove('.');
    expect(existsSync(path)).toBe(false);
    expect(await next()).toBe('The folder of hooks FOLDER does not exist.');
    expect(ids(watch.hooks)).toBe('a');
    write('a.ts', hookModule('a2'));
    expect(await next()).toBe('a2');
  });

  test('takes a change of a module outside that comes while the modules are being read', async () => {
    const outside = temporaryFolder({ 'far.ts': "export const far = 'f1';" });
    const at = (name: string) => join(outside.path, name);
    const reading = (body: string) => `import { existsSync, writeFileSync } from 'node:fs';
      import { defineHook } from '@spec/hooks';
      import { far } from '${at('far.ts')}';
      ${body}
      export default defineHook({ hook: 'after_thread_created', id: far, execute: async () => {} });`;
    const { write, next } = await watching({ 'a.ts': reading('') });
    write(
      'a.ts',
      reading(`writeFileSync('${at('begun')}', '');
        while (!existsSync('${at('go')}')) await new Promise((resolve) => setTimeout(resolve, 5));`),
    );
    await expect.poll(() => existsSync(at('begun')), { timeout: 5_000 }).toBe(true);
    outside.write('far.ts', "export const far = 'f2';");
    outside.write('go', '');
    expect(await next()).toBe('f1');
    expect(await next()).toBe('f2');
  });

  test('follows a link to the folder that is led elsewhere, and a file outside that is removed and made again', async () => {
    const versions = temporaryFolder({ 'v1/a.ts': hookModule('v1'), 'v2/a.ts': hookModule('v2') });
    const outside = temporaryFolder({ 'far/id.ts': "export const id = 'f1';" });
    const far = join(outside.path, 'far/id.ts');
    const { link, remove, next } = await watching(
      { 'z.ts': hookModule('z').replace("'z'", 'id').replace(/^/, `import { id } from '${far}';\n`) },
      {},
    );
    link('deployed', join(versions.path, 'v1'));
    expect(await next()).toBe('v1 f1');
    remove('deployed');
    link('deployed', join(versions.path, 'v2'));
    expect(await next()).toBe('v2 f1');
    outside.remove('far');
    expect(await next()).toContain('z.ts');
    outside.write('far/id.ts', "export const id = 'f2';");
    expect(await next()).toBe('v2 f2');
  });

  test('swaps a registry all or nothing', async () => {
    const registry = createRegistry({ hooks: await loadNamed('builtin') });
    const { watch, write, next } = await watching(
      { 'a.ts': hookModule('a') },
      { onSwap: (policies) => registry.swap({ policies }) },
    );
    registry.swap({ policies: watch.hooks });
    write('a.ts', hookModule('builtin'));
    expect(await next()).toContain('"builtin"');
    expect(ids(registry.policies)).toBe('a');
    expect(ids(watch.hooks)).toBe('a');
    write('a.ts', hookModule('a2'));
    expect(await next()).toBe('a2');
    expect(ids(registry.policies)).toBe('a2');
  });

  test('a listener that throws anything refuses the set, and what it threw is not told', async () => {
    const { watch, write, next } = await watching(
      { 'a.ts': hookModule('a') },
      {
        onSwap() {
          throw new TypeError('sk_live_1234');
        },
      },
    );
    write('a.ts', hookModule('a2'));
    expect(await next()).toMatch(
      /^onSwap did not take the new hooks: TypeError at node\/watch-source\.test\.ts:\d+:\d+\.$/,
    );
    expect(ids(watch.hooks)).toBe('a');
  });

  test('takes nothing half written', async () => {
    const { write, next, heard } = await watching({ 'a.ts': hookModule('a') }, { interval: 150 });
    const text = hookModule('a2');
    for (let end = 0; end < text.length; end += 5) {
      write('a.ts', text.slice(0, end));
      await delay(15);
    }
    write('a.ts', text);
    expect(await next()).toBe('a2');
    expect(heard).toEqual(['a2']);
  });

  test('says that JavaScript needs a restart, instead of going on with the old module', async () => {
    const { watch, write, remove, next } = await watching({
      'package.json': '{ "type": "module" }',
      'a.js': "export { default } from './_b.js';",
      '_b.js': 'export default [];',
    });
    write('_b.js', 'export default [1];');
    const restart =
      'changed, but Node keeps JavaScript modules as they were first imported. Restart the process, or let it be TypeScript (.ts, .mts), which is read again.';
    expect(await next()).toBe(`_b.js ${restart}`);
    write('a.js', "import b from './_b.js'; export default [...b];");
    expect(await next()).toBe(`a.js, _b.js ${restart}`);
    expect(ids(watch.hooks)).toBe('');
    remove('a.js');
    write('a.ts', hookModule('a'));
    remove('_b.js');
    expect(await next()).toBe('a');
  });

  test('after close nothing is heard, also of a change that was being read', async () => {
    const { watch, write, heard } = await watching({ 'a.ts': hookModule('a') });
    write('a.ts', `await new Promise((resolve) => setTimeout(resolve, 200));\n${hookModule('a2')}`);
    await delay(100);
    await watch.close();
    write('a.ts', hookModule('a3'));
    await delay(QUIET_MS);
    expect(heard).toEqual([]);
    expect(ids(watch.hooks)).toBe('a');
  });

  test('rejects where there is no good set to begin with', async () => {
    const { path } = temporaryFolder({ 'a.ts': '' });
    const listeners = { onSwap: () => {}, onRefused: () => {} };
    await expect(loadHooks(path, { watch: true, ...listeners })).rejects.toThrow(
      'a.ts: has no default export',
    );
    await expect(loadHooks(path, { watch: true, interval: 0, ...listeners })).rejects.toThrow(
      'interval must be a duration between',
    );
  });

  test('keeps the process alive until it is closed', async () => {
    const { path } = temporaryFolder({ 'a.ts': hookModule('a') });
    const script = `import { loadHooks } from '@spec/hooks/node';
      const watch = await loadHooks(process.argv[1], { watch: true, interval: '10m', onSwap() {}, onRefused() {} });
      setTimeout(() => { console.log('alive'); watch.close(); }, 300).unref();`;
    const tsx = import.meta.resolve('tsx');
    const flags = ['--conditions=@spec/source', '--import', tsx, '--input-type=module', '-e', script, path];
    const cwd = join(import.meta.dirname, '../..');
    const { stdout } = await promisify(execFile)(process.execPath, flags, { cwd, timeout: 15_000 });
    expect(stdout).toBe('alive\n');
  }, 20_000);
});

async function loadNamed(id: string): Promise<AnyHook[]> {
  return loadHooks(temporaryFolder({ [`${id}.ts`]: hookModule(id) }).path);
}
