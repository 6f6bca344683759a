import type { LanguageModelV3CallOptions } from '@ai-sdk/provider';
import { findUnknownOption, isRecord, type OptionNames, ownOptions, type ThreadState } from '@spec/hooks';
import { bad, checkDefinition, checkDefinitionName, checkFieldNames } from './bad-definition.ts';
import { type CompactionOptions, checkCompaction } from './compaction.ts';
import { findRetryProblem, type RetryOptions } from './retry.ts';

export type SystemFunction = (state: ThreadState) => string | Promise<string>;

/** Includes the system message of another prompt in this one's. */
export interface SystemInclude {
  /** The name of the other prompt. */
  readonly include: string;
}

/** A part of a system message: a text, a function of the state, or another prompt's system message. */
export type SystemPart = string | SystemFunction | SystemInclude;

/** A prompt: what the model is told, which tools it has, and which hooks apply. */
export interface PromptDefinition<HookId extends string = string> {
  readonly name: string;
  /** The system message, or its parts, which are joined by a blank line. Default: no system message. */
  readonly system?: SystemPart | readonly SystemPart[];
  /** The name of a registered model. Default: the only one. */
  readonly model?: string;
  /** Names of tools. Default: none. */
  readonly tools?: readonly string[];
  /** Whether the model may, must or must not call tools, or which one it must call. Default: it may. */
  readonly toolChoice?: 'auto' | 'required' | 'none' | { readonly tool: string };
  /** When older messages are replaced by a summary in what the model is sent. Default: as its agent says, else never. */
  readonly compaction?: CompactionOptions;
  /** Ids of the hooks that apply. An empty list means none. Default: the agent's hooks. */
  readonly hooks?: readonly HookId[];
  readonly settings?: ModelSettings;
  /** How often a model call that failed is made again. Default: as the runtime's `retry` says. */
  readonly retry?: RetryOptions;
  /** Names of registered models that are asked in this order where the prompt's model fails. Default: none. */
  readonly fallback?: readonly string[];
}

/** What a prompt may say about how its model writes. */
type ModelSettings = Pick<
  LanguageModelV3CallOptions,
  'temperature' | 'maxOutputTokens' | 'topP' | 'stopSequences' | 'seed'
>;

const promptFields: OptionNames<PromptDefinition> = {
  name: true,
  system: true,
  model: true,
  tools: true,
  toolChoice: true,
  compaction: true,
  hooks: true,
  settings: true,
  retry: true,
  fallback: true,
};

/** The settings that a prompt and `before_model_call` may give. */
export const settingNames: OptionNames<ModelSettings> = {
  temperature: true,
  maxOutputTokens: true,
  topP: true,
  stopSequences: true,
  seed: true,
};

/** Defines a prompt. Its hooks' ids are kept as literals, so that `createRuntime` can check them at compile time. */
export function definePrompt<const HookId extends string = never>(
  prompt: PromptDefinition<HookId>,
): PromptDefinition<HookId> {
  checkDefinition('prompt', prompt);
  checkDefinitionName('prompt', prompt.name);
  checkFieldNames('prompt', prompt, promptFields);
  checkSettings(prompt);
  checkRetry(prompt);
  checkNames(prompt);
  checkParts(prompt);
  checkToolChoice(prompt);
  checkCompaction('prompt', prompt.name, prompt.compaction);
  return Object.freeze({ ...ownOptions(prompt, promptFields) });
}

/** The parts of a prompt's system message, in order; none where it has none. */
export function listParts({ system = [] }: PromptDefinition): readonly SystemPart[] {
  return Array.isArray(system) ? system : [system as SystemPart];
}

export function isInclude(part: SystemPart): part is SystemInclude {
  return typeof part === 'object';
}

function checkRetry({ name, retry }: PromptDefinition): void {
  const problem = findRetryProblem(retry);
  if (problem !== undefined) throw bad('prompt', name, problem);
}

function checkNames({ name, tools = [], hooks = [], fallback = [] }: PromptDefinition): void {
  for (const [field, given] of Object.entries({ tools, hooks, fallback } as Record<string, unknown>))
    if (!Array.isArray(given) || !given.every((one) => typeof one === 'string'))
      throw bad('prompt', name, `${field} must be a list of names.`);
}

function checkSettings({ name, settings = {} }: PromptDefinition): void {
  if (!isRecord(settings))
    throw bad('prompt', name, 'settings must be an object, such as { temperature: 0 }.');
  const problem = findUnknownOption(settings, settingNames);
  if (problem !== undefined) throw bad('prompt', name, `settings: ${problem}`);
}

function checkParts(prompt: PromptDefinition): void {
  if (listParts(prompt).every(isPart)) return;
  const rule = 'a part of a system message is a text, a function, or { include: "another prompt" }.';
  throw bad('prompt', prompt.name, rule);
}

function isPart(part: unknown): boolean {
  if (typeof part === 'string' || typeof part === 'function') return true;
  return typeof (part as Partial<SystemInclude> | null)?.include === 'string';
}

function checkToolChoice({ name, toolChoice: choice, tools = [] }: PromptDefinition): void {
  if (choice === undefined || choice === 'auto' || choice === 'none') return;
  if (choice !== 'required' && typeof choice?.tool !== 'string')
    throw bad('prompt', name, 'toolChoice must be "auto", "required", "none" or { tool: "a name" }.');
  const isOffered = choice === 'required' ? tools.length > 0 : tools.includes(choice.tool);
  if (!isOffered) throw bad('prompt', name, 'toolChoice asks for a tool that is not among its tools.');
}
