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

/** The answer of our hooks to an event, before it is put into an agent's words. */
export interface Answer {
  /** At the end of a turn, `deny` keeps the turn going. `allow` means that nobody has to be asked. Absent: no objection. */
  readonly decision?: 'allow' | 'ask' | 'deny';
  /** For the model. Always set with a deny. */
  readonly reason?: string;
  /** For the person. */
  readonly userMessage?: string | undefined;
  /** All arguments of the call, if a hook changed them. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** For the conversation. */
  readonly context?: string;
  /** The text of the prompt, if a hook changed it. */
  readonly prompt?: string;
  /** What the model gets in place of the tool's result. */
  readonly result?: string;
  /** With `result`: whether the call counts as failed, and the files that the result still has. */
  readonly resultStatus?: HookToolResult['status'];
  readonly attachments?: HookToolResult['attachments'];
}

/** What a hook command of an agent prints, and its exit code. */
export interface Output {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
}

/** Puts an answer into an agent's words. If the agent cannot do what the answer says but can deny, this denies. */
export type WriteAnswer = (answer: Answer, event: string) => Output;

/** One event of an agent. */
export interface AgentEvent {
  readonly moment: Moment;
  readonly write: WriteAnswer;
  /** The longest time that the agent waits, in seconds, if it is shorter than for other events. */
  readonly seconds?: number;
  /** What its entry has beside the command. */
  readonly keys?: Readonly<Record<string, unknown>>;
}

/** Where a person and a project keep the configuration of an agent. */
export interface AgentFiles {
  /** Relative to the project folder; the project shares this file. */
  readonly project: string;
  /** Relative to the home folder. */
  readonly user: string;
  /** A variable that replaces the first folder of `user`. */
  readonly homeVariable?: string;
  /** Further files in which its hooks can be switched off, relative as `project` and `user` are. */
  readonly switches?: { readonly project: readonly string[]; readonly user: readonly string[] };
}

/** What is known of a coding agent, whichever way hooks run in it. */
export interface AgentProfile {
  /** As it is typed: `codex`. */
  readonly name: string;
  readonly title: string;
  /** The version that we looked at, and how. */
  readonly known: { readonly version: string; readonly date: string; readonly how: 'observed' | 'read' };
  readonly files: AgentFiles;
  readonly honours: Honours;
  /** The agent's names for tools that others call differently. Hooks see the names of Claude Code. */
  readonly tools: Readonly<Record<string, string>>;
  /** Its names for the arguments of each of its tools, where Claude Code has others. Hooks see and answer those of Claude Code. */
  readonly fields?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** What no hook can see or do in this agent, one sentence each. */
  readonly limits: readonly string[];
  /** What a person has to do after the hooks are installed. */
  readonly afterInstall: string;
  /** How a person switches hooks off that are broken, as a sentence. Default: by `spec-hooks uninstall`. */
  readonly wayOut?: string;
  /** Whether a hook can change what a person has typed. */
  readonly rewritesPrompts?: true;
  /** The calls that a call makes: a patch writes several files. Default: only itself. */
  listInnerCalls?(call: HookToolCall, folder: string): readonly HookToolCall[];
  /** Gives a payload the fields of a call, if the agent tells of some calls in another way. */
  findCall?(payload: Payload): Payload;
  /** Reads what a tool has answered. Default: `tool_response`, as text or as JSON. */
  readResult?(payload: Payload): HookToolResult;
}

/** A coding agent that starts a command for each event. */
export interface Agent extends AgentProfile {
  /** The variable with the project folder in a hook command; without one, the command asks Git. */
  readonly projectVariable?: string;
  /** The events that hooks can be for. */
  readonly events: Readonly<Record<string, AgentEvent>>;
  /** The unit in which its file gives the timeout of an entry. */
  readonly timeoutUnit: 'seconds' | 'milliseconds';
  /** Where its entry has another command for Windows, the key for that. */
  readonly windowsKey?: string;
  /** What the entry of a guard has beside its command, if the agent can be told how to treat its failure. */
  readonly guardKeys?: Readonly<Record<string, unknown>>;
  /** The version that its file has to name. In such a file entries stand in lists by themselves, and not in groups. */
  readonly fileVersion?: number;
  /** Agents that run its file too, each with the field of a payload by which it is told. */
  readonly alsoRunBy?: Readonly<Record<string, string>>;
  /** What its commands print when there is nothing to say, if they must print something. */
  readonly silence?: string;
}

/** Whether the agent lets hooks deny here. If so, a guard that does not answer must deny. */
export function isGuarded({ moment }: Pick<AgentEvent, 'moment'>): boolean {
  return moment === 'tool_call' || moment === 'permission' || moment === 'prompt';
}

/** JSON on standard output and exit code 0; no output if there is nothing to say. */
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
