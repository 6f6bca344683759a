import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createRuntime, defineAgent, definePrompt, defineTool } from '@spec/runtime';
import { scriptedModel } from '@spec/runtime/testing';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type ProjectFolder, projectFolder } from '../../test/project-folder.ts';
import { loadSettings } from '../load-settings.ts';

const configs = join(import.meta.dirname, '../../../../../shared/data/hook-configs');
const isThere = existsSync(configs);
if (!isThere) console.log(`skipped: there are no published configurations in ${configs}`);

/** Those that ask no network, install nothing, and open no window. */
const harmless = isThere
  ? readdirSync(configs).filter((name) =>
      /agents-md-loader|change-tracker|file-backup|nextjs-code-quality|doordash|smart-commit|prevent-direct-push|performance-monitor|format-python|console-log-cleaner|update-search-year|scope-guard|env-file-protection|change-logger|langsmith|debug-window/.test(
        name,
      ),
    )
  : [];

const tools = ['Edit', 'Write', 'Read', 'Bash', 'WebSearch'];

/** Has an agent call every tool under a published configuration, in a project and a home of its own. */
async function play(name: string, project: ProjectFolder, called: readonly string[] = tools) {
  vi.stubEnv('HOME', project.path);
  onTestFinished(() => void vi.unstubAllEnvs());
  mkdirSync(join(project.path, '.claude'), { recursive: true });
  const loaded = await loadSettings([{ file: join(configs, name), layer: 'user' }], {
    projectDir: project.path,
    claude: { legacyVariables: true },
  });
  onTestFinished(() => loaded.close());
  const ran: Record<string, unknown> = {};
  const input = (tool: string) =>
    ({
      Bash: { command: 'git status' },
      WebSearch: { query: 'hooks' },
      Write: { file_path: join(project.path, '.env.local'), content: 'x' },
    })[tool] ?? { file_path: join(project.path, 'app.js'), old_string: 'a', new_string: 'b' };
  const runtime = createRuntime({
    agents: [defineAgent({ name: 'helper', type: 'ai_human', prompt: 'main' })],
    prompts: [definePrompt({ name: 'main', tools })],
    tools: tools.map((tool) =>
      defineTool({
        name: tool,
        execute(given) {
          ran[tool] = given;
          return `${tool} ran`;
        },
      }),
    ),
    models: {
      scripted: scriptedModel([
        { toolCalls: called.map((tool) => ({ name: tool, input: input(tool) })) },
        ...Array.from({ length: 10 }, () => 'Done.'),
      ]),
    },
    policies: loaded.hooks,
  });
  onTestFinished(() => runtime.close());
  const thread = await runtime.createThread({ agent: 'helper' });
  const result = await thread.send('Hello');
  const messages = await thread.messages();
  await thread.close();
  const runs = await runtime.ledger.runs({ threadId: thread.id });
  const entries = runs.filter(({ id }) => loaded.entries.some((entry) => entry.id === id));
  const of = (id: string) => entries.filter((run) => run.id === id && run.outcome !== 'skipped');
  return { loaded, ran, result, messages, entries, of };
}

const app = { 'app.js': 'console.log(1)\n', 'AGENTS.md': 'Use tabs.' };
const file = (part: string) => harmless.find((name) => name.includes(part)) as string;

describe.skipIf(!isThere)('published configurations run', () => {
  test.for(harmless)(
    '%s: the turn ends, and every entry of an event is in the ledger',
    { timeout: 30_000 },
    async (name) => {
      const { loaded, result, entries } = await play(name, projectFolder(app));
      expect(result.status).toBe('completed');
      const recorded = new Set(entries.map(({ id }) => id));
      expect(loaded.entries.map(({ id }) => id).filter((id) => !recorded.has(id))).toEqual([]);
      for (const { outcome, why } of entries)
        if (!['ok', 'changed', 'denied'].includes(outcome)) expect(why).toBeTruthy();
    },
  );

  test('a log of changes is written', async () => {
    const project = projectFolder(app);
    await play(file('change-tracker'), project);
    const log = project.read('.claude/changes.log');
    expect(log).toMatch(/File modified: .*app\.js$/m);
    expect(log).toMatch(/File created: .*\.env\.local$/m);
  });

  test('files are backed up before they are edited', async () => {
    const project = projectFolder(app);
    await play(file('file-backup'), project);
    expect(readdirSync(join(project.path, '.backups'))[0]).toMatch(/^app\.js\.\d+_\d+\.bak$/);
  });

  test('writing .env files is denied', async () => {
    const { ran, messages } = await play(file('env-file-protection'), projectFolder(app));
    expect(Object.keys(ran).sort()).toEqual(['Bash', 'Edit', 'Read', 'WebSearch']);
    const denied = messages.find(({ content }) => content?.includes('denied'));
    expect(denied?.content).toContain('Writing to .env files is blocked by hook');
  });

  test('a file is told to the model when the session starts', async () => {
    const { messages } = await play(file('agents-md-loader'), projectFolder(app));
    expect(messages[1]?.content).toBe('Use tabs.');
  });

  test('edits are committed', async () => {
    const project = projectFolder(app);
    const git = (...args: string[]) =>
      execFileSync('git', args, { cwd: project.path, stdio: 'pipe' }).toString();
    git('init', '-q');
    for (const [key, value] of [
      ['user.name', 'x'],
      ['user.email', 'x@example.com'],
    ] as const)
      git('config', key, value);
    // One tool alone: the hooks of tools that run at the same time would fight for the lock of git.
    await play(file('smart-commit'), project, ['Edit']);
    expect(git('log', '--format=%s')).toContain('app.js');
  });

  test('a guard whose script is missing denies, as Python exits with 2', async () => {
    const { ran, of } = await play(file('prevent-direct-push'), projectFolder(app));
    expect(ran).not.toHaveProperty('Bash');
    expect(of('claude_user_pre_tool_use_1')).toMatchObject([{ outcome: 'denied' }]);
  });

  test('times are measured', async () => {
    const project = projectFolder(app);
    await play(file('performance-monitor'), project);
    expect(project.read('.claude/performance.csv').split('\n').filter(Boolean)).toHaveLength(
      2 * tools.length,
    );
  });
});
