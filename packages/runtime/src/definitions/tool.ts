import type { JSONSchema7 } from '@ai-sdk/provider';
import {
  type Duration,
  describeGiven,
  describeWrongDuration,
  durationInMs,
  type HookToolResult,
  type OptionNames,
  ownOptions,
  type StandardSchema,
  type ThreadState,
} from '@spec/hooks';
import { promptAgentName } from './agent.ts';
import { bad, checkDefinition, checkDefinitionName, checkFieldNames } from './bad-definition.ts';

/** What a tool receives besides its input. */
export interface ToolContext {
  readonly state: ThreadState;
  /** The id of the call. It stays the same if the call is repeated after a crash. */
  readonly toolCallId: string;
  /** Aborted when the thread is aborted, and when the tool's `timeout` is over. */
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

interface ToolInput<Input> {
  /** Validates the arguments. The tool receives the value that the schema returns. */
  readonly input?: StandardSchema<unknown, Input>;
  /** The arguments as JSON Schema, for the model. Default: derived from `input` if its library can (Zod 4 can). */
  readonly parameters?: JSONSchema7;
}

/** A tool that is a function. */
export interface FunctionTool<Input = unknown, Name extends string = string>
  extends ToolBase<Name>,
    ToolInput<Input> {
  /**
   * What becomes of a call that had started when the process died. `retry` runs it again, with the same
   * `state.execution.callKey` as idempotency key; `fail` answers that it is unknown whether it ran. Default `fail`.
   */
  readonly onInterrupted?: 'retry' | 'fail';
  /**
   * How long a call may take, without the time in which a person is asked. Then its signal fires, its state refuses every write, and an
   * error result with `code: 'tool_timed_out'` is its answer. Default: `toolTimeout` of `createRuntime`.
   */
  readonly timeout?: Duration;
  execute(input: Input, context: ToolContext): Promise<ToolAnswer> | ToolAnswer;
}

/** What tools that run as a child thread have in common. Without `input` and `parameters` they take one text, `task`. */
interface ChildTool<Input, Name extends string> extends ToolBase<Name>, ToolInput<Input> {
  /** The first message of the child thread. Default: the only argument if it is a text, else all arguments as JSON. */
  message?(input: Input): string;
}

/** A tool that is an agent: it runs as a child thread, and its last text is the result. */
export interface AgentToolOptions<Input, Name extends string> extends ChildTool<Input, Name> {
  /** The name of an agent. */
  readonly agent: string;
  readonly prompt?: never;
}

/** A tool that is a prompt: it runs as a child thread of an agent made from this prompt alone. */
export interface PromptToolOptions<Input, Name extends string> extends ChildTool<Input, Name> {
  /** The name of a prompt. */
  readonly prompt: string;
  readonly agent?: never;
}

/** A tool that runs as a child thread, as the runtime holds it. */
export interface AgentTool<Name extends string = string> extends ToolBase<Name> {
  /** The name of an agent, or `prompt:` and the name of a prompt. */
  readonly agent: string;
  readonly input?: StandardSchema;
  readonly parameters?: JSONSchema7;
  message?(input: never): string;
}

/** A function tool as the runtime holds it: its input is known to its own `execute` only. */
export interface AnyFunctionTool extends Omit<FunctionTool<never>, 'input'> {
  readonly input?: StandardSchema;
}

export type AnyTool = AnyFunctionTool | AgentTool;

/**
 * Defines a tool: a function, an agent or a prompt. Its arguments are checked by any Standard Schema and typed by it.
 *
 * @throws {DefinitionError} `bad_definition` for an invalid name, timeout, permission or `onInterrupted`, or if the arguments have no JSON Schema for the model.
 */
export function defineTool<const Name extends string, Output = { task: string }>(
  tool: AgentToolOptions<Output, Name> | PromptToolOptions<Output, Name>,
): AgentTool<Name>;
export function defineTool<const Name extends string, Output = Record<string, unknown>>(
  tool: FunctionTool<Output, Name>,
): FunctionTool<Output, Name>;
export function defineTool(given: FunctionTool | ChildToolOptions): FunctionTool | AgentTool {
  checkDefinition('tool', given);
  const tool = ownOptions(given, toolFields);
  checkDefinitionName('tool', tool.name);
  checkFieldNames('tool', tool, toolFields);
  checkChoice(tool, 'permission', ['allow', 'ask']);
  checkChoice(tool, 'onInterrupted', ['fail', 'retry']);
  if (!('execute' in tool)) return defineChildTool(tool);
  if (typeof tool.execute !== 'function' || isChildTool(tool)) throw bad('tool', tool.name, DOES_ONE_THING);
  const { timeout } = tool;
  if (timeout !== undefined && durationInMs(timeout) === undefined)
    throw bad('tool', tool.name, describeWrongDuration('timeout', timeout));
  return withParameters(tool, noArguments);
}

/** What is none of them would be taken for none at all: a tool that is to ask would run. */
function checkChoice(
  tool: FunctionTool | ChildToolOptions,
  field: 'permission' | 'onInterrupted',
  choices: readonly string[],
): void {
  const { [field]: given } = tool as { readonly [Field in typeof field]?: unknown };
  if (given === undefined || choices.some((choice) => choice === given)) return;
  throw bad('tool', tool.name, `${field} must be one of ${choices.join(', ')}; got ${describeGiven(given)}.`);
}

const toolFields: OptionNames<FunctionTool | ChildToolOptions> = {
  name: true,
  description: true,
  permission: true,
  input: true,
  parameters: true,
  onInterrupted: true,
  timeout: true,
  execute: true,
  agent: true,
  prompt: true,
  message: true,
};

const DOES_ONE_THING =
  'execute must be a function, or agent the name of an agent, or prompt the name of a prompt; one of these.';

type ChildToolOptions = AgentToolOptions<unknown, string> | PromptToolOptions<unknown, string>;

function isChildTool(tool: object): boolean {
  const { agent, prompt } = tool as Partial<ChildToolOptions>;
  return agent !== undefined || prompt !== undefined;
}

function defineChildTool({ agent, prompt, ...tool }: ChildToolOptions): AgentTool {
  if ((tool as Partial<FunctionTool>).timeout !== undefined)
    throw bad(
      'tool',
      tool.name,
      'only tools that are functions have a timeout; maxSteps and stopWhen limit an agent.',
    );
  const names: readonly unknown[] = [agent, prompt].filter((name) => name !== undefined);
  if (names.length !== 1 || typeof names[0] !== 'string') throw bad('tool', tool.name, DOES_ONE_THING);
  const held = { ...tool, agent: agent ?? promptAgentName(prompt as string) } as AgentTool;
  return withParameters(held, oneTask);
}

function withParameters<Tool extends FunctionTool | AgentTool>(tool: Tool, withoutInput: JSONSchema7): Tool {
  if (tool.input !== undefined && !isStandardSchema(tool.input))
    throw bad('tool', tool.name, 'input must be a Standard Schema, such as one of Zod.');
  const parameters =
    tool.input === undefined ? (tool.parameters ?? withoutInput) : makeParameters(tool, tool.input);
  if (parameters !== undefined) return Object.freeze<Tool>({ ...tool, parameters });
  throw bad(
    'tool',
    tool.name,
    'the model must be told its arguments: give parameters (JSON Schema); this input schema cannot tell them itself.',
  );
}

function isStandardSchema(input: unknown): boolean {
  const { '~standard': standard } = (input ?? {}) as Partial<StandardSchema>;
  return typeof standard?.validate === 'function';
}

interface JsonSchemaTeller {
  readonly jsonSchema?: { input(options: { target: string }): Record<string, unknown> };
}

const noArguments: JSONSchema7 = { type: 'object', properties: {} };

const oneTask: JSONSchema7 = {
  type: 'object',
  properties: {
    task: { type: 'string', description: 'What the agent is to do, with everything it needs to know.' },
  },
  required: ['task'],
  additionalProperties: false,
};

/** Those that were given, else what Standard JSON Schema (standardschema.dev) calls the input of the schema. */
function makeParameters(
  { parameters }: Pick<FunctionTool, 'parameters'>,
  input: StandardSchema,
): JSONSchema7 | undefined {
  const { jsonSchema } = input['~standard'] as JsonSchemaTeller;
  try {
    return parameters ?? (jsonSchema?.input({ target: 'draft-07' }) as JSONSchema7 | undefined);
  } catch {
    return undefined; // It has something in it that JSON Schema cannot say, such as a date.
  }
}
