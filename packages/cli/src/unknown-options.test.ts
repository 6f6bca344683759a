// An option that does not exist is refused by every function that takes options: left out in silence, it switches protection off.
import {
  cacheModelCalls,
  limitCost,
  limitMessages,
  logToolCalls,
  redact,
  stampMetadata,
} from '@spec/builtins';
import { sqliteCosts } from '@spec/builtins/sqlite';
import { commandHooks, convert, createCommandRunner, createHookService, loadSettings } from '@spec/commands';
import { judge } from '@spec/conformance';
import { compileMatcher, createExecutor, createRegistry, defineHook } from '@spec/hooks';
import { loadHooks } from '@spec/hooks/node';
import { fakeState, runHook } from '@spec/hooks/testing';
import { createRules, loadRules, skillRules, threadRules } from '@spec/rules';
import { createRuntime, defineAgent, definePrompt, defineTool } from '@spec/runtime';
import { mcpServer } from '@spec/runtime/mcp';
import { skillLoader } from '@spec/runtime/skills';
import { sqliteStore } from '@spec/runtime/sqlite';
import { scriptedModel } from '@spec/runtime/testing';
import { streamTurn, toUIMessageStream, uiMessageStreamResponse } from '@spec/runtime/ui-stream';
import {
  codeChangedWithoutTests,
  contextUtilisation,
  defineTrigger,
  longOutputCut,
  manyFilesChanged,
  sensitiveFileChanged,
  triggerHooks,
} from '@spec/triggers';
import { describe, expect, test } from 'vitest';

/** Calls a function as JavaScript can: with an option that its types do not have. */
type Call = (extra: Record<string, unknown>) => unknown;

const execute = () => null;
const quiet = { hook: 'after_notification', id: 'quiet', execute: async () => {} } as const;
const prompt = { name: 'p' };
const agent = { name: 'a', prompt: 'p' };
const sides = { a: { prompt: 'p' }, b: { prompt: 'p' } };
const runtimeOptions = { agents: [agent], prompts: [prompt], models: { m: scriptedModel([]) } };
const trigger = { id: 't', on: 'user_message', message: 'hello' } as const;

async function withThread(
  act: (thread: Awaited<ReturnType<Runtime['createThread']>>) => unknown,
): Promise<void> {
  const runtime = createRuntime(runtimeOptions);
  try {
    await act(await runtime.createThread({ agent: 'a' }));
  } finally {
    await runtime.close();
  }
}

type Runtime = ReturnType<typeof createRuntime>;

