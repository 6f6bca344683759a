import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AnyHook, defineHook } from '@spec/hooks';
import { createRuntime, defineAgent, definePrompt } from '@spec/runtime';
import { scriptedModel } from '@spec/runtime/testing';
import { expect, onTestFinished, test } from 'vitest';
import { projectFolder } from '../../../test/project-folder.ts';
import { calls, stage } from '../../../test/scene.ts';
import { loadSettings } from '../../load-settings.ts';
import { createClaude } from './index.ts';

const VALUE = 'Correct-Horse-9x7y5z';

const outputFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'claude-output-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

const hide = (text: string): string => text.replaceAll(VALUE, '[SECRET_1]');

/** As `redact` does it: values become placeholders before they are stored, and values again for the tool. */
const redacting: Readonly<Record<string, AnyHook>> = {
  restore: defineHook({
    hook: 'before_tool_call',
    id: 'values',
    execute: async () => null,
    restore: async (_state, call) => ({
      ...call,
      function: {
        ...call.function,
        arguments: call.function.arguments.replaceAll('[SECRET_1]', VALUE),
      },
    }),
    conceal: async (_state, _call, decision) => JSON.parse(hide(JSON.stringify(decision))),
  }),
  message: defineHook({
    hook: 'before_create_message',
    id: 'messages',
    execute: async (_state, message) => JSON.parse(hide(JSON.stringify(message))),
  }),
  result: defineHook({
    hook: 'before_store_tool_result',
    id: 'results',
    execute: async (_state, _call, result) => JSON.parse(hide(JSON.stringify(result))),
  }),
  history: defineHook({
    hook: 'prefilter_llm_history',
    id: 'history',
    execute: async (_state, messages) => JSON.parse(hide(JSON.stringify(messages))),
  }),
};

/** A command that answers with `before` and the value across the 10,000th character. */
const long = (answer: string): object => ({
  type: 'command',
  command: `node -e 'const s = "p".repeat(9990) + "${VALUE}" + " tail".repeat(1000); console.log(${answer})'`,
});
const specific = (eventName: string, fields: string): string =>
  `JSON.stringify({ systemMessage: s, hookSpecificOutput: { hookEventName: "${eventName}", ${fields} } })`;

const files: Readonly<Record<string, object>> = {
  PreToolUse: {
    PreToolUse: [
      {
        hooks: [
          long(
            specific(
              'PreToolUse',
              'permissionDecision: "deny", permissionDecisionReason: s, additionalContext: s',
            ),
          ),
        ],
      },
    ],
  },
  PostToolUse: { PostToolUse: [{ hooks: [long(specific('PostToolUse', 'additionalContext: s'))] }] },
  UserPromptSubmit: { UserPromptSubmit: [{ hooks: [long('s')] }] },
};

test.each(Object.keys(files))(
  'what a long answer on %s holds is cut and kept by nobody before it is taken out',
  async (event) => {
    const outputDir = outputFolder();
    const { thread, sent } = await stage({
      dialect: createClaude({ outputDir }),
      files: [files[event] as object],
      before: Object.values(redacting),
      script: [calls('Bash', { command: 'x [SECRET_1]' }), 'Done.'],
    });
    await thread.send('Hello');
    const said = sent() + JSON.stringify(await thread.messages());
    expect(said).toContain(`ppp[SECRET_1] tail`);
    expect(said).not.toContain(VALUE.slice(0, 8));
    expect(readdirSync(outputDir)).toEqual([]);
  },
);

test.each(Object.entries(redacting))('nothing is kept where there is but %s', async (_, hook) => {
  const outputDir = outputFolder();
  const dialect = createClaude({ outputDir });
  const { thread } = await stage({ dialect, files: [files.UserPromptSubmit as object], before: [hook] });
  await thread.send('Hello');
  expect(readdirSync(outputDir)).toEqual([]);
});

test('else it is cut, kept in a file, and the file goes when the settings are closed', async () => {
  const folder = projectFolder({ 'settings.json': JSON.stringify({ hooks: files.UserPromptSubmit }) });
  const options = { trust: 'all', projectDir: folder.path } as const;
  const loaded = await loadSettings([join(folder.path, 'settings.json')], options);
  const runtime = createRuntime({
    policies: loaded.hooks,
    models: { main: scriptedModel(['Hm.']) },
    agents: [defineAgent({ name: 'helper', prompt: 'main' })],
    prompts: [definePrompt({ name: 'main' })],
  });
  onTestFinished(() => runtime.close());
  const thread = await runtime.createThread({ agent: 'helper' });
  await thread.send('Hello');
  const texts = (await thread.messages()).map(({ content }) => content).join();
  const path = /the whole output is in (.*?)\]/.exec(texts)?.[1] as string;
  expect(existsSync(path)).toBe(true);
  await loaded.close();
  expect(existsSync(path)).toBe(false);
  expect(existsSync(join(path, '..'))).toBe(false);
});
