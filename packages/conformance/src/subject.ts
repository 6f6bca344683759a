import type {
  AnyHook,
  HookMessage,
  HookToolResult,
  LLMMessage,
  NewMessage,
  RunRecord,
  ThreadState,
} from '@spec/hooks';

/** The parts of the specification and of the lifecycle that a runtime may do without; cases that need one are then not applicable. */
export type Ability =
  /** The control hooks, but for those of model calls. */
  | 'control'
  /** `before_model_call` and `after_model_call`. */
  | 'model-calls'
  /** Hooks that run everywhere. */
  | 'policies'
  /** Messages that are changed after they are stored, from outside and by hooks. With it comes `update`. */
  | 'update'
  /** Messages that are stored from outside, while nothing runs, and by hooks. With it comes `inject`. */
  | 'inject'
  /** Messages that are kept for the next turn. With it comes `queue`. */
  | 'queue'
  /** The tool `delegate`, which runs an agent as a child thread. With it comes `subagents`. */
  | 'subagents'
  /** `state.invokeTool` and `state.queueTool`. */
  | 'tools-from-hooks'
  /** A file system of the thread's own, in which tools' attachments are stored. */
  | 'files'
  /** `state.getValue` and `state.setValue`. */
  | 'values'
  /** Text that leaves before its message is stored. With it comes `streamed`. */
  | 'streaming'
  /** A record of every run of a hook, and something to hear of failures by. With it come `runs` and `told`. */
  | 'ledger'
  /** Turns that are stopped from outside. With it comes `stop`. */
  | 'abort'
  /** Threads that another instance opens again. With it comes `reopen`. */
  | 'reopen'
  /** Turns that outlive the death of their process. With it comes `crashAndResume`. */
  | 'resume'
  /** Threads that are opened and closed, and told of it. With it comes `openAgain`. */
  | 'sessions'
  /** A summary in the place of older messages. With it comes `compact`. */
  | 'compaction'
  /** Things that a person is told. With it comes `notify`. */
  | 'notifications'
  /** Agents with two sides: `Setup.otherSide` is the second. */
  | 'dual';

/** A runtime, as the suite sees it: the one adapter that its author writes. */
export interface Subject {
  readonly name: string;
  readonly abilities: readonly Ability[];
  /**
   * Starts a runtime with one thread, whose model answers by the script.
   * Rejects where the setup must be refused, such as a prompt that names a hook nobody registered.
   */
  open(setup: Setup): Promise<Trial>;
}

/** What a case wants to be there. */
export interface Setup {
  /** Registered by id. */
  readonly hooks?: readonly AnyHook[];
  /** They run everywhere. */
  readonly policies?: readonly AnyHook[];
  /** What the prompt declares; absent: it has no `hooks`. */
  readonly promptHooks?: readonly string[];
  readonly agentHooks?: readonly string[];
  /** The prompt's system message. Default: none. */
  readonly system?: string;
  readonly tools?: readonly TrialTool[];
  /** What the model answers, call by call. After its end the model says "done". */
  readonly script?: readonly ModelAnswer[];
  /** What the tool `delegate` starts: an agent of its own, whose last text is the tool's result. */
  readonly subagent?: SubagentSetup;
  /** The other side of an agent with two. */
  readonly otherSide?: SubagentSetup;
  /** Milliseconds that a hook may take which names no timeout. The suite always says how many. */
  readonly hookTimeout?: number;
  /** What the person answers who is asked; absent: nobody can be asked. */
  readonly onAsk?: 'allow' | 'deny';
  /** `safe` is the default: no text leaves that a hook could still change. */
  readonly stream?: 'safe' | 'raw';
}

export interface SubagentSetup {
  readonly promptHooks?: readonly string[];
  readonly agentHooks?: readonly string[];
  readonly script: readonly ModelAnswer[];
}

export interface TrialTool {
  readonly name: string;
  /** Gives the result, or throws; the suite notes in here what the tool was called with. */
  run(input: Record<string, unknown>, state: ThreadState): Promise<string | HookToolResult>;
  /** A schema that is checked before it runs: the fields that must be there and be texts. Others pass. */
  readonly required?: readonly string[];
  readonly permission?: 'ask';
  /** What becomes of a call that had begun when the process died: it runs again, or its result is an error. Default `fail`. */
  readonly onInterrupted?: 'retry' | 'fail';
}

export interface ModelAnswer {
  readonly text?: string;
  readonly calls?: readonly ModelCall[];
  /** The model's provider fails. */
  readonly fails?: true;
  /** The model answers no sooner than this settles, or its call is aborted. */
  readonly after?: Promise<unknown>;
}

export interface ModelCall {
  readonly id: string;
  readonly name: string;
  /** The arguments; a text is their JSON as the model wrote it, which may be broken. */
  readonly input: Record<string, unknown> | string;
}

/** How a message that was sent came out. */
export interface SendResult {
  readonly status: 'completed' | 'denied' | 'limit' | 'stopped' | 'aborted';
  readonly text: string | null;
  readonly reason?: string;
}

/**
 * One thread on one runtime. What throws rejects with the runtime's own error.
 *
 * T1 A promise settles when what it stands for is over and stored, and so are the hooks that see it; a turn is over when its
 *    last hook is.
 * T2 What comes out is a copy.
 * T3 Trials may be open side by side: nothing of one is seen in another.
 * T4 `close` ends what is running, without waiting for hooks, tools or models that never answer.
 */
export interface Trial {
  readonly threadId: string;
  send(content: string): Promise<SendResult>;
  /** Stores a message while nothing runs. */
  inject?(message: NewMessage): Promise<void>;
  /** Keeps a message for the next turn. */
  queue?(message: NewMessage): Promise<void>;
  update?(messageId: string, updates: Record<string, unknown>): Promise<void>;
  /** Everything that is stored, in order, system, tool and hidden messages too. */
  messages(): Promise<readonly HookMessage[]>;
  /** What the model was sent, call by call, with the system message as the first message where there is one. */
  sent(): readonly (readonly LLMMessage[])[];
  /** The text that listeners have been given so far, of this thread and its subagents. */
  streamed?(): string;
  /** The record of the runs of hooks on this thread and its subagents, oldest first. */
  runs?(): Promise<readonly RunRecord[]>;
  /** The messages of each subagent that was started, in order. */
  subagents?(): Promise<readonly (readonly HookMessage[])[]>;
  /** Everything the runtime printed, logged or emitted that is no stored message: errors with their causes, events, ledger. */
  told?(): Promise<string>;
  stop?(): Promise<void>;
  compact?(): Promise<void>;
  notify?(kind: string, message: string): Promise<void>;
  /** Opens the thread once more in the same instance, as a second part of an application would. This trial goes on. */
  openAgain?(): Promise<void>;
  /** Closes this instance and opens the same thread in another one on the same data. The suite then leaves this trial alone. */
  reopen?(): Promise<Trial>;
  /** Ends the instance in the middle of what it does, as a crash would, and opens the thread in another one which finishes the turn. Likewise. */
  crashAndResume?(): Promise<Trial>;
  close(): Promise<void>;
}

type Opens = 'reopen' | 'crashAndResume';

/** A trial as cases use it: everything can be called, and what the subject cannot do says so. */
export type FullTrial = Required<Omit<Trial, Opens>> & { readonly [Way in Opens]: () => Promise<FullTrial> };
