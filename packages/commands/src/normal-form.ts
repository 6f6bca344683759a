import type { HookToolResult, LifecycleName, ModelRequest } from '@spec/hooks';
import type { JsonObject, JsonValue } from 'type-fest';
import type { DialectName, DialectTraits } from './dialect-traits.ts';
import type { EntryHandler } from './entry-handler.ts';
import type { Cut } from './run/collect-output.ts';

export type { DialectName, DialectTraits };

/** Whose settings a file holds. They are merged in this order. */
export type Layer = 'user' | 'project' | 'local';

/** What a failure of an entry does to the event. */
export type Effect = 'continue' | 'block' | 'ask';

/** The effect of each kind of failure. It can differ from `continue` only before a tool, a prompt, a permission, a stop or a compaction. */
export interface Effects {
  /** Exit code 2. */
  readonly onBlockingExit: Effect;
  /** Any exit code except 0 and 2, and death by a signal. */
  readonly onExit: Effect;
  readonly onTimeout: Effect;
  /** Not found, not executable, no such folder, input too large. */
  readonly onLaunchError: Effect;
  /** An answer that its dialect cannot read. */
  readonly onInvalidOutput: Effect;
}

/** How the entries of one file for one event run. */
export type Strategy =
  /** One after another, each with the input that the earlier ones left. The first deny ends the run. */
  | 'serial'
  /** As `serial`, but the first decision ends the run. */
  | 'first-decision'
  /** Started together, merged in declared order. */
  | 'parallel';

/** A position in a settings file. */
export interface FilePosition {
  /** The file as it was named. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
  /** Keys and positions from the file's top: `hooks.PreToolUse[0].hooks[1]`. */
  readonly path: string;
}

/**
 * One command of a settings file, in the form that all dialects share. It is plain data: {@link Dialect.compile} makes
 * from it what depends on the dialect.
 */
export interface CommandEntry {
  /** Unique among all hooks, snake_case: `claude_project_pre_tool_use_1`. */
  readonly id: string;
  readonly dialect: DialectName;
  readonly layer: Layer;
  readonly position: FilePosition;
  /** The format's name of the event, such as `PreToolUse`. */
  readonly eventName: string;
  /** The lifecycle hook in which it runs. */
  readonly event: LifecycleName;
  /** A second hook in which it runs, if the format does not tell the two apart: `PostToolUse` of `settings` and `hub` also covers failed calls. */
  readonly alsoAt?: LifecycleName;
  /** Which threads it is for, if the lifecycle does not tell them apart: `Stop` is for main threads, `SubagentStop` for subagents. */
  readonly only?: 'main' | 'subagent';
  readonly name?: string;
  /** A text that a person can be shown while it runs. */
  readonly statusMessage?: string;
  /** The matcher as written in the file. If absent, everything matches. */
  readonly matcher?: JsonValue;
  /** A further condition, in the dialect's words: a shell command (`settings`), a permission rule (`claude`). */
  readonly condition?: string;
  readonly handler: EntryHandler;
  /** Higher runs first; 0 if the format has no priorities. */
  readonly priority: number;
  /** Milliseconds. */
  readonly timeoutMs: number;
  readonly effects: Effects;
  /** What happens to the fields that a rewritten input does not name. */
  readonly rewrite: 'merge' | 'replace' | 'none';
  /** `false`: it runs in the background and ends with the session at the latest. */
  readonly isAwaited: boolean;
  /** Where it matches, the matching entries of its event run one after another, whatever the dialect's strategy. */
  readonly isSequential?: boolean;
  /** How often it keeps one turn going at most. Default: as its dialect says. */
  readonly roundLimit?: number;
  /** Which of the forms of its format it has, if there are several. */
  readonly form?: string;
  /** Runs at most once in a session; its dialect's `mismatch` keeps count. */
  readonly isOnce?: boolean;
}

