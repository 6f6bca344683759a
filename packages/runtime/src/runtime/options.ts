import {
  type AnyHook,
  checkOptionNames,
  type Decision,
  DefinitionError,
  type Duration,
  describeWrongDuration,
  durationInMs,
  isThenable,
  type MatchEnvironment,
  type OptionNames,
  type Outcome,
} from '@spec/hooks';
import type { AgentDefinition } from '../definitions/agent.ts';
import type { LanguageModel } from '../definitions/model.ts';
import type { AskPerson } from '../definitions/permission-ask.ts';
import type { PermissionMode } from '../definitions/permission-mode.ts';
import type { PromptDefinition } from '../definitions/prompt.ts';
import { findRetryProblem, type RetryOptions } from '../definitions/retry.ts';
import type { SkillLoader } from '../definitions/skill.ts';
import type { AnyTool } from '../definitions/tool.ts';
import type { CreateEngine } from '../engine/engine.ts';
import type { Signals } from '../events/signals.ts';
import type { LedgerOption } from '../ledger/retention.ts';
import type { Store } from '../stores/store.ts';

export interface RuntimeOptions<HookId extends string = string> {
  readonly agents: readonly AgentDefinition<HookId>[];
  readonly prompts: readonly PromptDefinition<HookId>[];
  readonly tools?: readonly AnyTool[];
  readonly models: Readonly<Record<string, LanguageModel>>;
  /** Hooks that run on every thread and subagent, before the scoped hooks. No prompt can turn them off. */
  readonly policies?: readonly AnyHook[];
  /** Where threads are stored. Default: in memory. */
  readonly store?: Store;
  /** The timeout of hooks that set none. Default 5 s. */
  readonly timeout?: Duration;
  /** How long a call of a tool may take that sets no `timeout`; agents and prompts as tools have no limit of time. Default: no limit. */
  readonly toolTimeout?: Duration;
  /** Asks a person about a tool call or a message that needs permission. Default: it is denied. */
  readonly onAsk?: AskPerson;
  /** Finds the skills that `thread.startSkill` names, such as `skillLoader` of `@spec/runtime/skills`. */
  readonly skills?: SkillLoader;
  /** The most UTF-8 bytes of hook contexts that one message may hold. Default 32 KiB. */
  readonly contextLimit?: number;
  /** How long a thread stays reserved for this runtime after its last write, or after its process died. Default 10 s. */
  readonly lease?: Duration;
  /** `raw` sends text to listeners while the model writes, even where a hook could still change it. Default `safe`. */
  readonly stream?: 'safe' | 'raw';
  /** Where turns run. Default: in this process. */
  readonly engine?: CreateEngine;
  /** Carries events to and from turns in other processes, and the wish to stop them; see `postgresSignals`. Default: none are carried. */
  readonly signals?: Signals;
  /** How often a model call that failed is made again, where its prompt does not say. Default: twice, after 2 and 4 seconds. */
  readonly retry?: RetryOptions;
  /** How paths in tool calls are resolved for matchers. */
  readonly environment?: MatchEnvironment;
  /** Which records of hook runs are kept, and for how long. Default: all, without a limit. */
  readonly ledger?: LedgerOption;
  /**
   * `values` records data, which is left out otherwise: in the ledger what each hook got, returned and threw; in spans
   * the model's answers, the arguments of tool calls and their results. This includes secrets that hooks would remove.
   */
  readonly trace?: 'values';
  /**
   * `off` gives no warnings about hooks that fail while the turn goes on. Default: the first failure of each hook is a
   * process warning (`HookWarning`) with the hook's id and outcome, never with data.
   */
  readonly warnings?: 'off';
  /**
   * Called after every run of a hook with the values before and after it. The runtime does not store them. They are data:
   * do not change them, and be careful where you send them. An error that it throws is ignored.
   */
  readonly onRunValues?: (entry: RunValues) => void;
}

/** One run of a hook, with its data. */
export interface RunValues {
  readonly threadId: string;
  readonly hook: string;
  readonly id: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly error: unknown;
  readonly outcome: Outcome;
  /** What the hook decided, if it did. */
  readonly decision?: Decision;
  /** Of an entry of a hook, such as a command of a settings file: the hook's subject. */
  readonly entryOf?: unknown;
}

export interface ThreadOptions {
  /** The name of the thread's agent. */
  readonly agent: string;
  /** Default: a random UUID. */
  readonly id?: string;
  readonly userId?: string;
  /** Application-defined JSON values. */
  readonly metadata?: Record<string, unknown>;
  /** What happens to tool calls that no hook decides on. Stored with the thread. Default `default`. */
  readonly permissionMode?: PermissionMode;
}

export interface OpenOptions {
  /** A new permission mode for the thread. Default: the stored one. */
  readonly permissionMode?: PermissionMode;
  /**
   * Whether a turn that was left unfinished gets its skills back. `false` drops them, which helps if a skill no longer
   * exists. Default `true`.
   */
  readonly restoreSkills?: boolean;
}

