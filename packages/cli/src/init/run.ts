import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { exitCodes } from '../exit-codes.ts';
import { findAbove, isInstalled, moduleExtension } from '../new/surroundings.ts';
import {
  equals,
  importedAs,
  type ModuleExtension,
  runnerImports,
  type TestRunner,
} from '../new/templates.ts';
import { findTestRunner } from '../new/test-runner.ts';
import { usualSettings } from '../project/parts.ts';
import { type NewFile, writeFiles } from '../write-files.ts';
import { describeWritten } from './next-steps.ts';

/** The options of `spec-hooks init`, as they were typed. */
export interface InitFlags {
  readonly test?: TestRunner;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** Writes a configuration, a hook, its test and its case. Gives the exit code. */
export async function init(folder: string, { test, force = false, json }: InitFlags): Promise<number> {
  const runner = test ?? findTestRunner(folder);
  const settings = usualSettings.filter((file) => existsSync(join(folder, file)));
  const hasTypes = findAbove(folder, 'tsconfig.json') !== undefined;
  const starter = starterFiles({ runner, settings, extension: moduleExtension(folder), hasTypes });
  const files = starter.map(({ path, text }) => ({ path: join(folder, path), text }));
  await writeFiles(files, { force });
  const paths = files.map(({ path }) => path);
  if (json) process.stdout.write(`${JSON.stringify({ files: paths }, undefined, 2)}\n`);
  else
    process.stdout.write(
      describeWritten({ folder, paths, runner, settings, isInstalled: (name) => isInstalled(folder, name) }),
    );
  return exitCodes.fine;
}

interface Starter {
  readonly runner: TestRunner;
  readonly settings: readonly string[];
  readonly extension: ModuleExtension;
  /** Whether the project says already how its types are checked. */
  readonly hasTypes: boolean;
}

function starterFiles({ runner, settings, extension, hasTypes }: Starter): NewFile[] {
  const hook = 'hooks/limit-to-20-messages';
  const files = [
    { path: `hooks.config.${extension}`, text: configText(settings) },
    { path: `${hook}.${extension}`, text: HOOK },
    { path: `${hook}.test.${extension}`, text: testText(runner, extension) },
    { path: `${hook}.hooks.yaml`, text: CASES },
  ];
  return hasTypes ? files : [...files, { path: 'tsconfig.json', text: typesText(extension) }];
}

function configText(settings: readonly string[]): string {
  const list = settings.map((file) => `'${file}'`).join(', ');
  const named = `settings: [${list}],`;
  return `import { defineConfig } from '@spec/cli';

export default defineConfig({
  // These hooks run everywhere. Those that only run where a prompt or an agent names them: hooks: 'named-hooks',
  policies: 'hooks',
${settings.length === 0 ? NO_SETTINGS : `  // Command hooks of settings files.\n  ${named}`}
  // Rules: rules: 'rules.yaml',
  // The SQLite file of your threads, for log, stats and inspect: store: 'threads.db',
  // The tools that agents have; spec-hooks check reports matchers that match none of them: tools: ['Bash', 'Read'],
});
`;
}

const NO_SETTINGS = `  // Command hooks of settings files, which are read where they are named: settings: ['.claude/settings.json'],`;

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

const CASES = `# Run by "spec-hooks test": what the hooks of this project make of an event.
cases:
  - name: a short conversation is kept whole
    event: filter_messages
    input: [{ role: user, content: Hello. }]
    expect:
      output: [{ role: user, content: Hello. }]
`;

function typesText(extension: ModuleExtension): string {
  const compilerOptions = {
    target: 'ES2023',
    module: 'NodeNext',
    types: ['node'],
    strict: true,
    skipLibCheck: true,
    noEmit: true,
  };
  return `${JSON.stringify({ compilerOptions, include: [`hooks.config.${extension}`, 'hooks'] }, undefined, 2)}\n`;
}

function testText(runner: TestRunner, extension: ModuleExtension): string {
  const kit = `import { runHook, userMessage } from '@spec/hooks/testing';`;
  return `${runnerImports[runner](kit)}
import hook from '${importedAs('limit-to-20-messages', extension)}';

test('the newest 20 messages are kept', async () => {
  const messages = Array.from({ length: 25 }, (_, i) => userMessage(\`message \${i}\`));
  const { result } = await runHook(hook, messages);
  ${equals[runner]('result.map(({ content }) => content)', 'messages.slice(5).map(({ content }) => content)')}
});
`;
}
