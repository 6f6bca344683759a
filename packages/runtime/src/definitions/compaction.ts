import { findUnknownOption, type OptionNames } from '@spec/hooks';
import { bad } from './bad-definition.ts';

/** When and how a thread's older messages are replaced by a summary in what the model is sent. They stay in the store. */
export interface CompactionOptions {
  /** Compacts before a step once the history has this many tokens. Default: only `thread.compact` compacts. */
  readonly atTokens?: number;
  /** How many tokens of the newest messages stay as they are. Default: a quarter of `atTokens`, or 0 without it. */
  readonly keepTokens?: number;
  /**
   * The most tokens that the model can take. If a compaction fails and the history is longer than this, the step fails too.
   * Otherwise the step goes on with the whole history.
   */
  readonly maxTokens?: number;
  /** The name of the registered model that writes the summary. Default: the prompt's. */
  readonly model?: string;
  /** Instructions for the summary, in place of the built-in ones. */
  readonly instructions?: string;
}

/** @throws {DefinitionError} `bad_definition` */
export function checkCompaction(sort: string, name: string, options: CompactionOptions | undefined): void {
  if (options === undefined) return;
  const problem = findProblem(options);
  if (problem !== undefined) throw bad(sort, name, `compaction: ${problem}`);
}

const optionNames: OptionNames<CompactionOptions> = {
  atTokens: true,
  keepTokens: true,
  maxTokens: true,
  model: true,
  instructions: true,
};

type Unchecked = { readonly [K in keyof CompactionOptions]?: unknown };

function findProblem(options: Unchecked): string | undefined {
  if (typeof options !== 'object' || options === null)
    return 'it must be an object, such as { atTokens: 50_000 }.';
  const unknown = findUnknownOption(options, optionNames);
  if (unknown !== undefined) return unknown;
  const { atTokens, keepTokens, maxTokens, model, instructions } = options;
  if (!isCount(atTokens, 1)) return 'atTokens must be a whole number of at least 1.';
  if (!isCount(keepTokens, 0)) return 'keepTokens must be a whole number of at least 0.';
  if (!isCount(maxTokens, 1)) return 'maxTokens must be a whole number of at least 1.';
  if (isAbove(keepTokens, atTokens)) return 'keepTokens must be less than atTokens.';
  if (isAbove(atTokens, maxTokens)) return 'atTokens must be less than maxTokens.';
  if (!isText(model)) return 'model must be the name of a model.';
  return isText(instructions) ? undefined : 'instructions must be a text.';
}

/** Whether an option is absent, or a whole number of at least `least`. */
export function isCount(value: unknown, least: number): boolean {
  return value === undefined || (Number.isSafeInteger(value) && (value as number) >= least);
}

function isAbove(one: unknown, other: unknown): boolean {
  return typeof one === 'number' && typeof other === 'number' && one >= other;
}

function isText(value: unknown): boolean {
  return value === undefined || (typeof value === 'string' && value !== '');
}

/** How many tokens of the newest messages stay. */
export function tokensToKeep({
  atTokens = 0,
  keepTokens = Math.floor(atTokens / 4),
}: CompactionOptions): number {
  return keepTokens;
}
