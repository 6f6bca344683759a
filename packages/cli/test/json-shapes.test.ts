import { join } from 'node:path';
import { defineHook } from '@spec/hooks';
import { createRuntime } from '@spec/runtime';
import { sqliteStore } from '@spec/runtime/sqlite';
import { scriptedModel } from '@spec/runtime/testing';
import { test } from 'vitest';
import { type ProjectFolder, projectFolder } from './project-folder.ts';

const files = {
  'hooks.config.ts': `export default { hooks: 'hooks', settings: ['hub.json', '.claude/settings.json'], rules: 'rules.yaml',
  triggers: 'triggers.json', store: 'threads.db', trust: 'trust.json', agents: [{ name: 'helper', hooks: ['trim', 'gone'] }] };`,
  'hooks/trim.ts': `import { defineHook } from '@spec/hooks';
export default defineHook({ hook: 'before_tool_call', id: 'trim', match: 'Bash(git:*)', timeout: 500, execute: async () => null });
`,
  'hub.json': {
    hooks: {
      PreToolUse: [{ matcher: '^Bash$', command: 'sh guard.sh {{toolName}}', continueOnError: false }],
    },
  },
  'guard.sh': 'exit 0\n',
  '.claude/settings.json': {
    hooks: { Stop: [{ hooks: [{ type: 'command', command: 'echo bye', timeout: 3 }] }] },
  },
  'rules.yaml':
    'rules:\n  - { id: no_rm, matcher: ^Bash$, inputMatchers: { command: rm }, action: deny, reason: Not here. }\n',
  'rules.hooks.yaml': `cases:
  - { name: nothing is removed, event: PreToolUse, input: { tool_name: Bash, tool_input: { command: rm x } }, expect: { decision: deny } }
  - { name: it fails, event: PreToolUse, input: { tool_name: Bash, tool_input: { command: ls } }, expect: { decision: allow } }
`,
  'shout/shout.ts': `import { defineHook } from '@spec/hooks';
export default defineHook({ hook: 'before_create_message', id: 'shout', execute: async (_state, message) =>
  ({ ...message, content: message.content?.toUpperCase() ?? null }) });
`,
  'talk.jsonl': `${JSON.stringify({ id: 'a', messages: [{ role: 'user', content: 'hi' }] })}\n{ "id": "b" }\n`,
  'subject.mjs': `export default { name: 'hardly', abilities: [], open: async () => { throw new Error('never'); } };`,
  'triggers.json': [{ id: 'remind', message: 'Be brief.', once: 'turn' }],
};

const polite = defineHook({
  hook: 'before_user_message',
  id: 'polite',
  execute: async () => ({ decision: 'deny' as const, reason: 'Be kind.' }),
});

/** Really runs a turn over the store of the project. */
async function send({ path }: ProjectFolder): Promise<void> {
  const runtime = createRuntime({
    agents: [{ name: 'helper', prompt: 'main' }],
    prompts: [{ name: 'main' }],
    models: { scripted: scriptedModel(['Gladly.']) },
    policies: [polite],
    store: sqliteStore({ path: join(path, 'threads.db') }),
  });
  const thread = await runtime.createThread({ agent: 'helper', id: 't1', userId: 'ann' });
  await thread.send('Help me.');
  await runtime.close();
}

/** What differs from run to run, or from machine to machine. */
const volatile: ReadonlySet<string> = new Set([
  'ms',
  'p50',
  'p99',
  'lastAt',
  'fingerprint',
  'text',
  'message',
  'reason',
  'summary',
  'total',
  'notJudged',
  'says',
]);

/** A value with a type in the place of each that is volatile, and texts without the folder. */
function describeShape(value: unknown, folder: string, key = ''): unknown {
  if (value === null) return null;
  if (volatile.has(key)) return `<${typeof value}>`;
  if (typeof value === 'string') return value.replaceAll(folder, '<folder>');
  if (Array.isArray(value)) return value.map((item) => describeShape(item, folder));
  if (typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, describeShape(item, folder, name)]),
  );
}

/** Those of which no other test holds all of it. In this order: what one command writes, those after it find. */
const commands = [
  ['list'],
  ['list', '--all', '--hook', 'after_tool_batch'],
  ['list', '--hooks', 'none'],
  ['check'],
  ['trust', '--yes'],
  ['trust', '--list'],
  ['trust', '--remove', 'hub.json'],
  ['convert', 'hub.json', '--to', 'claude'],
  ['convert', 'hub.json', '--to', 'typescript'],
  ['test'],
  ['stats'],
  ['init', 'other', '--test', 'node'],
  ['replay', 'talk.jsonl', '--hooks', 'shout', '--db', 'replayed.db', '--diff', '--bench'],
  ['conform', 'subject.mjs', '--only', 'scope.without_any_list_no_hooks_run'],
] as const;

test('the shape of --json is what it was', { timeout: 120_000 }, async ({ expect }) => {
  const project = projectFolder(files);
  await send(project);
  for (const args of commands) {
    const { stdout, stderr } = await project.cli([...args, '--json']);
    expect(stdout, `${args.join(' ')}: ${stderr}`).toMatch(/^\{[\s\S]*\}\n$/);
    expect(describeShape(JSON.parse(stdout), project.path)).toMatchSnapshot(args.join(' '));
  }
});
