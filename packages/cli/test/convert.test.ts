import { describe, expect, test } from 'vitest';
import { projectFolder } from './project-folder.ts';

const hub = {
  hooks: { PreToolUse: [{ matcher: '^Bash$', command: 'sh guard.sh {{toolName}}', continueOnError: false }] },
};

describe('spec-hooks convert', { timeout: 60_000 }, () => {
  test('prints the file in the other format, and on standard error what that loses', async () => {
    const project = projectFolder({ 'hub.json': hub });
    const { code, stdout, stderr } = await project.cli(['convert', 'hub.json', '--to', 'settings']);
    expect(JSON.parse(stdout)).toMatchObject({
      hooks: { PreToolUse: [{ command: expect.stringContaining('sh guard.sh'), continueOnFailure: false }] },
    });
    expect(stderr).toMatch(/^changed {2}input {2}hub\.json:\d+:\d+ hooks\.PreToolUse\[0\]\n {2}\S/m);
    expect(stderr).toMatch(/\d+ fields? dropped, \d+ changed, \d+ converted\.\n$/);
    expect(code).toBe(1);
  });

  test('tells once what is lost of several entries in the same words, with their places', async () => {
    const [entry] = hub.hooks.PreToolUse;
    const project = projectFolder({ 'hub.json': { hooks: { PreToolUse: [entry, entry] } } });
    const { stderr } = await project.cli(['convert', 'hub.json', '--to', 'settings']);
    expect(stderr).toMatch(
      /^changed {2}input {2}2 places\n {2}\S.*\n {4}hub\.json:\d+:\d+ hooks\.PreToolUse\[0\]\n {4}hub\.json:\d+:\d+ hooks\.PreToolUse\[1\]\n/m,
    );
  });

  test('writes modules into a folder, reads standard input, and overwrites nothing unasked', async () => {
    const project = projectFolder();
    const args = ['convert', '-', '--to', 'typescript', '--out', 'hooks'];
    const { code, stdout } = await project.cli([...args, '--json'], JSON.stringify(hub));
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      to: 'typescript',
      modules: [{ name: expect.any(String) }],
      losses: [],
    });
    const [{ name }] = JSON.parse(stdout).modules;
    expect(project.read(`hooks/${name}`)).toContain("hook: 'before_tool_call'");
    const again = await project.cli(args, JSON.stringify(hub));
    expect(again.code).toBe(1);
    expect(again.stderr).toBe(
      `spec-hooks: hooks/${name}: there already. Nothing was written; add --force to write over.\n`,
    );
  });

  test('names the file, the place and what to do where it cannot be read', async () => {
    const long = `{}${' '.repeat(1_048_576)}`;
    const files = {
      ...{ 'empty.json': '', 'bin.json': '\u0000\u0001', 'long.json': long },
      'rules.json': { rules: [] },
    };
    const project = projectFolder(files);
    const told = async (file: string): Promise<string> =>
      (await project.cli(['convert', file, '--to', 'hub'])).stderr;
    const remedy = /Give a settings file \(JSON, .*\), or say what format it has with --from\.\n$/;
    for (const file of ['empty.json', 'bin.json']) {
      expect(await told(file)).toContain(`spec-hooks: ${file}:1:1: This file cannot be read: `);
      expect(await told(file)).toMatch(remedy);
    }
    expect(await told('long.json')).toMatch(
      /long\.json:1:1: This file cannot be read: it has more than 1 MB\. .* Give .* --from\.\n$/,
    );
    expect(await told('rules.json')).toMatch(
      /rules\.json has the shape of no known format\. Give .* --from\.\n$/,
    );
  });

  test('says how it is used, and what is wrong with how it was', async () => {
    const project = projectFolder();
    expect((await project.cli(['convert', '--help'])).stdout).toMatchSnapshot();
    expect(await project.cli(['convert', 'none.json', '--to', 'xml'])).toMatchObject({ code: 2 });
    expect(await project.cli(['convert', 'none.json', '--to', 'hub'])).toMatchObject({
      code: 1,
      stderr: 'spec-hooks: There is no file none.json: give a settings file, or - for standard input.\n',
    });
  });
});
