import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectFolder } from './project-folder.ts';

const rules = { 'hooks.config.ts': `export default { rules: ['r.json', 'r.ts'], triggers: ['t.json'] };` };

describe.skipIf(process.platform === 'win32')(
  'a pipe that nobody writes to is refused, not waited for',
  () => {
    test.for<[place: string, args: string[], files?: object]>([
      ['.claude/settings.json', ['list']],
      ['.claude/settings.json', ['check']],
      ['.claude/settings.json', ['trust']],
      ['hub.json', ['status']],
      ['s.json', ['list', '--config', 's.json']],
      ['r.ts', ['list', '--config', 'r.ts']],
      ['r.json', ['list'], { ...rules, 'r.ts': 'export default []', 't.json': '[]' }],
      ['t.json', ['list'], { ...rules, 'r.ts': 'export default []', 'r.json': '[]' }],
      ['hooks.config.ts', ['list']],
    ])('%s: %s', async ([place, args, files = {}]) => {
      const project = projectFolder({ ...files });
      mkdirSync(dirname(join(project.path, place)), { recursive: true });
      execFileSync('mkfifo', [join(project.path, place)]);
      const { code, stdout, stderr } = await project.cli(args);
      expect(code).not.toBe(0);
      expect(`${stdout}${stderr}`).toMatch(/no regular file/);
      expect(`${stdout}${stderr}`).toContain(place);
    });
  },
);
