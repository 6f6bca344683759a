import { loadHooks } from '@spec/hooks/node';
import type { JsonObject } from 'type-fest';
import { describe, expect, test } from 'vitest';
import { sampleRuntime } from '../../test/plain-dialect.ts';
import { projectFolder } from '../../test/project-folder.ts';
import * as commands from '../index.ts';
import { commandEntry } from './command-entry.ts';
import { convert } from './convert.ts';

const config: JsonObject = {
  hooks: {
    PreToolUse: [
      {
        matcher: 'Bash',
        hooks: [
          { type: 'command', command: `echo 'not */ like this' >&2; exit 2` },
          { type: 'command', command: 'true', async: true },
        ],
      },
    ],
    UserPromptSubmit: [{ hooks: [{ type: 'command', command: 'echo "on branch main"' }] }],
  },
};

describe('TypeScript modules', () => {
  test('do what the file did', async () => {
    const { modules, losses } = convert(config, {
      from: 'claude',
      to: 'typescript',
      file: 'claude*/settings.json',
    });
    expect(modules.map(({ name }) => name)).toEqual([
      '001-claude_project_pre_tool_use_1.ts',
      '002-claude_project_pre_tool_use_2.ts',
      '003-claude_project_user_prompt_submit_1.ts',
    ]);
    expect(losses.map(({ field, position }) => `${field} ${position.path}`)).toEqual([
      'order hooks.PreToolUse[0].hooks[0]',
      'isAwaited hooks.PreToolUse[0].hooks[1]',
      'order hooks.PreToolUse[0].hooks[1]',
      'order hooks.UserPromptSubmit[0].hooks[0]',
    ]);
    expect(modules.map(({ text }) => /match: .*/.exec(text)?.[0])).toEqual([
      "match: 'Bash',",
      "match: 'Bash',",
      undefined,
    ]);
    const folder = projectFolder(Object.fromEntries(modules.map(({ name, text }) => [name, text])));
    const hooks = await loadHooks(folder.path, { modules: { '@spec/commands': commands } });
    const { runtime, ran } = sampleRuntime(hooks, [
      { toolCalls: [{ name: 'Bash' }, { name: 'Read' }] },
      'Done.',
    ]);
    const thread = await runtime.createThread({ agent: 'helper' });
    await thread.send('Hello');
    const messages = await thread.messages();
    expect(messages[1]?.content).toBe('on branch main');
    expect(messages.find(({ role }) => role === 'tool')?.content).toContain('not */ like this');
    expect(ran).toHaveLength(1);
  });

  test('an entry is no function of another hook', () => {
    const { modules } = convert(config, { from: 'claude', to: 'typescript' });
    expect(modules[0]?.text).toContain("commandEntry('before_tool_call', {");
    const entry = JSON.parse(
      /commandEntry\('before_tool_call', (\{.*?\n\})\)/s.exec(modules[0]?.text as string)?.[1] as string,
    );
    expect(() => commandEntry('before_stop', entry)).toThrow('it cannot be a hook before_stop');
    expect(typeof commandEntry('before_tool_call', entry)).toBe('function');
  });
});
