import { RunError } from '../errors.ts';
import { readGivenMessage } from '../user-content.ts';
import type { ExecutionState, NewMessage, ThreadState } from '../vocabulary/state.ts';
import type { FakeFiles } from './fake-files.ts';
import type { FakeMessages } from './fake-messages.ts';
import { type FakeTool, type FakeToolUse, runFakeTool, toolNamed } from './fake-tools.ts';
import type { FakeValues } from './fake-values.ts';
import { nextId } from './fixtures.ts';

/** What a fake thread holds. */
export interface FakeThread {
  readonly messages: FakeMessages;
  readonly values: FakeValues;
  readonly files: FakeFiles;
  readonly queued: NewMessage[];
  readonly events: Array<{ readonly event: string; readonly data: unknown }>;
  readonly queuedTools: FakeToolUse[];
  readonly invokedTools: FakeToolUse[];
  terminated: string | null;
}

type MessageMethods = Pick<
  ThreadState,
  'getMessages' | 'getMessage' | 'injectMessage' | 'updateMessage' | 'deleteMessage' | 'queueMessage'
>;

export function messageMethods(thread: FakeThread): MessageMethods {
  const { messages } = thread;
  return {
    getMessages: async (range) => messages.list(range),
    getMessage: async (id) => messages.get(id),
    async injectMessage(message) {
      refuseTerminated(thread);
      return messages.append(readGivenMessage(message));
    },
    async updateMessage(id, updates) {
      refuseTerminated(thread);
      return messages.update(id, updates);
    },
    deleteMessage: async (id) => messages.remove(id),
    async queueMessage(message) {
      refuseTerminated(thread);
      thread.queued.push(structuredClone(readGivenMessage(message)));
    },
  };
}

type ToolMethods = Pick<ThreadState, 'queueTool' | 'invokeTool' | 'loadTool' | 'toolNames'>;

export function toolMethods(thread: FakeThread, tools: Readonly<Record<string, FakeTool>> = {}): ToolMethods {
  return {
    loadTool: async (id) => tools[id] ?? null,
    toolNames: () => Object.keys(tools),
    async queueTool(name, input) {
      toolNamed(name, tools);
      thread.queuedTools.push(structuredClone({ name, input }));
    },
    async invokeTool(name, input) {
      const tool = toolNamed(name, tools);
      thread.invokedTools.push(structuredClone({ name, input }));
      return runFakeTool(tool, input);
    },
  };
}

type DefinitionMethods = Pick<
  ThreadState,
  'loadAgent' | 'loadPrompt' | 'loadModel' | 'agentNames' | 'promptNames' | 'modelNames'
>;

/** Agents, prompts and models by id; what they are is up to the test. */
export interface FakeDefinitions {
  readonly agents?: Readonly<Record<string, unknown>>;
  readonly prompts?: Readonly<Record<string, unknown>>;
  readonly models?: Readonly<Record<string, unknown>>;
}

export function definitionMethods({
  agents = {},
  prompts = {},
  models = {},
}: FakeDefinitions): DefinitionMethods {
  return {
    loadAgent: async (id) => agents[id] ?? null,
    loadPrompt: async (id) => prompts[id] ?? null,
    loadModel: async (id) => models[id] ?? null,
    agentNames: () => Object.keys(agents),
    promptNames: () => Object.keys(prompts),
    modelNames: () => Object.keys(models),
  };
}

type StorageMethods = Pick<
  ThreadState,
  'getValue' | 'setValue' | 'setValuesIf' | 'writeFile' | 'readFile' | 'statFile' | 'listFiles' | 'unlinkFile'
>;

export function storageMethods({ values, files }: FakeThread): StorageMethods {
  return {
    getValue: async (key) => values.get(key),
    setValue: async (key, value) => values.set(key, value),
    setValuesIf: async (expected, given) => values.setIf(expected, given),
    writeFile: async (path, data, mimeType) => files.write(path, data, mimeType),
    readFile: async (path) => files.read(path),
    statFile: async (path) => files.stat(path),
    listFiles: async (prefix) => files.list(prefix),
    unlinkFile: async (path) => files.remove(path),
  };
}

/** An execution that a test aborts. */
export interface FakeExecution {
  readonly execution: ExecutionState;
  readonly abort: (reason?: unknown) => void;
}

export function fakeExecution(
  start: Partial<Pick<ExecutionState, 'flowId' | 'currentSide' | 'stepCount' | 'stopped' | 'callKey'>> = {},
): FakeExecution {
  const controller = new AbortController();
  let { stopped = false } = start;
  const execution: ExecutionState = {
    flowId: start.flowId ?? nextId('flow'),
    currentSide: start.currentSide ?? 'a',
    stepCount: start.stepCount ?? 1,
    callKey: start.callKey,
    abortSignal: controller.signal,
    get stopped() {
      return stopped;
    },
    stop() {
      stopped = true;
    },
  };
  return {
    execution,
    abort(reason = new DOMException('the thread was stopped', 'AbortError')) {
      stopped = true;
      controller.abort(reason);
    },
  };
}

function refuseTerminated({ terminated }: FakeThread): void {
  if (terminated !== null)
    throw new RunError('thread_terminated', 'The thread was terminated and accepts no more messages.');
}
