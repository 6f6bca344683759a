import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { projectFolder } from './project-folder.ts';
import { startCli } from './run-cli.ts';

const guard = { PreToolUse: [{ hooks: [{ type: 'command', command: 'exit 2' }] }] };
const event = ['--event', 'PreToolUse', '--input', 'input.json'];
const commands: readonly { readonly args: readonly string[]; readonly code: number }[] = [
  { args: ['run', ...event, '--config', 'settings.json'], code: 3 },
  { args: ['run', ...event, '--config', 'settings.json', '--trust'], code: 3 },
  { args: ['explain', ...event, '--config', 'settings.json'], code: 0 },
  { args: ['list', '--config', 'settings.json', 'broken.json'], code: 1 },
  { args: ['log', '--db', 'nowhere.db'], code: 1 },
];

/** The exit code of a command of which nobody reads an output. */
async function codeWithClosed(
  output: 'stdout' | 'stderr',
  args: readonly string[],
  cwd: string,
): Promise<unknown> {
  const child = startCli(args, { cwd, env: { HOME: cwd } });
  child[output]?.destroy();
  child[output === 'stdout' ? 'stderr' : 'stdout']?.resume();
  child.stdin.end();
  const [code, signal] = await once(child, 'exit', { signal: AbortSignal.timeout(30_000) });
  return code ?? signal;
}

describe.concurrent('a command of which nobody reads', { timeout: 60_000 }, () => {
  for (const output of ['stdout', 'stderr'] as const) {
    test.each(commands)(`${output} ends, as it ends else: $args`, async ({ args, code }) => {
      const project = projectFolder({
        'settings.json': { hooks: guard },
        'broken.json': { hooks: { PreToolUse: [{ command: 5 }] } },
        'input.json': { tool_name: 'Bash', tool_input: { command: 'ls' } },
      });
      expect((await project.cli(args)).code).toBe(code);
      expect(await codeWithClosed(output, args, project.path)).toBe(code);
    });
  }
});
