import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ProjectFolder, projectFolder } from '../../test/project-folder.ts';
import { loadSettings, type SettingsOptions, type SettingsSource } from '../load-settings.ts';

const settings = { hooks: { SessionStart: [{ hooks: [{ type: 'command', command: 'true' }] }] } };

let home: ProjectFolder;

beforeEach(() => {
  home = projectFolder();
  vi.stubEnv('HOME', home.path);
  vi.stubEnv('CLAUDE_CONFIG_DIR', '');
});

afterEach(() => void vi.unstubAllEnvs());

function writeSettings(folder: ProjectFolder, name: string): string {
  folder.write(name, JSON.stringify(settings));
  return join(folder.path, name);
}

/** The layer of a file, with whether it may run unasked. */
async function loadLayer(file: string | SettingsSource, options: SettingsOptions = {}): Promise<string> {
  const loaded = await loadSettings([file], { projectDir: projectFolder().path, ...options });
  await loaded.close();
  const [report] = loaded.files;
  return `${report?.layer} ${report?.trust?.status}`;
}

describe('the user’s own', () => {
  test.for([
    '.claude/settings.json',
    '.clawdcode/settings.json',
    '.codex/hooks.json',
    '.copilot/settings.json',
    '.copilot/hooks/mine.json',
    '.factory/settings.json',
    '.gemini/settings.json',
    '.qwen/settings.json',
  ])('is ~/%s', async (name) => {
    expect(await loadLayer(writeSettings(home, name))).toBe('user given');
  });

  test('is the file in CLAUDE_CONFIG_DIR', async () => {
    const folder = projectFolder();
    vi.stubEnv('CLAUDE_CONFIG_DIR', folder.path);
    expect(await loadLayer(writeSettings(folder, 'settings.json'))).toBe('user given');
  });

  test.for([
    ['CODEX_HOME', 'hooks.json', 'user given'],
    ['COPILOT_HOME', 'hooks/mine.json', 'user given'],
    ['COPILOT_HOME', 'hooks/deep/mine.json', 'project unknown'],
    ['COPILOT_HOME', 'hooks/mine.txt', 'project unknown'],
  ])('is in the folder that %s names: %s is %s', async ([variable = '', name = '', expected]) => {
    const folder = projectFolder();
    vi.stubEnv(variable, folder.path);
    expect(await loadLayer(writeSettings(folder, name))).toBe(expected);
  });

  test('is what the operator says is', async () => {
    const file = writeSettings(home, '.config/hooks.json');
    expect(await loadLayer({ file, layer: 'user' })).toBe('user given');
  });

  test('is the file at home where home is reached through a link, too', async () => {
    const linked = projectFolder();
    symlinkSync(home.path, join(linked.path, 'home'));
    vi.stubEnv('HOME', join(linked.path, 'home'));
    expect(await loadLayer(writeSettings(home, '.claude/settings.json'))).toBe('user given');
    expect(await loadLayer(join(linked.path, 'home/.claude/settings.json'))).toBe('user given');
  });

  test('is the file at home whose folder is a link', async () => {
    const dotfiles = projectFolder();
    writeSettings(dotfiles, 'settings.json');
    symlinkSync(dotfiles.path, join(home.path, '.claude'));
    expect(await loadLayer(join(home.path, '.claude/settings.json'))).toBe('user given');
  });
});

describe('not the user’s own', () => {
  test.for([
    '.cursor/worktrees/evil/.claude/settings.json',
    '.claude/worktrees/evil/.claude/settings.json',
    '.claude/plugins/evil/hooks/hooks.json',
    '.cache/evil/hub.json',
    '.local/src/evil/settings.json',
    '.claude/other.json',
    '.claude/settings.json/hub.json',
    'code/.claude/settings.json',
    'hub.json',
  ])('is ~/%s', async (name) => {
    expect(await loadLayer(writeSettings(home, name))).toBe('project unknown');
  });

  test('is ~/.claude/settings.local.json', async () => {
    expect(await loadLayer(writeSettings(home, '.claude/settings.local.json'))).toBe('local unknown');
  });

  test('is a file of a project that links to the user’s: the link can be turned to another', async () => {
    const own = writeSettings(home, '.claude/settings.json');
    const project = projectFolder();
    mkdirSync(join(project.path, '.claude'));
    symlinkSync(own, join(project.path, '.claude/settings.json'));
    expect(await loadLayer(join(project.path, '.claude/settings.json'))).toBe('project unknown');
  });

  test('is what lies in the project, also where the project is the home folder or one above it', async () => {
    const file = writeSettings(home, '.claude/settings.json');
    for (const projectDir of [home.path, join(home.path, '.claude'), join(home.path, '..')])
      expect(await loadLayer(file, { projectDir })).toBe('project unknown');
    expect(await loadLayer({ file, layer: 'user' }, { projectDir: home.path })).toBe('user given');
  });

  test('is a file in a project that the home folder is named by a relative path for', async () => {
    const file = writeSettings(projectFolder(), '.claude/settings.json');
    vi.spyOn(process, 'cwd').mockReturnValue(join(file, '../..'));
    for (const name of ['HOME', 'CLAUDE_CONFIG_DIR'])
      for (const path of ['.', '', '.claude', './.claude/']) {
        vi.stubEnv(name, path);
        expect(await loadLayer(file)).toBe('project unknown');
      }
    vi.restoreAllMocks();
  });

  test('is anything while nobody can tell the home folder', async () => {
    const file = writeSettings(home, '.claude/settings.json');
    vi.stubEnv('HOME', undefined);
    expect(await loadLayer(file)).toBe('project unknown');
  });
});