/** A declarative rule from a hub file, as plain data. `loadRules` of `@spec/rules` makes hooks of such rules. */
export interface WrittenRule {
  /** The rule as written, with its event, and with an id if it had none. It is not checked yet. */
  readonly rule: JsonObject;
  readonly position: FilePosition;
  /** The lines of its fields. */
  readonly lines: Readonly<Record<string, number>>;
  /** Why it must not run, in sentences. If it guards something, that is denied; otherwise it is skipped. */
  readonly refusal?: string;
}

/** Something wrong or unexpected in a settings file. Nothing in a file is ever dropped silently. */
export interface Finding {
  /** `error`: the entry is not loaded. `warning`: it is loaded but does not do what it says. `note`: worth knowing. */
  readonly level: 'error' | 'warning' | 'note';
  /** snake_case: `unknown_event`, `unknown_key`, `suspicious_timeout`, `unknown_variable`, `bad_matcher`, `unsupported_handler`, … */
  readonly code: string;
  readonly position: FilePosition;
  /** One sentence: what is wrong and what to do. */
  readonly message: string;
}

/** A settings file, parsed. */
export interface SettingsFile {
  /** Its name as given, which findings use. */
  readonly file: string;
  readonly layer: Layer;
  readonly content: JsonObject;
  /** Finds the position of a value: `findPosition(['hooks', 'PreToolUse', 0])`. */
  findPosition(path: readonly (string | number)[]): FilePosition;
  /** Makes an id for the entry at a position from dialect, layer, event and index. It is unique in the file. */
  entryId(dialect: DialectName, eventName: string, position: number): string;
}

/** What a dialect reads from a file. */
export interface ReadFile {
  readonly entries: readonly CommandEntry[];
  /** Its declarative rules, if the format has them. */
  readonly rules?: readonly WrittenRule[];
  readonly findings: readonly Finding[];
  /** The most entries of the file that run at once. Default: no limit. */
  readonly maxConcurrent?: number;
}

/** What an entry is asked about: one firing of an event, as plain data. */
export interface Occasion {
  readonly event: LifecycleName;
  /** The thread's id and the session's. */
  readonly threadId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly userId: string | null;
  readonly isSubagent: boolean;
  /** The project's folder: where commands run. */
  readonly projectDir: string;
  /** Where the agent's files are; `{{sandbox}}`. Default: the project's folder. */
  readonly sandboxDir: string;
  readonly permissionMode: string;
  /** ISO 8601. */
  readonly timestamp: string;
  /** Different for every run of every event. */
  readonly executionId: string;
  /** The tool call of tool events. */
  readonly tool?: { readonly id: string; readonly name: string; readonly input: JsonObject };
  readonly result?: HookToolResult;
  /** How long the tool took, in milliseconds, if known. */
  readonly toolMs?: number;
  readonly prompt?: string;
  /** The lifecycle's word for why it asks, why it stops or how it started. */
  readonly reason?: string;
  /** `before_stop`: how often the turn was already kept going. */
  readonly keptGoing?: number;
  /** `before_stop`: the text of the model's last message. */
  readonly lastAssistantMessage?: string;
  /** `after_tool_batch`: the calls with their results, as stored. */
  readonly batch?: readonly {
    readonly tool: NonNullable<Occasion['tool']>;
    readonly result: HookToolResult;
  }[];
  readonly notification?: { readonly kind: string; readonly message: string };
  /** `before_model_call`: what is about to be sent. */
  readonly modelRequest?: ModelRequest;
  readonly compaction?: {
    readonly trigger: 'manual' | 'auto';
    readonly messageCount: number;
    readonly preTokens?: number;
  };
}

/** The input of a command. */
export interface Invocation {
  /** Templates filled in. */
  readonly handler: EntryHandler;
  /** JSON text: on standard input, in the file HOOK_INPUT_FILE, the body of an http handler. */
  readonly payload: string;
  readonly env: Readonly<Record<string, string>>;
  /** Variables that hold data of any size. A variable is unset if it is too large, and `undefined` if it has no single value. */
  readonly payloadVariables: Readonly<Record<string, string | undefined>>;
}

