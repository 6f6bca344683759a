import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ProjectFolder, projectFolder } from './project-folder.ts';

const guard = `import { defineHook } from '@spec/hooks';
export default defineHook({
  hook: 'before_tool_call',
  id: 'no_secrets',
  match: { paths: 'secrets/**' },
  execute: async () => ({ decision: 'deny', reason: 'Secrets stay where they are.' }),
});
`;
interface Secrets extends ProjectFolder {
  /** Tells a command of a call of `Read`, and gives what it answers. */
  tell(args: readonly string[], path: string, cwd?: string): Promise<string>;
}

/** A project that guards a folder, to which a link leads. */
function secretsProject(): Secrets {
  const project = projectFolder({
    'hooks.config.mjs': `export default { policies: 'hooks' };`,
    'hooks/no_secrets.mjs': guard,
    'secrets/key': '',
    'src/main.ts': '',
  });
  symlinkSync('secrets', join(project.path, 'alias'));
  return {
    ...project,
    async tell(args, path, cwd = project.path) {
      const call = {
        session_id: 's',
        cwd,
        tool_name: 'Read',
        tool_use_id: 'a',
        tool_input: { file_path: path },
      };
      const input = JSON.stringify({ ...call, tool_response: 'text' });
      const from = project.below('src');
      return (await (args[0] === 'hook' ? from.cliApart(args, input) : from.cli(args, input))).stdout;
    },
  };
}

const guarded = (path: string): string[] => [
  'secrets/key',
  './secrets/../secrets/key',
  'alias/key',
  join(path, 'secrets/key'),
  join(path, 'alias/key'),
  join(path, 'src/../secrets/new'),
];
const others = (path: string): string[] => ['src/main.ts', join(path, 'src/main.ts'), '/etc/hostname'];

// Each path starts a process.
const patience = { timeout: 120_000 };

describe(
  'the globs of a project start at its folder, wherever its command is called and however a path is written',
  patience,
  () => {
    test.each([
      ['run', 'Secrets stay'],
      ['explain', ' matches paths'],
    ])('%s', async (command, said) => {
      const project = secretsProject();
      const args = [command, '--event', 'before_tool_call', '--input', '-'];
      for (const path of guarded(project.path)) expect(await project.tell(args, path)).toContain(said);
      for (const path of others(project.path)) expect(await project.tell(args, path)).not.toContain(said);
    });

    test('in a coding agent, also in a session that works in another folder', async () => {
      const project = secretsProject();
      await project.cli(['trust', 'hooks.config.mjs', '--yes']);
      const args = ['hook', '--agent', 'claude-code', '--event', 'PreToolUse', '--root', project.path];
      const { path, tell } = project;
      for (const one of guarded(path)) expect(await tell(args, one)).toContain('Secrets stay');
      for (const one of others(path)) expect(await tell(args, one)).not.toContain('deny');
      const elsewhere = join(path, 'secrets');
      for (const one of ['key', './key', 'deep/new'])
        expect(await tell(args, one, elsewhere)).toContain('Secrets stay');
      for (const one of ['../src/main.ts', '~/key'])
        expect(await tell(args, one, elsewhere)).not.toContain('deny');
    });
  },
);
