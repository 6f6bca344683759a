import { join } from 'node:path';
import { loadSettings, trustStore } from '@spec/commands';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { projectFolder } from './project-folder.ts';
import { runCli } from './run-cli.ts';

const files = {
  '.claude/settings.json': {
    hooks: {
      PreToolUse: [
        { matcher: 'Bash', hooks: [{ type: 'command', command: 'sh .claude/guard.sh \u001b[2K\u202e' }] },
      ],
    },
  },
  '.claude/guard.sh': 'echo looking\nexit 2\n',
};

interface TrustResult {
  readonly files: readonly { readonly file: string; readonly status: string; readonly recorded: boolean }[];
}

describe('spec-hooks trust', { timeout: 60_000 }, () => {
  test('shows what would run and asks; what nobody agreed to is not trusted', async () => {
    const project = projectFolder(files);
    const { code, stdout, stderr } = await project.cli(['trust', '--show']);
    expect(code).toBe(1);
    expect(stdout).toContain('.claude/settings.json  format claude, not trusted yet');
    expect(stdout).toMatch(/line 7 {2}PreToolUse Bash\n +sh \.claude\/guard\.sh \\u\{1b\}\[2K\\u\{202e\}\n/);
    expect(stdout).toMatch(/\.claude\/guard\.sh {2}2 lines\n +echo looking\n +exit 2\n/);
    expect(stdout).toContain('A change of a data file that a script opens by itself is not noticed.\n');
    expect(stderr).toBe(
      'spec-hooks: there is no terminal to ask on. Add --yes to trust .claude/settings.json.\n',
    );
    expect(project.has('home/.config/spec-hooks/trusted.json')).toBe(false);
  });

  test.for(['make guard', 'npx guard', 'npm run guard', 'eval "$(cat guard)"'])(
    'says that it does not cover all that runs, as check does: %s',
    async (command) => {
      const hooks = { PreToolUse: [{ hooks: [{ type: 'command', command }] }] };
      const project = projectFolder({ '.claude/settings.json': { hooks } });
      const uncovered = expect.stringContaining('trust does not cover that code');
      expect((await project.cli(['trust', '--yes'])).stdout).toEqual(uncovered);
      const { findings } = await project.json<{ findings: readonly { code: string }[] }>(['check']);
      expect(findings.filter(({ code }) => code === 'unseen_script')).toMatchObject([
        { level: 'warning', entry: 'hooks.PreToolUse[0].hooks[0]', message: uncovered },
      ]);
    },
  );

  test('covers the same code from a folder below the configuration', async () => {
    const project = projectFolder({
      'hooks.config.mjs': 'export default { policies: "./hooks" };',
      'hooks/guard.mjs': 'export default [];',
      'below/x': '',
    });
    const config = ['hooks.config.mjs', 'hooks/guard.mjs'].map((file) => join(project.path, file));
    const below = await project
      .below('below')
      .json<TrustResult & { files: { files: string[] }[] }>([...['trust', '../hooks.config.mjs', '--yes']]);
    expect(below.files).toMatchObject([{ recorded: true, files: config }]);
    const { files: above } = await project.json<TrustResult>(['trust', 'hooks.config.mjs']);
    expect(above).toMatchObject([{ status: 'trusted' }]);
  });

  test('runs no code of the project, and keeps trust in the store of the person', async () => {
    const project = projectFolder({
      ...files,
      'other.json': files['.claude/settings.json'],
      'hooks.config.mjs': `import { writeFileSync } from 'node:fs';
writeFileSync('ran', '');
export default { settings: ['other.json'], trust: 'mine.json' };`,
    });
    const usual = await project.cli(['trust', '--yes']);
    expect(usual.stdout).toContain('.claude/settings.json is trusted now.');
    expect(usual.stderr).toBe(
      'spec-hooks: hooks.config.mjs is code of this project, and was not run: look at it, then name its settings files: spec-hooks trust FILE… For coding agents, trust the code itself: spec-hooks trust hooks.config.mjs\n',
    );
    expect((await project.cli(['trust', '--list'])).code).toBe(0);
    expect((await project.cli(['trust', '--yes', '--store', 'mine.json', 'other.json'])).code).toBe(0);
    expect(
      ['ran', 'home/.config/spec-hooks/trusted.json', 'mine.json'].map((name) => project.has(name)),
    ).toEqual([false, true, true]);
    const { findings } = await project.json<{ findings: readonly { code: string }[] }>(['check']);
    expect(findings.filter(({ code }) => code === 'untrusted')).toEqual([]);
    expect(project.has('ran')).toBe(true);
  });

  test('what the command trusts is trusted by a program, wherever the person has the configuration', async () => {
    const project = projectFolder(files);
    const config = join(project.path, 'config');
    for (const env of [{ XDG_CONFIG_HOME: config }, {}]) {
      const place = { env: { HOME: join(project.path, 'home'), ...env }, cwd: project.path };
      expect((await runCli(['trust', '--yes'], place)).stdout).toContain('is trusted now.');
      for (const [name, value] of Object.entries({ XDG_CONFIG_HOME: undefined, ...place.env }))
        vi.stubEnv(name, value);
      onTestFinished(() => void vi.unstubAllEnvs());
      const file = join(project.path, '.claude/settings.json');
      const loaded = await loadSettings([file], { trust: trustStore(), projectDir: project.path });
      await loaded.close();
      expect(loaded.files[0]?.trust?.status).toBe('trusted');
    }
    expect(project.has('config/spec-hooks/trusted.json')).toBe(true);
    expect(project.has('home/.config/spec-hooks/trusted.json')).toBe(true);
  });

  test('records, lists and takes back', async () => {
    const project = projectFolder(files);
    const recorded = await project.json<TrustResult>(['trust', '--yes']);
    expect(recorded).toMatchObject({
      code: 0,
      files: [{ file: '.claude/settings.json', status: 'unknown', recorded: true, entries: [{ line: 7 }] }],
    });
    const again = await project.json<TrustResult>(['trust']);
    expect(again).toMatchObject({ code: 0, files: [{ status: 'trusted', recorded: false }] });
    const { trusted } = await project.json<{ trusted: { path: string }[] }>(['trust', '--list']);
    expect(trusted.map(({ path }) => path)).toEqual([`${project.path}/.claude/settings.json`]);
    const removed = await project.json(['trust', '--remove', '.claude/settings.json']);
    expect(removed).toEqual({ code: 0, removed: ['.claude/settings.json'] });
    expect(await project.json(['trust', '--list'])).toEqual({ code: 0, trusted: [] });
  });

  test('forgets a file whose hooks are gone', async () => {
    const project = projectFolder(files);
    await project.cli(['trust', '--yes']);
    project.write('.claude/settings.json', '{}');
    expect(await project.json(['trust', '.claude/settings.json', '--yes'])).toMatchObject({
      code: 0,
      files: [{ status: 'gone', recorded: true, entries: [] }],
    });
    expect(await project.json(['trust', '--list'])).toEqual({ code: 0, trusted: [] });
  });

  test('says how it is used, and what is wrong with how it was', async () => {
    const project = projectFolder();
    expect((await project.cli(['trust', '--help'])).stdout).toMatchSnapshot();
    expect(await project.cli(['trust'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('This project has no settings files: name one.'),
    });
    expect(await project.cli(['trust', 'none.json'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'spec-hooks: There is no file none.json.\n',
    });
  });
});
