import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const settings = {
  hooks: {
    PreToolUse: [
      {
        matcher: 'Bash',
        hooks: [
          { type: 'command', command: 'if grep -q secret; then echo secrets stay here >&2; exit 2; fi' },
        ],
      },
    ],
    PostToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: `echo '${context('lint me')}'` }] }],
    SubagentStop: [
      {
        hooks: [{ type: 'command', command: `echo '{"decision":"block","reason":"Run the tests first."}'` }],
      },
    ],
    Stop: [{ hooks: [{ type: 'command', command: `echo '{"systemMessage":"bye"}'` }] }],
  },
};

function context(additionalContext: string): string {
  return JSON.stringify({ hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext } });
}

const rules = `rules:
  - id: no_rm
    matcher: ^Bash$
    inputMatchers: { command: '\\brm\\b' }
    action: deny
    reason: Nothing is removed here.
`;

const hooks = `import { defineHook } from '@spec/hooks';
export default [
  defineHook({ hook: 'before_tool_call', id: 'trim_command', match: 'Bash', execute: async (_state, call) => {
    const input = JSON.parse(call.function.arguments);
    return input.command.endsWith(' ') ? { input: { ...input, command: input.command.trim() } } : null;
  } }),
  defineHook({ hook: 'before_create_message', id: 'shout', execute: async (_state, message) => {
    console.log('a hook may print');
    if (message.content === 'fail') throw new Error('my secret text');
    return { ...message, content: String(message.content).toUpperCase() };
  } }),
];
`;

/** A project in a folder of its own: a settings file, a rule, two hooks that agents name, and its configuration. */
export function guardedProject({ isTrusted = true }: { readonly isTrusted?: boolean } = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'spec-hooks-project-'));
  const file = isTrusted ? `{ file: '.claude/settings.json', layer: 'user' }` : `'.claude/settings.json'`;
  const config = `export default { hooks: 'hooks', rules: 'rules.yaml', store: 'threads.db', trust: 'trust.json',
  settings: [${file}], agents: [{ name: 'quiet', hooks: [] }] };`;
  const files = {
    'hooks.config.ts': config,
    'hooks/own.ts': hooks,
    'rules.yaml': rules,
    '.claude/settings.json': JSON.stringify(settings, undefined, 2),
  };
  for (const [path, text] of Object.entries(files)) write(folder, path, text);
  return folder;
}

/** Writes a file below a folder. */
export function write(folder: string, path: string, text: string): string {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
  return join(folder, path);
}

let inputs = 0;

/** Writes a value as JSON. */
export function jsonFile(folder: string, value: unknown, name = `input-${++inputs}.json`): string {
  return write(folder, name, JSON.stringify(value));
}
