import type {
  JSONSchema7,
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3StreamResult,
} from '@ai-sdk/provider';
import { DefinitionError, type HookToolResult, type StandardSchema, type ThreadState } from '@spec/hooks';

/** A model of any AI SDK provider, of interface version 3 or 4; the runtime calls `doStream`. */
export type LanguageModel = LanguageModelV3 | LanguageModelV4;

/** The part of version 4 that the runtime uses: for text and function tools it is the same as version 3. */
export interface LanguageModelV4 {
  readonly specificationVersion: 'v4';
  readonly provider: string;
  readonly modelId: string;
  doStream(options: LanguageModelV3CallOptions): PromiseLike<LanguageModelV3StreamResult>;
}

/** What a tool gets besides its input. */
export interface ToolContext {
  readonly state: ThreadState;
  /** The id of the call; again the same when a call is made once more after a crash. */
  readonly toolCallId: string;
  /** Aborted when the thread is. */
  readonly abortSignal: AbortSignal;
}

/** What a tool may answer: a text, a whole result, or a JSON value that becomes text. */
export type ToolAnswer =
  | string
  | HookToolResult
  | { readonly [key: string]: unknown }
  | readonly unknown[]
  | number
  | boolean
  | null
  | undefined;

interface ToolBase<Name extends string> {
  readonly name: Name;
  readonly description?: string;
  /** `ask` brings the permission hooks and the application's `onAsk` into play for every call. */
  readonly permission?: 'allow' | 'ask';
}

/** A tool that is a function. */
export interface FunctionTool<Input = unknown, Name extends string = string> extends ToolBase<Name> {
  /** Checks the arguments; what it returns is what `execute` gets. */
  readonly input?: StandardSchema<unknown, Input>;
  /** The arguments as JSON Schema, for the model. Taken from `input` where that can tell (Zod 4 can). */
  readonly parameters?: JSONSchema7;
  execute(input: Input, context: ToolContext): Promise<ToolAnswer> | ToolAnswer;
}

/** A tool that is an agent: it runs as a child thread, and its last text is the result (design §7.2). */
export interface AgentTool<Name extends string = string> extends ToolBase<Name> {
  readonly agent: string;
}

/** A function tool as the runtime holds it: its input is known to its own `execute` only. */
export interface AnyFunctionTool extends Omit<FunctionTool<never>, 'input'> {
  readonly input?: StandardSchema;
}

export type AnyTool = AnyFunctionTool | AgentTool;

/** A prompt: what the model is told, which tools it has, and which hooks apply (specification §1.3). */
export interface PromptDefinition<HookId extends string = string> {
  readonly name: string;
  /** The system message, or how it is rendered. Absent: none. */
  readonly system?: string | ((state: ThreadState) => string | Promise<string>);
  /** The name of a registered model. Default: the only one. */
  readonly model?: string;
  /** Names of tools. Default: none. */
  readonly tools?: readonly string[];
  /** Ids of hooks; an empty list is a real answer, an absent one leaves it to the agent. */
  readonly hooks?: readonly HookId[];
  readonly settings?: Pick<
    LanguageModelV3CallOptions,
    'temperature' | 'maxOutputTokens' | 'topP' | 'stopSequences' | 'seed'
  >;
}

/** An agent: a prompt, limits, and the hooks that apply where its prompt names none. */
export interface AgentDefinition<HookId extends string = string> {
  readonly name: string;
  /** The name of its prompt. */
  readonly prompt: string;
  readonly hooks?: readonly HookId[];
  /** How many times the model may be called in one turn. Default 50. */
  readonly maxSteps?: number;
}

/**
 * Defines a tool. Its arguments are checked by any Standard Schema and typed by it.
 *
 * @throws {DefinitionError} `bad_definition` where the name does not fit or the model could not be told the arguments.
 */
export function defineTool<const Name extends string>(tool: AgentTool<Name>): AgentTool<Name>;
export function defineTool<const Name extends string, Output = Record<string, unknown>>(
  tool: FunctionTool<Output, Name>,
): FunctionTool<Output, Name>;
export function defineTool(tool: AgentTool | FunctionTool): AgentTool | FunctionTool {
  checkName('tool', tool.name);
  if ('agent' in tool) return Object.freeze({ ...tool });
  if (typeof tool.execute !== 'function')
    throw bad('tool', tool.name, 'execute must be a function, or agent the name of an agent.');
  const parameters = tool.parameters ?? jsonSchemaOf(tool.input);
  if (parameters === undefined) {
    throw bad(
      'tool',
      tool.name,
      'the model must be told its arguments: give parameters (JSON Schema); this input schema cannot tell them itself.',
    );
  }
  return Object.freeze({ ...tool, parameters });
}

/** Defines a prompt. Its hooks' ids are kept as literals, so that `createRuntime` can check them at compile time. */
export function definePrompt<const HookId extends string = never>(
  prompt: PromptDefinition<HookId>,
): PromptDefinition<HookId> {
  checkName('prompt', prompt.name);
  return Object.freeze({ ...prompt });
}

/** Defines an agent. Its hooks' ids are kept as literals, so that `createRuntime` can check them at compile time. */
export function defineAgent<const HookId extends string = never>(
  agent: AgentDefinition<HookId>,
): AgentDefinition<HookId> {
  checkName('agent', agent.name);
  const { maxSteps } = agent;
  if (maxSteps !== undefined && !(Number.isSafeInteger(maxSteps) && maxSteps > 0)) {
    throw bad('agent', agent.name, 'maxSteps must be a whole number of at least 1.');
  }
  return Object.freeze({ ...agent });
}

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

function checkName(sort: string, name: unknown): void {
  if (typeof name === 'string' && NAME.test(name)) return;
  throw bad(sort, String(name), 'a name has 1 to 64 letters, digits, underscores or hyphens.');
}

interface JsonSchemaTeller {
  readonly jsonSchema?: { input(options: { target: string }): Record<string, unknown> };
}

const noArguments: JSONSchema7 = { type: 'object', properties: {} };

/** What Standard JSON Schema (standardschema.dev) calls the input of a schema. */
function jsonSchemaOf(schema: StandardSchema | undefined): JSONSchema7 | undefined {
  if (schema === undefined) return noArguments;
  const { jsonSchema } = schema['~standard'] as JsonSchemaTeller;
  try {
    return jsonSchema?.input({ target: 'draft-07' }) as JSONSchema7 | undefined;
  } catch {
    return undefined; // It has something in it that JSON Schema cannot say, such as a date.
  }
}

function bad(sort: string, name: string, rule: string): DefinitionError {
  return new DefinitionError('bad_definition', `The ${sort} "${name}": ${rule}`);
}
