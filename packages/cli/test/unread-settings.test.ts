import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ProjectFolder, projectFolder } from './project-folder.ts';

const guard = { hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'true' }] }] } };
const misspelt = { hooks: { PreToolUze: [] } };
const CLAUDE = '.claude/settings.json';

const config = (fields: string): string => `export default { ${fields} };\n`;

interface NotRead {
  readonly notRead: readonly { readonly file: string; readonly message: string }[];
}

async function listNotRead(project: ProjectFolder, args: readonly string[] = []): Promise<string[]> {
  const { notRead } = await project.json<NotRead>(['check', ...args]);
  return notRead.map(({ file }) => file);
}

describe('a settings file that the configuration does not name', { timeout: 60_000 }, () => {
  test.each([
    ['its event is misspelt', misspelt],
    ['it is broken JSON', '{ "hooks": ['],
    ['its guard is right', guard],
    ['its entry stands without "hooks" around it', { PreToolUse: [{ command: 'true' }] }],
  ])('is told by check, with how to read it, where %s', async (_, content) => {
    const project = projectFolder({ 'hooks.config.mjs': config('settings: []'), [CLAUDE]: content });
    const { stdout, code } = await project.cli(['check']);
    expect(code).toBe(0);
    expect(stdout).toContain(`${CLAUDE}  not read`);
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      `"settings" of hooks.config.mjs does not name it. To read it, write settings: ['${CLAUDE}'] there; to look at it alone, run spec-hooks check --config ${CLAUDE}.`,
    );
    expect(stdout).not.toContain('nothing to report.');
    expect((await project.cli(['check', '--strict'])).code).toBe(0);
    expect((await project.cli(['check', '--config', CLAUDE])).stdout).not.toContain('not read');
  });

  test.each([['list'], ['status'], ['explain', '--event', 'Stop'], ['run', '--event', 'Stop']])(
    'is told by %s',
    async (...args) => {
      const project = projectFolder({ 'hooks.config.mjs': config(''), [CLAUDE]: guard });
      const [{ stderr }, shown] = await Promise.all([
        project.cli(args, '{}'),
        project.cli([...args, '--json'], '{}'),
      ]);
      expect(stderr).toContain(`spec-hooks: ${CLAUDE} is not read: `);
      expect(JSON.parse(shown.stdout).notRead).toEqual([{ file: CLAUDE, message: expect.any(String) }]);
    },
  );

  test('is told of the working folder and of the folder of the configuration', async () => {
    const project = projectFolder({
      'hooks.config.mjs': config("settings: ['hub.json']"),
      'hub.json': guard,
      [CLAUDE]: guard,
      'below/.claude/settings.local.json': guard,
    });
    const below = project.below('below');
    const { notRead } = await below.json<NotRead>(['list']);
    expect(notRead.map(({ file }) => file)).toEqual(['.claude/settings.local.json', join('..', CLAUDE)]);
    expect(notRead[0]?.message).toContain("'below/.claude/settings.local.json'");
  });

  test('is not told where it holds nothing that would run, or is read under another name', async () => {
    const project = projectFolder({
      'hooks.config.mjs': config("settings: ['linked.json'], rules: 'hub.json'"),
      'hub.json': { rules: [{ id: 'no_reads', matcher: 'Read', action: 'deny' }] },
      [CLAUDE]: guard,
      '.claude/settings.local.json': { permissions: { allow: ['Bash(ls:*)'] }, hooks: {} },
    });
    symlinkSync(join(project.path, CLAUDE), join(project.path, 'linked.json'));
    expect(await listNotRead(project)).toEqual([]);
    expect(await listNotRead(project, ['--hooks', '.'])).toEqual([]);
    expect(await listNotRead(projectFolder({ [CLAUDE]: guard }))).toEqual([]);
  });
});