/** By what is called: the misspelt option, the one that was meant, and the call. */
const calls: Readonly<Record<string, readonly [wrong: string, meant: string, call: Call]>> = {
  defineHook: ['timeOut', 'timeout', (extra) => defineHook({ ...quiet, ...extra })],
  compileMatcher: ['regexp', 'regex', (extra) => compileMatcher('Bash', extra)],
  createExecutor: ['onRunn', 'onRun', (extra) => createExecutor(extra)],
  createRegistry: ['policy', 'policies', (extra) => createRegistry(extra)],
  loadHooks: ['interva', 'interval', (extra) => loadHooks('.', extra)],
  limitCost: ['token', 'tokens', (extra) => limitCost({ tokens: 1, ...extra })],
  cacheModelCalls: ['expire', 'expires', (extra) => cacheModelCalls(extra)],
  sqliteCosts: ['paths', 'path', (extra) => sqliteCosts({ path: ':memory:', ...extra })],
  fakeState: ['message', 'messages', (extra) => fakeState(extra)],
  'runHook.with': [
    'timeOut',
    'timeout',
    (extra) => runHook.with(extra)(defineHook(quiet), { kind: 'k', message: 'm' }),
  ],
  limitMessages: ['keepSystems', 'keepSystem', (extra) => limitMessages(3, extra)],
  logToolCalls: ['value', 'values', (extra) => logToolCalls({ sink: () => {}, ...extra })],
  stampMetadata: ['field', 'fields', (extra) => stampMetadata(extra)],
  redact: ['kind', 'kinds', (extra) => redact(extra)],
  'redact, restore': ['tool', 'tools', (extra) => redact({ restore: { to: 'tools', ...extra } as never })],
  createRuntime: ['policy', 'policies', (extra) => createRuntime({ ...runtimeOptions, ...extra })],
  'createRuntime, ledger': [
    'maxByte',
    'maxBytes',
    (extra) => createRuntime({ ...runtimeOptions, ledger: extra as never }),
  ],
  definePrompt: ['hook', 'hooks', (extra) => definePrompt({ ...prompt, ...extra })],
  'definePrompt, settings': [
    'temprature',
    'temperature',
    (extra) => definePrompt({ ...prompt, settings: extra as never }),
  ],
  'definePrompt, compaction': [
    'atToken',
    'atTokens',
    (extra) => definePrompt({ ...prompt, compaction: extra as never }),
  ],
  defineAgent: ['promt', 'prompt', (extra) => defineAgent({ ...agent, ...extra })],
  'defineAgent, side': [
    'maxTurn',
    'maxTurns',
    (extra) =>
      defineAgent({ name: 'd', type: 'dual_ai', sides: { ...sides, b: { ...sides.b, ...extra } as never } }),
  ],
  defineTool: ['permissions', 'permission', (extra) => defineTool({ name: 't', execute, ...extra })],
  'defineTool, of an agent': [
    'permissions',
    'permission',
    (extra) => defineTool({ name: 't', agent: 'a', ...extra }),
  ],
  'runtime.createThread': [
    'userID',
    'userId',
    (extra) => createRuntime(runtimeOptions).createThread({ agent: 'a', ...extra }),
  ],
  'runtime.openThread': [
    'permissionmode',
    'permissionMode',
    (extra) => createRuntime(runtimeOptions).openThread('x', extra),
  ],
  'runtime.listThreads': [
    'interupted',
    'interrupted',
    (extra) => createRuntime(runtimeOptions).listThreads(extra),
  ],
  'runtime.resumeAll': [
    'concurency',
    'concurrency',
    (extra) => createRuntime(runtimeOptions).resumeAll(extra),
  ],
  'ledger.runs': ['limits', 'limit', (extra) => createRuntime(runtimeOptions).ledger.runs(extra)],
  'ledger.prune': ['maxByte', 'maxBytes', (extra) => createRuntime(runtimeOptions).ledger.prune(extra)],
  'thread.send': ['ids', 'id', (extra) => withThread((thread) => thread.send('hello', extra))],
  'thread.queue': [
    'woke',
    'wake',
    (extra) => withThread((thread) => thread.queue({ role: 'user', content: 'hello' }, extra)),
  ],
  'thread.compact': ['keepToken', 'keepTokens', (extra) => withThread((thread) => thread.compact(extra))],
  'thread.messages': ['lastt', 'last', (extra) => withThread((thread) => thread.messages(extra))],
  'thread.runs': ['limits', 'limit', (extra) => withThread((thread) => thread.runs(extra))],
  'thread.events': ['child', 'children', (extra) => withThread((thread) => thread.events(extra))],
  'thread.on': ['onErr', 'onError', (extra) => withThread((thread) => thread.on(() => {}, extra))],
  sqliteStore: ['synchronus', 'synchronous', (extra) => sqliteStore({ path: ':memory:', ...extra })],
  mcpServer: ['timeOut', 'timeout', (extra) => mcpServer({ name: 'm', command: 'true', ...extra })],
  skillLoader: ['hookOf', 'hooksOf', (extra) => skillLoader({ folder: '.', ...extra })],
  toUIMessageStream: ['turnID', 'turnId', (extra) => toUIMessageStream((async function* () {})(), extra)],
  streamTurn: ['onErrors', 'onError', (extra) => withThread((thread) => streamTurn(thread, 'hello', extra))],
  uiMessageStreamResponse: [
    'keepalive',
    'keepAlive',
    (extra) => uiMessageStreamResponse(new ReadableStream(), extra),
  ],
  createRules: ['dedline', 'deadline', (extra) => createRules([], extra)],
  loadRules: ['names', 'name', (extra) => loadRules([], extra)],
  skillRules: ['onlog', 'onLog', (extra) => skillRules(extra)],
  threadRules: ['names', 'name', (extra) => threadRules(extra)],
  triggerHooks: ['budgets', 'budget', (extra) => triggerHooks([], extra)],
  defineTrigger: ['messages', 'message', (extra) => defineTrigger({ ...trigger, ...extra })],
  sensitiveFileChanged: ['path', 'paths', (extra) => sensitiveFileChanged(extra)],
  codeChangedWithoutTests: ['test', 'tests', (extra) => codeChangedWithoutTests(extra)],
  manyFilesChanged: ['counts', 'count', (extra) => manyFilesChanged(extra)],
  contextUtilisation: ['windows', 'window', (extra) => contextUtilisation({ window: 9, ...extra })],
  longOutputCut: ['iscut', 'isCut', (extra) => longOutputCut(extra)],
  loadSettings: ['trusted', 'trust', (extra) => loadSettings([], extra)],
  'loadSettings, claude': ['outputdir', 'outputDir', (extra) => loadSettings([], { claude: extra as never })],
  'loadSettings, service': [
    'enviroment',
    'environment',
    (extra) => loadSettings([], { service: extra as never }),
  ],
  commandHooks: ['passes', 'pass', (extra) => commandHooks([], extra)],
  convert: ['files', 'file', (extra) => convert('{}', { to: 'claude', ...extra })],
  createCommandRunner: ['maxConcurent', 'maxConcurrent', (extra) => createCommandRunner(extra)],
  createHookService: ['onNotices', 'onNotice', (extra) => createHookService({ hooks: [], ...extra })],
  judge: ['onlly', 'only', (extra) => judge({} as never, extra)],
};

describe('an option that does not exist', () => {
  test.each(Object.entries(calls))(
    'is refused by %s, which names the one that was meant',
    async (_name, [wrong, meant, call]) => {
      await expect(async () => call({ [wrong]: undefined })).rejects.toThrow(
        `there is no option "${wrong}". Did you mean "${meant}"?`,
      );
    },
  );
});

describe('what is no object of options', () => {
  test.each([null, 'redact', 7, [1]])('is refused: %j', (given) => {
    expect(() => redact(given as never)).toThrow('redact: options must be an object.');
  });
});
