import {
  DefinitionError,
  findUnknownOption,
  type Matcher,
  type OptionNames,
  type ThreadState,
} from '@spec/hooks';
import type { Promisable } from 'type-fest';
import type { PastUse, ToolUse } from './tool-use.ts';

/** What a trigger can use besides the thread's state. */
export interface TurnSoFar {
  /** All tool calls of the turn, this batch's last, without their results. */
  readonly uses: readonly PastUse[];
}

/** What a trigger on one result sees. */
export interface ResultOccasion extends TurnSoFar {
  readonly use: ToolUse;
}

/** What a trigger on a batch sees: the calls of one step, in order. */
export interface BatchOccasion extends TurnSoFar {
  readonly batch: readonly ToolUse[];
}

/** What a trigger on a message of the user sees. */
export interface MessageOccasion {
  readonly content: string;
}

/** What a trigger on a session's start sees. */
export interface SessionOccasion {
  readonly source: 'created' | 'opened' | 'resumed';
}

/** What each kind of trigger sees. */
export interface Occasions {
  /** Each result of a tool, when those of its batch are stored. */
  readonly tool_result: ResultOccasion;
  readonly tool_batch: BatchOccasion;
  readonly user_message: MessageOccasion;
  readonly session_started: SessionOccasion;
}

export type TriggerKind = keyof Occasions;

const triggerKinds: readonly TriggerKind[] = ['tool_result', 'tool_batch', 'user_message', 'session_started'];

/** A condition under which the model gets a text. */
export interface Trigger<K extends TriggerKind = TriggerKind> {
  /** Names the trigger in records. snake_case, unique. */
  readonly id: string;
  readonly on: K;
  /** For `tool_result`: which calls it is for; on `tool_batch`, one of them is enough. */
  readonly match?: K extends 'tool_result' | 'tool_batch' ? Matcher : never;
  /** Whether it fires. Default: it does. */
  when?(occasion: Occasions[K], state: ThreadState): Promisable<boolean>;
  /** The text for the model; a function may return nothing. */
  readonly message: string | ((occasion: Occasions[K], state: ThreadState) => Promisable<string | null>);
  /** How often it can fire: once in a turn or a thread for each key. Default: whenever it holds. */
  readonly once?: 'turn' | 'thread';
  /** What makes two firings the same, with `once` and within one message. Default: the trigger, and the text within a message. */
  key?(occasion: Occasions[K], state: ThreadState): Promisable<string>;
}

/** A trigger of any kind. */
export type AnyTrigger = { [K in TriggerKind]: Trigger<K> }[TriggerKind];

const fields: OptionNames<AnyTrigger> = {
  id: true,
  on: true,
  match: true,
  when: true,
  message: true,
  once: true,
  key: true,
};

/**
 * Defines a trigger (system hooks, "Adding New Hook Triggers").
 *
 * @example defineTrigger({ id: 'tests_red', on: 'tool_result', match: 'run_tests', when: ({ use }) => use.status === 'error', message: 'Mend the tests before you go on.' })
 * @throws {DefinitionError} `bad_definition`, naming the id and the rule it breaks
 */
export function defineTrigger<K extends TriggerKind>(trigger: Trigger<K>): Trigger<K> {
  const broken = brokenRule(trigger as unknown as Record<string, unknown>);
  if (broken !== undefined)
    throw new DefinitionError('bad_definition', `Trigger "${String(trigger?.id)}": ${broken}`);
  return Object.freeze({ ...trigger });
}

function brokenRule(trigger: Record<string, unknown>): string | undefined {
  const { id, on, match, when, message, once, key } = trigger;
  const unknown = findUnknownOption(trigger, fields);
  if (unknown !== undefined) return unknown;
  if (typeof id !== 'string' || !/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/.test(id))
    return 'its id must be snake_case.';
  if (!triggerKinds.includes(on as TriggerKind)) return `on must be one of ${triggerKinds.join(', ')}.`;
  if (match !== undefined && on !== 'tool_result' && on !== 'tool_batch')
    return `on ${String(on)} there is no tool to match.`;
  if (when !== undefined && typeof when !== 'function') return 'when must be a function.';
  if (typeof message !== 'function' && (typeof message !== 'string' || message.trim() === ''))
    return 'message must be a text or a function that gives one.';
  if (once !== undefined && once !== 'turn' && once !== 'thread') return "once must be 'turn' or 'thread'.";
  return key === undefined || typeof key === 'function' ? undefined : 'key must be a function.';
}