/** What a dialect sees of a handler that ran: its exit code and texts. */
export interface HandlerAnswer {
  /** 0 for handlers without exit codes. */
  readonly exitCode: number;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  /** Whether standard output may have had more than was kept. */
  readonly cut?: Cut;
}

/** What an entry answered, in one form. Every field is optional; none is "no opinion". */
export interface EntryAnswer {
  readonly decision?: 'allow' | 'deny' | 'ask';
  /** For the model. For a stop: why the turn must go on. */
  readonly reason?: string;
  /** For the person. */
  readonly userMessage?: string;
  readonly context?: string;
  /** The rewritten input. The entry says whether it is merged or replaces the old one. */
  readonly input?: JsonObject;
  /** What of a request to a model is another, in its words; `messages` are those that it would send. */
  readonly request?: JsonObject;
  /** The replacement of the tool's result, or the answer in place of the model's. */
  readonly output?: string;
  /** The turn is kept going with `reason`. */
  readonly keepsGoing?: boolean;
  /** The turn ends; `reason` says why. */
  readonly endsTurn?: boolean;
  /** Why a part of the answer does not count. */
  readonly uncounted?: string;
  /**
   * How it failed, if it did. The entry's effects say what that does (`none`: it is only recorded). In addition,
   * the model gets `reason`, `context` and `decision` count, and the stricter of decision and effect wins.
   */
  readonly failure?: { readonly effect: keyof Effects | 'none'; readonly why: string };
}

/** An entry ready to run. */
export interface CompiledEntry {
  readonly entry: CommandEntry;
  /**
   * Whether `mismatch` looks only at the tool's name. Then it is called once for each name, not for each call. Set it
   * wherever it is true.
   */
  readonly isByToolName?: boolean;
  /**
   * Why the entry does not match this occasion: names of tools, fields, patterns, never values. `undefined`: it matches. If it throws, as
   * on a text that is too long to be tested, the entry runs.
   */
  mismatch(occasion: Occasion): string | undefined;
  /** @throws {RunError} if a template cannot be filled in safely. */
  invocation(occasion: Occasion): Invocation;
  /**
   * Whether the first line of its output sends the command into the background, and after how many milliseconds it ends there.
   * Absent if the turn always waits: text that a guard quotes must not send it away.
   */
  background?(firstLine: string): { readonly timeoutMs?: number } | undefined;
  /** Reads an answer. Must not throw. */
  answer(given: HandlerAnswer, occasion: Occasion): EntryAnswer;
  /**
   * Shortens an answer that is too long for the model, and keeps the whole in a file. Not called if other hooks may still remove something
   * from the texts, so that no half value and no copy stays behind. Must not throw.
   */
  shorten?(answer: EntryAnswer, occasion: Occasion): EntryAnswer;
}

/** One format of command hooks. */
export interface Dialect extends DialectTraits {
  readonly name: DialectName;
  /** Whether a file looks as if it were written in this dialect. The first dialect that says yes is taken. */
  recognises(content: JsonObject): boolean;
  /** Whether a file that is known by its path has hooks without a key `hooks` around them. */
  hasBareHooks?(content: JsonObject): boolean;
  /** Reads a file. Never throws because of its content: a wrong entry is left out with a finding. */
  read(file: SettingsFile): ReadFile;
  /** @throws {DefinitionError} naming the rule that the entry breaks; the entry is then left out with a finding. */
  compile(entry: CommandEntry): CompiledEntry;
  strategy(eventName: string): Strategy;
  /** Removes what it kept for past sessions. */
  close?(): void;
  /**
   * Joins the texts of an event's entries for the model, to be appended to the tool's result. If absent, they become a
   * message of its own.
   */
  contextBehindResult?(contexts: readonly string[]): string;
}
