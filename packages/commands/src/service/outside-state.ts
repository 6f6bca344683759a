import { type ExecutionState, RunError, requireText, type ThreadState } from '@spec/hooks';

/** What a hook has to say that no function of the service returns. */
export interface Notice {
  /** `context` is for the model, `message` for the person, `keep-going` why the turn must go on, `end-turn` that it must end. */
  readonly kind: 'context' | 'message' | 'keep-going' | 'end-turn' | 'denied';
  readonly text: string;
  readonly sessionId: string;
}

/** A session of a loop that is not ours. */
export interface OutsideSession {
  readonly sessionId: string;
  readonly permissionMode: string;
  readonly note: (kind: Notice['kind'], text: string) => void;
}

/** Where hooks look up the permission mode; a thread of the runtime has it there too. */
const MODE_KEY = 'runtime/permission-mode';

/**
 * A session as hooks see a thread. It has no messages, files, tools or models: what a hook asks for is not there, and what it wants
 * to write beyond a message is refused.
 */
export function outsideState({ sessionId, permissionMode, note }: OutsideSession): ThreadState {
  const none = async (): Promise<null> => null;
  const noNames = (): readonly string[] => [];
  const refuse = (write: string) => async (): Promise<never> => {
    const message = `A hook called ${write}, which a hook service has no thread for. Run such hooks in a runtime.`;
    throw new RunError('not_found', message, { threadId: sessionId });
  };
  return {
    threadId: sessionId,
    agentId: 'main',
    userId: null,
    usage: { inputTokens: 0, outputTokens: 0, reasoningTokens: 0, cachedTokens: 0 },
    execution: makeExecution(note),
    children: [],
    getMessages: async () => [],
    getMessage: none,
    async injectMessage(given) {
      const message = requireText(given);
      if (typeof message.content === 'string') note('context', message.content);
      return { id: crypto.randomUUID(), created_at: Date.now() * 1_000, ...message };
    },
    loadAgent: none,
    loadPrompt: none,
    loadModel: none,
    loadTool: none,
    agentNames: noNames,
    promptNames: noNames,
    modelNames: noNames,
    toolNames: noNames,
    getValue: async (key) => (key === MODE_KEY ? permissionMode : undefined),
    readFile: none,
    statFile: none,
    listFiles: async () => [],
    getChildThread: none,
    getParentThread: none,
    emit: (_event, data) => {
      const { message } = (data ?? {}) as { readonly message?: unknown };
      if (typeof message === 'string') note('message', message);
    },
    terminate: async () => note('end-turn', 'A hook ended the session.'),
    ...refusedWrites(refuse),
  };
}

type RefusedWrite =
  | 'updateMessage'
  | 'deleteMessage'
  | 'queueMessage'
  | 'queueTool'
  | 'invokeTool'
  | 'setValue'
  | 'setValuesIf'
  | 'writeFile'
  | 'unlinkFile';

function refusedWrites(refuse: (write: string) => () => Promise<never>): Pick<ThreadState, RefusedWrite> {
  return {
    updateMessage: refuse('updateMessage'),
    deleteMessage: refuse('deleteMessage'),
    queueMessage: refuse('queueMessage'),
    queueTool: refuse('queueTool'),
    invokeTool: refuse('invokeTool'),
    setValue: refuse('setValue'),
    setValuesIf: refuse('setValuesIf'),
    writeFile: refuse('writeFile'),
    unlinkFile: refuse('unlinkFile'),
  };
}

function makeExecution(note: OutsideSession['note']): ExecutionState {
  let stopped = false;
  return {
    flowId: crypto.randomUUID(),
    currentSide: 'a',
    stepCount: 0,
    get stopped() {
      return stopped;
    },
    abortSignal: new AbortController().signal,
    stop() {
      stopped = true;
      note('end-turn', 'A hook ended the turn.');
    },
  };
}
