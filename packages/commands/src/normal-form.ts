import type { HookToolResult, LifecycleName } from '@spec/hooks';
import type { JsonObject, JsonValue } from 'type-fest';
import type { DialectName, DialectTraits } from './dialect-traits.ts';
import type { EntryHandler } from './entry-handler.ts';
import type { Cut } from './run/collect-output.ts';

export type { DialectName, DialectTraits };

/** Whose settings a file holds; they are merged in this order. */
export type Layer = 'user' | 'project' | 'local';

/** What a failure of an entry does to what it was asked about. */
export type Effect = 'continue' | 'block' | 'ask';

/** What each way to fail does; only before a tool, a prompt, a permission, a stop or a compaction can it be more than `continue`. */
export interface Effects {
  /** Exit code 2. */
  readonly onBlockingExit: Effect;
  /** Any other exit code but 0, and death by a signal. */
  readonly onExit: Effect;
  readonly onTimeout: Effect;
  /** Not found, not executable, no such folder, input too large. */
  readonly onLaunchError: Effect;
  /** An answer that its dialect cannot read. */
  readonly onInvalidOutput: Effect;
}

/** How the entries of one file for one event run. */
export type Strategy =
  /** One after another, each with the input that those before it left; the first deny ends it. */
  | 'serial'
  /** As `serial`, and the first that decides anything ends it. */
  | 'first-decision'
  /** Started together, merged in declared order. */
  | 'parallel';

/** Where something stands in a settings file. */
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
 * One command of a settings file, in the form that all dialects share. Plain data: what depends on the
 * dialect is made from it by {@link Dialect.compile}.
 */
export interface CommandEntry {
  /** Unique among all hooks, snake_case: `claude_project_pre_tool_use_1`. */
  readonly id: string;
  readonly dialect: DialectName;
  readonly layer: Layer;
  readonly place: FilePosition;
  /** The event as the format calls it, such as `PreToolUse`. */
  readonly eventName: string;
  /** The hook of the lifecycle that it runs in. */
  readonly event: LifecycleName;
  /** Another hook that it runs in too, where the format does not tell them apart: `PostToolUse` of `settings` and `hub` is also for calls that fail. */
  readonly alsoAt?: LifecycleName;
  /** For events that the lifecycle does not tell apart: `Stop` is of main threads, `SubagentStop` of subagents. */
  readonly only?: 'main' | 'subagent';
  readonly name?: string;
  /** What a person may be told while it runs. */
  readonly statusMessage?: string;
  /** The matcher as the file writes it; absent: everything. */
  readonly matcher?: JsonValue;
  /** A further condition, in the dialect's words: a shell command (`settings`), a permission rule (`claude`). */
  readonly condition?: string;
  readonly handler: EntryHandler;
  /** Higher first; 0 where the format has none. */
  readonly priority: number;
  /** Milliseconds. */
  readonly timeoutMs: number;
  readonly effects: Effects;
  /** What a rewritten input does with the fields that it does not name. */
  readonly rewrite: 'merge' | 'replace' | 'none';
  /** `false`: nobody waits for it; it is ended with the session at the latest. */
  readonly isAwaited: boolean;
  /** Runs once in a session at most; its dialect's `mismatch` keeps count. */
  readonly isOnce?: boolean;
}

/** A declarative rule that stands in a hub file, as plain data: `loadRules` of `@spec/rules` makes hooks of such. */
export interface WrittenRule {
  /** As it is written, with its event, and with an id where it has none; nobody has checked it yet. */
  readonly rule: JsonObject;
  readonly place: FilePosition;
  /** The lines of its fields. */
  readonly lines: Readonly<Record<string, number>>;
  /** Why it must not run, in sentences: what it guards is denied, and else it is passed over. */
  readonly refusal?: string;
}

/** What is wrong in a settings file, or will surprise: nothing in it is ever dropped in silence. */
export interface Finding {
  /** `error`: the entry is not loaded. `warning`: it is, and does not do what it says. `note`: worth knowing. */
  readonly level: 'error' | 'warning' | 'note';
  /** snake_case: `unknown_event`, `unknown_key`, `suspicious_timeout`, `unknown_variable`, `bad_matcher`, `unsupported_handler`, … */
  readonly code: string;
  readonly place: FilePosition;
  /** One sentence: what, and what to do. */
  readonly message: string;
}

/** A settings file, parsed. */
export interface SettingsFile {
  /** As it was named; findings name it so. */
  readonly file: string;
  readonly layer: Layer;
  readonly content: JsonObject;
  /** Where a value stands: `place(['hooks', 'PreToolUse', 0])`. */
  place(path: readonly (string | number)[]): FilePosition;
  /** An id for the entry at a place, unique in the file: from dialect, layer, event and position. */
  entryId(dialect: DialectName, eventName: string, position: number): string;
}

