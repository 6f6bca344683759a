import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hookFiles } from '../../packages/cli/src/new/templates.ts';
import { type ProjectFolder, projectFolder } from '../../packages/cli/test/project-folder.ts';
import { type LifecycleName, lifecycleTable } from '../../packages/hooks/src/index.ts';
import { createHookJudge, type JudgedHooks } from './judged-hooks.ts';

const root = join(import.meta.dirname, '../..');
const packages = join(root, 'packages');

/** Lets the modules of a project find the packages of this checkout. */
function withPackages(project: ProjectFolder): ProjectFolder {
  const scope = join(project.path, 'node_modules/@spec');
  mkdirSync(scope, { recursive: true });
  for (const name of ['hooks', 'cli']) symlinkSync(join(packages, name), join(scope, name));
  return project;
}

/** In one process: to start one for each file takes longer than all tests. */
function runTests({ path }: ProjectFolder, files: readonly string[]): string {
  writeFileSync(join(path, 'all.test.ts'), files.map((file) => `import './${file}';\n`).join(''));
  const flags = ['--import', import.meta.resolve('tsx'), '--test', 'all.test.ts'];
  return execFileSync(process.execPath, flags, { cwd: path, encoding: 'utf8' });
}

/** Runs the hooks on a conversation with tool calls, errors and no content. */
function judgeHooks({ path }: ProjectFolder, ids: readonly string[]): JudgedHooks {
  const { nodeArgs, env, read } = createHookJudge();
  const program = ids.map((id) => `import './hooks/${id}.ts';\n`).join('');
  writeFileSync(join(path, 'all.ts'), program);
  const flags = [...nodeArgs, '--import', import.meta.resolve('tsx'), 'all.ts'];
  execFileSync(process.execPath, flags, { cwd: path, env: { ...process.env, ...env } });
  return read();
}

function typeCheck({ path }: ProjectFolder): void {
  const options = {
    extends: join(root, 'tsconfig.base.json'),
    compilerOptions: {
      isolatedDeclarations: false,
      typeRoots: [join(root, 'node_modules/@types')],
      lib: ['ES2024'],
    },
    include: ['hooks', 'hooks.config.ts'],
  };
  writeFileSync(join(path, 'tsconfig.json'), JSON.stringify(options));
  const compiler = join(root, 'node_modules/typescript-native/bin/tsc');
  execFileSync(process.execPath, [compiler, '-p', path], { encoding: 'utf8', stdio: 'pipe' });
}

describe('spec-hooks init and new', { timeout: 120_000 }, () => {
  test('write a project whose hooks are typed, loaded and tested', async () => {
    const project = withPackages(
      projectFolder({ 'package.json': { type: 'module' }, 'hub.json': { hooks: {} } }),
    );
    const { code, stdout } = await project.cli(['init']);
    expect(code).toBe(0);
    const hook = 'hooks/limit-to-20-messages';
    const written = [`${hook}.ts`, `${hook}.test.ts`, `${hook}.hooks.yaml`, 'tsconfig.json'];
    expect(stdout).toContain(`Written: hooks.config.ts, ${written.join(', ')}\n`);
    expect(project.read('hooks.config.ts')).toContain(`settings: ['hub.json'],`);
    const made = await project.json(['new', 'before_tool_call', 'deny_force_push']);
    const names = ['hooks/deny-force-push.ts', 'hooks/deny-force-push.test.ts'];
    expect(made).toEqual({ code: 0, hook: 'before_tool_call', id: 'deny_force_push', files: names });
    const { hooks } = await project.json<{ hooks: { id: string }[] }>(['list']);
    expect(hooks.map(({ id }) => id)).toEqual(['limit_to_20_messages', 'deny_force_push']);
    for (const hook of Object.keys(lifecycleTable) as LifecycleName[])
      for (const { path, text } of hookFiles({
        hook,
        id: `my_${hook}`,
        folder: 'hooks',
        runner: 'node',
        extension: 'ts',
      }))
        writeFileSync(join(project.path, path), text);
    typeCheck(project);
    const ids = [
      'limit-to-20-messages',
      ...Object.keys(lifecycleTable).map((name) => `my-${name.replaceAll('_', '-')}`),
    ];
    const output = runTests(
      project,
      ids.map((id) => `hooks/${id}.test.ts`),
    );
    expect(output).toMatch(new RegExp(`^# pass ${ids.length}$`, 'm'));
    expect(judgeHooks(project, ids)).toEqual({ count: ids.length, problems: [] });
  });

  test('write tests for the runner that the project has', async () => {
    const devDependencies = { vitest: '^4.0.0' };
    const project = projectFolder({ 'package.json': { type: 'module', devDependencies } });
    await project.cli(['new', 'filter_messages', 'last_5', '--dir', 'policies']);
    expect(
      project.read('policies/last-5.test.ts'),
    ).toBe(`import { runHook, userMessage } from '@spec/hooks/testing';
import { expect, test } from 'vitest';
import hook from './last-5.js';

test('last_5 runs, and changes nothing yet', async () => {
  const { run } = await runHook(hook, [userMessage('Hello.')]);
  expect(run.outcome).toEqual('ok');
});
`);
  });

  test('overwrite nothing, and take no id twice', async () => {
    const project = projectFolder({
      'package.json': { type: 'module' },
      'hooks.config.ts': 'export default {};',
    });
    expect(await project.cli(['init'])).toMatchObject({
      code: 1,
      stderr: 'spec-hooks: hooks.config.ts: there already. Nothing was written; add --force to write over.\n',
    });
    expect(project.has('hooks')).toBe(false);
    await project.cli(['init', '--force']);
    expect(await project.cli(['new', 'before_stop', 'limit_to_20_messages', '--dir', 'other'])).toMatchObject(
      {
        code: 1,
        stderr: expect.stringContaining(
          'A hook with the id "limit_to_20_messages" exists already (hooks/limit-to-20-messages.ts:6)',
        ),
      },
    );
  });

  test('say how they are used, and what is wrong with how they were', async () => {
    const project = projectFolder();
    expect((await project.cli(['init', '--help'])).stdout).toMatchSnapshot();
    expect((await project.cli(['new', '--help'])).stdout).toMatchSnapshot();
    expect(await project.cli(['new', 'before_tool_cal', 'x'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean "before_tool_call"?'),
    });
    expect(await project.cli(['new', 'before_tool_call', 'DenyAll'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('"DenyAll" is not an id'),
    });
  });
});