/** Checks that what a runtime is made of has the right form; what the definitions say is checked where they are registered. */

export const threadOptionNames: OptionNames<ThreadOptions> = {
  agent: true,
  id: true,
  userId: true,
  metadata: true,
  permissionMode: true,
};

export const openOptionNames: OptionNames<OpenOptions> = { permissionMode: true, restoreSkills: true };

const optionNames: OptionNames<RuntimeOptions & { hooks?: unknown }> = {
  agents: true,
  prompts: true,
  tools: true,
  models: true,
  hooks: true,
  policies: true,
  store: true,
  timeout: true,
  toolTimeout: true,
  onAsk: true,
  skills: true,
  contextLimit: true,
  lease: true,
  stream: true,
  engine: true,
  signals: true,
  retry: true,
  environment: true,
  ledger: true,
  trace: true,
  warnings: true,
  onRunValues: true,
};

const needed = ['agents', 'prompts'];
const lists = ['tools', 'hooks', 'policies'];
const functions = ['onAsk', 'skills', 'engine', 'onRunValues'];
const choices: Readonly<Record<string, readonly string[]>> = {
  stream: ['safe', 'raw'],
  trace: ['values'],
  warnings: ['off'],
};
const storeMethods = ['createThread', 'getThread', 'append', 'acquireLease', 'close'];

const examples: Readonly<Record<string, string>> = {
  agents: "[defineAgent({ name: 'support', prompt: 'support' })]",
  prompts: "[definePrompt({ name: 'support' })]",
  tools: '[defineTool({ name, execute })]',
  hooks: '[defineHook({ hook, id, execute })]',
  policies: '[...redact()]',
  options: '{ agents, prompts, models }',
  models: "{ main: openai('gpt-5') }",
  store: 'memoryStore() or sqliteStore({ path })',
};

/** @throws {DefinitionError} `bad_option`, naming the option */
export function checkRuntimeOptions(options: unknown): void {
  const given = readRecord('options', options);
  checkOptionNames('createRuntime', given, optionNames);
  for (const name of needed) checkList(name, given[name]);
  for (const name of lists) if (given[name] !== undefined) checkList(name, given[name]);
  readRecord('models', given.models);
  for (const name of functions)
    if (given[name] !== undefined && typeof given[name] !== 'function') throw bad(name, 'a function');
  for (const [name, allowed] of Object.entries(choices))
    if (given[name] !== undefined && !allowed.includes(given[name] as string))
      throw bad(name, allowed.map((one) => `"${one}"`).join(' or '));
  const { toolTimeout } = given;
  if (toolTimeout !== undefined && durationInMs(toolTimeout) === undefined)
    throw new DefinitionError(
      'bad_option',
      `createRuntime: ${describeWrongDuration('toolTimeout', toolTimeout)}`,
    );
  const problem = findRetryProblem(given.retry);
  if (problem !== undefined) throw new DefinitionError('bad_option', `createRuntime: ${problem}`);
  if (given.store !== undefined) checkStore(given.store);
  if (given.signals !== undefined) checkSignals(given.signals);
  if (given.environment !== undefined) readRecord('environment', given.environment);
}

/** @throws {DefinitionError} `bad_option` */
export function checkList<T>(name: string, given: readonly T[]): readonly T[];
export function checkList(name: string, given: unknown): unknown;
export function checkList(name: string, given: unknown): unknown {
  if (Array.isArray(given)) return given;
  throw bad(name, withExample('a list', name));
}

function checkSignals(given: unknown): void {
  const signals = readRecord('signals', given);
  if (['publish', 'subscribe', 'close'].every((method) => typeof signals[method] === 'function')) return;
  throw bad('signals', 'what carries events, such as postgresSignals({ url })');
}

function checkStore(given: unknown): void {
  const store = (given ?? {}) as Readonly<Record<string, unknown>>;
  if (storeMethods.every((method) => typeof store[method] === 'function')) return;
  if (isThenable(given))
    throw bad('store', 'a store, and is a promise: await it first, such as await postgresStore({ url })');
  throw bad('store', `a store, such as ${examples.store}`);
}

function readRecord(name: string, given: unknown): Readonly<Record<string, unknown>> {
  if (typeof given === 'object' && given !== null && !Array.isArray(given))
    return given as Record<string, unknown>;
  throw bad(name, withExample('an object', name));
}

function withExample(form: string, name: string): string {
  const example = examples[name];
  return example === undefined ? form : `${form}, such as ${example}`;
}

function bad(name: string, form: string): DefinitionError {
  return new DefinitionError('bad_option', `createRuntime: ${name} must be ${form}.`);
}

const DEFAULT_LEASE_MS = 10_000;

/** @throws {DefinitionError} `bad_option` */
export function leaseInMs(lease: Duration | undefined): number {
  const ms = durationInMs(lease ?? DEFAULT_LEASE_MS);
  if (ms !== undefined) return ms;
  throw new DefinitionError('bad_option', describeWrongDuration('lease', lease));
}