/** What a dialect makes of a file. */
export interface ReadFile {
  readonly entries: readonly CommandEntry[];
  /** Its declarative rules, in formats that have some. */
  readonly rules?: readonly WrittenRule[];
  readonly findings: readonly Finding[];
  /** At most so many entries of the file run at once. Default: no limit. */
  readonly maxConcurrent?: number;
}

/** What an entry is asked about: one firing of one event, as plain data. */
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
  /** Differs with every run of every event. */
  readonly executionId: string;
  /** The tool call of tool events. */
  readonly tool?: { readonly id: string; readonly name: string; readonly input: JsonObject };
  readonly result?: HookToolResult;
  /** Milliseconds the tool took, where it is known. */
  readonly toolMs?: number;
  readonly prompt?: string;
  /** Why it is asked, why it stops, how it started: the word the lifecycle has for it. */
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
  readonly compaction?: {
    readonly trigger: 'manual' | 'auto';
    readonly messageCount: number;
    readonly preTokens?: number;
  };
}

/** What a command is given. */
export interface Invocation {
  /** Templates filled in. */
  readonly handler: EntryHandler;
  /** JSON text: on standard input, in the file HOOK_INPUT_FILE, the body of an http handler. */
  readonly payload: string;
  readonly env: Readonly<Record<string, string>>;
  /** Variables that hold data of any size: unset where they are too large, or `undefined` for want of a single value. */
  readonly payloadVariables: Readonly<Record<string, string | undefined>>;
}

/** How a handler ended, as far as a dialect may judge: it ran, and gave an exit code and texts. */
export interface HandlerAnswer {
  /** 0 for handlers without exit codes. */
  readonly exitCode: number;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  /** Where there may have been more on standard output than was kept. */
  readonly cut?: Cut;
}

/** What an entry answered, in one form. Every field is optional; none is "no opinion". */
export interface EntryAnswer {
  readonly decision?: 'allow' | 'deny' | 'ask';
  /** For the model; for a stop: why it must go on. */
  readonly reason?: string;
  /** For the person. */
  readonly userMessage?: string;
  readonly context?: string;
  /** The rewritten input; merged or put in place as the entry says. */
  readonly input?: JsonObject;
  /** What takes the place of the tool's result. */
  readonly output?: string;
  /** The turn is kept going with `reason`. */
  readonly keepsGoing?: boolean;
  /** The turn ends; `reason` says why. */
  readonly endsTurn?: boolean;
  /** Why a part of what it said does not count. */
  readonly uncounted?: string;
  /**
   * The way in which it failed, where it did; the entry's effects say what that does (`none`: it is recorded, no more). Beside it
   * `reason` is what the model is told; `context` and a `decision` count too, and the stricter of decision and effect wins.
   */
  readonly failure?: { readonly effect: keyof Effects | 'none'; readonly why: string };
}

/** An entry ready to run. */
export interface CompiledEntry {
  readonly entry: CommandEntry;
  /**
   * Whether `mismatch` looks at nothing but the tool's name. Then it is asked once for each name, not for each call; say so
   * wherever it is true.
   */
  readonly isByToolName?: boolean;
  /**
   * Why the entry is not for this occasion: names of tools, fields, patterns, never values. `undefined`: it is. Where it throws, as
   * on a text that is too long to be tested, the entry runs.
   */
  mismatch(occasion: Occasion): string | undefined;
  /** @throws {RunError} where a template cannot be filled in safely. */
  invocation(occasion: Occasion): Invocation;
  /**
   * Whether the first line of its output sends the command into the background, and after how many milliseconds it is ended there.
   * Absent where the turn waits in any case: what guards must not be sent away by what it quotes.
   */
  background?(firstLine: string): { readonly timeoutMs?: number } | undefined;
  /** Reads an answer. Must not throw. */
  answer(given: HandlerAnswer, occasion: Occasion): EntryAnswer;
  /**
   * Cuts what of an answer is too long for the model, and keeps the whole of it. Not asked where other hooks may still take something
   * out of the texts: neither half a value nor a copy of one must stay behind. Must not throw.
   */
  shorten?(answer: EntryAnswer, occasion: Occasion): EntryAnswer;
}

/** One format of command hooks. */
export interface Dialect extends DialectTraits {
  readonly name: DialectName;
  /** Whether a file looks as if it were written in this dialect; the first that says yes is taken, `settings`, `hub`, `service`, `claude` tell each other apart. */
  recognises(content: JsonObject): boolean;
  /** Reads a file. Never throws for what is in it: what is wrong is a finding, and the entry is left out alone. */
  read(file: SettingsFile): ReadFile;
  /** @throws {DefinitionError} naming the rule that the entry breaks; the entry is then left out alone, with a finding. */
  compile(entry: CommandEntry): CompiledEntry;
  strategy(eventName: string): Strategy;
  /** Removes what it kept for the sessions that ran. */
  close?(): void;
  /**
   * What the entries of an event have for the model after a tool, as it is put behind the tool's result. Without this it is a
   * message of its own.
   */
  contextBehindResult?(contexts: readonly string[]): string;
}
