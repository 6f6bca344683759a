import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { exitCodes } from '../exit-codes.ts';
import { equals, runnerImports, type TestRunner } from '../new/templates.ts';
import { findTestRunner, testCommand } from '../new/test-runner.ts';
import { usualSettings } from '../project/parts.ts';
import { type NewFile, writeFiles } from '../write-files.ts';

/** The options of `spec-hooks init`, as they were typed. */
export interface InitFlags {
  readonly test?: TestRunner;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** Writes a configuration, a hook and its test. Gives the exit code. */
export async function init(folder: string, { test, force = false, json }: InitFlags): Promise<number> {
  const runner = test ?? findTestRunner(folder);
  const settings = usualSettings.filter((file) => existsSync(join(folder, file)));
  const files = starter(runner, settings).map(({ path, text }) => ({ path: join(folder, path), text }));
  await writeFiles(files, { force });
  const paths = files.map(({ path }) => path);
  if (json) process.stdout.write(`${JSON.stringify({ files: paths }, undefined, 2)}\n`);
  else process.stdout.write(describeWritten(paths, runner, settings));
  return exitCodes.fine;
}

function starter(runner: TestRunner, settings: readonly string[]): NewFile[] {
  return [
    { path: 'hooks.config.ts', text: configText(settings) },
    { path: 'hooks/limit-to-20-messages.ts', text: HOOK },
    { path: 'hooks/limit-to-20-messages.test.ts', text: testText(runner) },
  ];
}

function configText(settings: readonly string[]): string {
  const list = settings.map((file) => `'${file}'`).join(', ');
  return `import { defineConfig } from '@spec/cli';

export default defineConfig({
  // Prompts and agents name these hooks by their ids.
  hooks: 'hooks',
  // Hooks that run everywhere: policies: 'policies',
  // Command hooks of settings files, and rules: rules: 'rules.yaml',
  settings: [${list}],
  // The tools that agents have; spec-hooks check reports matchers that match none of them: tools: ['Bash', 'Read'],
});
`;
}

const HOOK = `import { defineHook } from '@spec/hooks';

/** The model sees the newest 20 messages, from a question on: the result of a tool is never without its call. */
export default defineHook({
  hook: 'filter_messages',
  id: 'limit_to_20_messages',
  reads: { last: 20 },
  execute: async (state, messages) => {
    const start = messages.findIndex(({ role }, index) => role === 'user' && index >= messages.length - 20);
    return start === -1 ? messages : messages.slice(start);
  },
});
`;

function testText(runner: TestRunner): string {
  const kit = `import { runHook, userMessage } from '@spec/hooks/testing';`;
  return `${runnerImports[runner](kit)}
import hook from './limit-to-20-messages.ts';

test('the newest 20 messages are kept', async () => {
  const messages = Array.from({ length: 25 }, (_, i) => userMessage(\`message \${i}\`));
  const { result } = await runHook(hook, messages);
  ${equals[runner]('result.map(({ content }) => content)', 'messages.slice(5).map(({ content }) => content)')}
});
`;
}

function describeWritten(paths: readonly string[], runner: TestRunner, settings: readonly string[]): string {
  const trust =
    settings.length === 0
      ? ''
      : '  spec-hooks trust                 look at the settings files that were here\n';
  return `Written: ${paths.join(', ')}

Next:
  npm install @spec/hooks && npm install --save-dev @spec/cli
  ${testCommand(runner, paths[2] ?? '')}
${trust}  spec-hooks list                  what runs when
  spec-hooks new before_tool_call my_guard
`;
}
