import { findUnknownOption, type OptionNames, ownOptions } from '@spec/hooks';
import { bad, checkDefinition, checkDefinitionName, checkFieldNames } from './bad-definition.ts';
import { type CompactionOptions, checkCompaction } from './compaction.ts';
import type { StopCondition } from './stop-conditions.ts';

interface AgentBase<HookId extends string> {
  readonly name: string;
  /** Ids of the hooks that apply if the prompt has no `hooks` list. */
  readonly hooks?: readonly HookId[];
  /** The most model calls in one turn, counting both sides together. Default 50. */
  readonly maxSteps?: number;
  /** Ends the turn after a step for which one of these holds. */
  readonly stopWhen?: StopCondition | readonly StopCondition[];
  /** The compaction for prompts that set none. */
  readonly compaction?: CompactionOptions;
}

/** An agent that talks with a person: a prompt, limits, and the hooks that apply where its prompt names none. */
export interface AiHumanAgent<HookId extends string = string> extends AgentBase<HookId> {
  readonly type?: 'ai_human';
  /** The name of its prompt. */
  readonly prompt: string;
  readonly sides?: never;
}

/** An agent of two prompts that talk with each other: side `a` answers the message first, then `b`, and so on. */
export interface DualAiAgent<HookId extends string = string> extends AgentBase<HookId> {
  readonly type: 'dual_ai';
  readonly sides: { readonly a: AgentSide; readonly b: AgentSide };
  readonly prompt?: never;
}

/**
 * The two sides of a `dual_ai` agent (design §7.2). An agent that talks with a person has side `a` only.
 */
export type SideName = 'a' | 'b';

/** One side of a `dual_ai` agent. A go is what it does from its first step until the other side's. */
export interface AgentSide {
  /** The name of its prompt. */
  readonly prompt: string;
  /** The `name` of the messages that this side writes. */
  readonly label?: string;
  /** The most model calls in one go. Default: as many as the agent's `maxSteps` allows. */
  readonly maxSteps?: number;
  /** The most goes of this side in one turn. Default: no limit. */
  readonly maxTurns?: number;
  /** Ends the turn after a step of this side for which one of these holds. */
  readonly stopWhen?: StopCondition | readonly StopCondition[];
}

export type AgentDefinition<HookId extends string = string> = AiHumanAgent<HookId> | DualAiAgent<HookId>;

/**
 * Defines an agent. Its hooks' ids are kept as literals, so that `createRuntime` can check them at compile time.
 *
 * @throws {DefinitionError} `bad_definition`, with the rule that is broken.
 */
export function defineAgent<const HookId extends string = never>(
  agent: AgentDefinition<HookId>,
): AgentDefinition<HookId> {
  checkDefinition('agent', agent);
  checkDefinitionName('agent', agent.name);
  checkFieldNames('agent', agent, agentFields);
  const problem = agent.type === 'dual_ai' ? dualProblem(agent) : humanProblem(agent);
  if (problem !== undefined) throw bad('agent', agent.name, problem);
  checkCompaction('agent', agent.name, agent.compaction);
  return Object.freeze({ ...ownOptions(agent, agentFields) });
}

const agentFields: OptionNames<AgentDefinition> = {
  name: true,
  type: true,
  prompt: true,
  sides: true,
  hooks: true,
  maxSteps: true,
  stopWhen: true,
  compaction: true,
};

const sideFields: OptionNames<AgentSide> = {
  prompt: true,
  label: true,
  maxSteps: true,
  maxTurns: true,
  stopWhen: true,
};

const PROMPT_AGENT = 'prompt:';

/** The name of the agent made from a prompt alone. No other agent can have it. */
export function promptAgentName(prompt: string): string {
  return `${PROMPT_AGENT}${prompt}`;
}

/** The prompt in such a name; nothing where an agent has a name of its own. */
export function findPromptOfAgent(name: string): string | undefined {
  return name.startsWith(PROMPT_AGENT) ? name.slice(PROMPT_AGENT.length) : undefined;
}

/** Makes an agent from a prompt alone. */
export function promptAgent(prompt: string): AgentDefinition<never> {
  return Object.freeze({ name: promptAgentName(prompt), prompt });
}

/** The prompt of a side; an agent that talks with a person has but one. */
export function choosePromptName(agent: AgentDefinition, side: 'a' | 'b'): string {
  return agent.type === 'dual_ai' ? agent.sides[side].prompt : agent.prompt;
}

/** The names of the prompts that an agent has. */
export function listPromptNames(agent: AgentDefinition): readonly string[] {
  return agent.type === 'dual_ai' ? [agent.sides.a.prompt, agent.sides.b.prompt] : [agent.prompt];
}

type Unchecked<T> = { readonly [K in keyof T]?: unknown };

function humanProblem(agent: Unchecked<AiHumanAgent>): string | undefined {
  if (agent.type !== undefined && agent.type !== 'ai_human') return 'type must be "ai_human" or "dual_ai".';
  if (agent.sides !== undefined) return 'sides belong to an agent of the type "dual_ai".';
  if (typeof agent.prompt !== 'string') return 'prompt must be the name of a prompt.';
  return limitProblem(agent);
}

function dualProblem(agent: Unchecked<DualAiAgent>): string | undefined {
  if (agent.prompt !== undefined)
    return 'a "dual_ai" agent has a prompt for each of its sides, and none besides.';
  const sides = (agent.sides ?? {}) as Readonly<Record<string, Unchecked<AgentSide> | undefined>>;
  if (Object.keys(sides).sort().join() !== 'a,b') return 'sides must be { a, b }, each with its prompt.';
  return limitProblem(agent) ?? sideProblem('a', sides.a) ?? sideProblem('b', sides.b);
}

function sideProblem(name: string, side: Unchecked<AgentSide> = {}): string | undefined {
  if (typeof side?.prompt !== 'string') return `the prompt of side ${name} must be the name of a prompt.`;
  if (side.label !== undefined && (typeof side.label !== 'string' || side.label === ''))
    return `the label of side ${name} must be a text.`;
  const problem = findUnknownOption(side, sideFields) ?? limitProblem(side);
  return problem === undefined ? undefined : `side ${name}: ${problem}`;
}

function limitProblem({ maxSteps, maxTurns, stopWhen = [] }: Unchecked<AgentSide>): string | undefined {
  if (!isLimit(maxSteps)) return 'maxSteps must be a whole number of at least 1.';
  if (!isLimit(maxTurns)) return 'maxTurns must be a whole number of at least 1.';
  const conditions: readonly unknown[] = Array.isArray(stopWhen) ? stopWhen : [stopWhen];
  if (conditions.every((condition) => typeof condition === 'function')) return undefined;
  return 'stopWhen must be a function, or a list of functions.';
}

function isLimit(limit: unknown): boolean {
  return limit === undefined || (Number.isSafeInteger(limit) && (limit as number) > 0);
}
