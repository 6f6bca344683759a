import { type HookToolCall, type HookToolResult, isRecord } from '@spec/hooks';
import type { Honours } from '@spec/hooks/host';

/** What happens at an event of an agent, whatever the agent calls it. */
export type Moment =
  | 'tool_call'
  | 'permission'
  | 'tool_result'
  | 'tool_failure'
  | 'tool_batch'
  | 'prompt'
  | 'stop'
  | 'compaction'
  | 'session_start'
  | 'subagent_start'
  | 'session_end'
  | 'notification';

/** What an agent reads on standard input, parsed. */
export type Payload = Readonly<Record<string, unknown>>;

/** What our hooks have to say to an event, before it is put into an agent's words. */
export interface Answer {
  /** `deny` keeps a turn going where the turn would end. `allow` means that nobody has to be asked. Absent: no objection. */
  readonly decision?: 'allow' | 'ask' | 'deny';
  /** For the model. There is one wherever something is denied. */
  readonly reason?: string;
  /** For the person. */
  readonly userMessage?: string | undefined;
  /** All arguments of the call, where a hook has changed them. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** For the conversation. */
  readonly context?: string;
  /** What the model gets in place of the tool's result. */
  readonly result?: string;
}

/** What a hook command of an agent prints, and its exit code. */
export interface Output {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
}

/** Puts an answer into an agent's words. What the agent cannot do is a deny where it can deny. */
export type WriteAnswer = (answer: Answer, event: string) => Output;

/** One event of an agent. */
export interface AgentEvent {
  readonly moment: Moment;
  readonly write: WriteAnswer;
  /** How long the agent waits at the most, in seconds, where that is less than for other events. */
  readonly seconds?: number;
}

/** Where a person and a project keep the configuration of an agent. */
export interface AgentFiles {
  /** Relative to the folder of the project; part of what the project shares. */
  readonly project: string;
  /** Relative to the home folder. */
  readonly user: string;
  /** A variable that names another folder for the first folder of `user`. */
  readonly homeVariable?: string;
}

/** A coding agent: all that is known of its hooks. */
export interface Agent {
  /** As it is typed: `codex`. */
  readonly name: string;
  readonly title: string;
  /** The version that was looked at, and how. */
  readonly known: { readonly version: string; readonly date: string; readonly how: 'observed' | 'read' };
  readonly files: AgentFiles;
  /** The variable that holds the folder of the project in a hook command; without one the command asks Git. */
  readonly projectVariable?: string;
  /** Its events that hooks are for. */
  readonly events: Readonly<Record<string, AgentEvent>>;
  readonly honours: Honours;
  /** Its names of tools, where others call the same tool otherwise. Hooks see the names of Claude Code. */
  readonly tools: Readonly<Record<string, string>>;
  /** What no hook sees or can do there, a sentence each. */
  readonly limits: readonly string[];
  /** What a person has to do after the hooks are installed. */
  readonly afterInstall: string;
  /** The unit in which its file gives the timeout of an entry. */
  readonly timeoutUnit: 'seconds' | 'milliseconds';
  /** What an entry that guards has beside its command, where the agent can be told what a failure of it is worth. */
  readonly guardKeys?: Readonly<Record<string, unknown>>;
  /** The calls that a call makes: a patch writes several files. Default: none but itself. */
  listInnerCalls?(call: HookToolCall, folder: string): readonly HookToolCall[];
  /** Reads what a tool has answered. Default: `tool_response`, as text or as JSON. */
  readResult?(payload: Payload): HookToolResult;
}

/** Whether what an event tells of can be denied there, so that a guard which does not answer must deny. */
export function isGuarded({ moment }: AgentEvent): boolean {
  return moment === 'tool_call' || moment === 'permission' || moment === 'prompt';
}

/** JSON on standard output and exit code 0; nothing at all where there is nothing to say. */
export function writeJson(content: Readonly<Record<string, unknown>>): Output {
  const isEmpty = Object.values(content).every((value) => value === undefined);
  return { stdout: isEmpty ? '' : JSON.stringify(content), stderr: '', code: 0 };
}

/** Nothing to say. */
export const silence: Output = { stdout: '', stderr: '', code: 0 };

/** A field that holds a text. */
export function readText(payload: Payload, name: string): string | undefined {
  const value = payload[name];
  return typeof value === 'string' ? value : undefined;
}

/** Any value as the text that a model gets. */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined ? '' : JSON.stringify(value);
}

/** A field that holds an object. */
export function readObject(payload: Payload, name: string): Readonly<Record<string, unknown>> | undefined {
  const value = payload[name];
  return isRecord(value) ? value : undefined;
}
