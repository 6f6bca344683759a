import { type AnyHookKind, type LifecycleName, lifecycleRow, lifecycleTable } from '@spec/hooks';
import type { NewFile } from '../write-files.ts';

/** What a new hook is made of. */
export interface NewHook {
  readonly hook: LifecycleName;
  readonly id: string;
  /** The folder of the module. */
  readonly folder: string;
  readonly runner: TestRunner;
  readonly extension: ModuleExtension;
}

/** What a module's file ends with. */
export type ModuleExtension = 'ts' | 'mts';

/** How a module is imported from beside it: by the name that compiling gives it, which every tool understands. */
export function importedAs(name: string, extension: ModuleExtension): string {
  return `./${name}.${extension.replace('ts', 'js')}`;
}

/** Who runs the tests of a project. */
export type TestRunner = 'vitest' | 'node';

/** How the arguments after the state are called, and values of them for a first test. */
interface Sample {
  readonly parameters: readonly string[];
  readonly values: string;
}

const session = `{ sessionId: 'session_1', source: 'created', agentId: 'helper', parentId: null }`;
const call = `toolCall('get_weather', { city: 'Oslo' })`;

const samples: Readonly<Record<LifecycleName, Sample>> = {
  after_thread_created: { parameters: [], values: '' },
  after_subagent_created: { parameters: ['child'], values: 'fakeState()' },
  after_system_message: { parameters: ['systemMessage'], values: `'Be kind.'` },
  filter_messages: { parameters: ['messages'], values: `[userMessage('Hello.')]` },
  prefilter_llm_history: { parameters: ['messages'], values: `[userMessage('Hello.')]` },
  before_create_message: { parameters: ['message'], values: `userMessage('Hello.')` },
  after_create_message: { parameters: ['message'], values: `userMessage('Hello.')` },
  before_update_message: {
    parameters: ['messageId', 'updates'],
    values: `'message_1', { content: 'Hello.' }`,
  },
  after_update_message: { parameters: ['message'], values: `userMessage('Hello.')` },
  before_store_tool_result: {
    parameters: ['toolCall', 'result'],
    values: `{ ...${call} }, { ...toolResult('12 degrees') }`,
  },
  after_tool_call_success: {
    parameters: ['toolCall', 'result'],
    values: `${call}, toolResult('12 degrees')`,
  },
  after_tool_call_failure: {
    parameters: ['toolCall', 'result'],
    values: `${call}, toolError('no such city')`,
  },
  before_user_message: { parameters: ['message'], values: `userMessage('Hello.')` },
  before_tool_call: { parameters: ['toolCall'], values: call },
  before_permission_request: { parameters: ['request'], values: `{ toolCall: ${call} }` },
  before_model_call: { parameters: ['request'], values: 'modelRequest()' },
  after_model_call: { parameters: ['call'], values: 'modelCall()' },
  after_tool_batch: {
    parameters: ['results'],
    values: `[{ toolCall: ${call}, result: toolResult('12 degrees') }]`,
  },
  before_stop: { parameters: ['stop'], values: `{ reason: 'completed', keptGoing: 0 }` },
  before_compaction: { parameters: ['info'], values: `{ trigger: 'manual', messageCount: 2 }` },
  after_session_started: { parameters: ['session'], values: session },
  after_session_ended: { parameters: ['session'], values: session },
  after_notification: { parameters: ['notification'], values: `{ kind: 'idle', message: 'Waiting.' }` },
};

/** A hook that lets everything be, by its kind: what it may return. */
const bodies: Readonly<Record<AnyHookKind, (subject: string) => string>> = {
  observe: () => '// Look on: what is returned is ignored.',
  replace: (subject) => `// Return another ${subject}, or null to keep this one.\n    return null;`,
  transform: (subject) =>
    `// Return what takes its place; ${subject} is a copy and may be changed.\n    return ${subject};`,
  decide: () => `// Return { decision: 'deny', reason: '…' }, or null for no opinion.\n    return null;`,
  collect: () => '// Return what the model is to be told, or null.\n    return null;',
};

/** What keeps a turn going is an answer of its own. */
const stopBody = `// Return { keepGoing: 'why' } to have the turn go on, or null to let it end.\n    return null;`;

/** The module of a hook and its test. */
export function hookFiles({ hook, id, folder, runner, extension }: NewHook): NewFile[] {
  const name = id.replaceAll('_', '-');
  return [
    { path: `${folder}/${name}.${extension}`, text: moduleText(hook, id) },
    { path: `${folder}/${name}.test.${extension}`, text: testText({ hook, id, name, runner, extension }) },
  ];
}

function moduleText(hook: LifecycleName, id: string): string {
  const { parameters } = samples[hook];
  const { kind, trigger } = lifecycleTable[hook];
  const body = lifecycleRow(hook).decide?.keepsGoing ? stopBody : bodies[kind](parameters.at(-1) ?? 'state');
  return `import { defineHook } from '@spec/hooks';

/** ${trigger}. */
export default defineHook({
  hook: '${hook}',
  id: '${id}',
  execute: async (${['state', ...parameters].join(', ')}) => {
    ${body}
  },
});
`;
}

interface TestParts extends Pick<NewHook, 'hook' | 'id' | 'runner' | 'extension'> {
  readonly name: string;
}

function testText({ hook, id, name, runner, extension }: TestParts): string {
  const { values } = samples[hook];
  const helpers = [
    'fakeState',
    'modelCall',
    'modelRequest',
    'toolCall',
    'toolError',
    'toolResult',
    'userMessage',
  ].filter((helper) => values.includes(`${helper}(`));
  const imports = ['runHook', ...helpers].sort().join(', ');
  const args = ['hook', ...(values === '' ? [] : [values])].join(', ');
  return `${runnerImports[runner](`import { ${imports} } from '@spec/hooks/testing';`)}
import hook from '${importedAs(name, extension)}';

test('${id} runs, and changes nothing yet', async () => {
  const { run } = await runHook(${args});
  ${equals[runner]('run.outcome', `'ok'`)}
});
`;
}

/** How each runner is imported, around the import of the test kit. */
export const runnerImports: Readonly<Record<TestRunner, (kit: string) => string>> = {
  vitest: (kit) => `${kit}\nimport { expect, test } from 'vitest';`,
  // Compilers that are told of no types know nothing of Node otherwise.
  node: (kit) =>
    `/// <reference types="node" />\nimport { deepEqual } from 'node:assert/strict';\nimport { test } from 'node:test';\n${kit}`,
};

/** How each runner says that two values are equal. */
export const equals: Readonly<Record<TestRunner, (actual: string, expected: string) => string>> = {
  vitest: (actual, expected) => `expect(${actual}).toEqual(${expected});`,
  node: (actual, expected) => `deepEqual(${actual}, ${expected});`,
};
