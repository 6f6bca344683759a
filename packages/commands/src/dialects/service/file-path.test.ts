import type { JsonObject } from 'type-fest';
import { expect, onTestFinished, test } from 'vitest';
import { sampleRuntime } from '../../../test/plain-dialect.ts';
import { projectFolder } from '../../../test/project-folder.ts';
import { loadSettings } from '../../load-settings.ts';

const PATHS = { file_path: 'a.ts', path: '.env' };

/** Calls a tool under a guard and an observer, and tells what became of the call and what the observer wrote. */
async function callUnder(command: string, input: JsonObject, failureBehavior: string) {
  const observe = { hooks: [{ type: 'command', command: 'echo "[$FILE_PATH]" >> seen' }] };
  const guard = { hooks: [{ type: 'command', command }] };
  const hooks = { failureBehavior, timeoutBehavior: 'deny', PreToolUse: [guard], PostToolUse: [observe] };
  const project = projectFolder({
    'settings.json': { dialect: 'service', hooks },
    'guard.sh': 'case "$FILE_PATH" in *.env) exit 2;; esac\n',
    seen: '',
  });
  const loaded = await loadSettings([`${project.path}/settings.json`], {
    trust: 'all',
    projectDir: project.path,
  });
  onTestFinished(() => loaded.close());
  const { runtime } = sampleRuntime(loaded.hooks, [{ toolCalls: [{ name: 'Read', input }] }, 'Done.']);
  const thread = await runtime.createThread({ agent: 'helper' });
  await thread.send('Hello');
  const result = (await thread.messages()).find(({ role }) => role === 'tool')?.content;
  return { result, seen: project.read('seen') };
}

test.each([
  ['sh guard.sh', 'deny'],
  ['sh guard.sh', 'ignore'],
  ['case "$FILE_PATH" in *.env) exit 2;; esac', 'ignore'],
])(
  'a guard that reads FILE_PATH denies a call with two paths: %s, failures %s',
  async (command, behavior) => {
    const { result } = await callUnder(command, PATHS, behavior);
    expect(result).toContain('denied');
    expect((await callUnder(command, { file_path: 'a.ts' }, behavior)).result).toBe('Read ran');
  },
);

test.each([{ file_path: ['a.ts', '.env'] }, { file_path: 'a.ts', edits: [{ file_path: '.env' }] }])(
  'a list and an object hide no path: %j',
  async (input) => {
    expect((await callUnder('sh guard.sh', input, 'ignore')).result).toContain('denied');
  },
);

test('what does not read it runs, and an observer is given none of the two', async () => {
  const { result, seen } = await callUnder('true', PATHS, 'deny');
  expect(result).toBe('Read ran');
  expect(seen).toBe('[]\n');
});
