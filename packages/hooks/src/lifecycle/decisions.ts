import type { JsonObject } from 'type-fest';
import { nearest } from '../nearest.ts';
import { answerOfModel, hookToolResult, requestToModel, ShapeProblem } from '../shapes/index.ts';
import { toJson } from '../shapes/json.ts';
import { isPlainRecord, nameSortOfValue } from '../shapes/record.ts';
import { parseArguments } from '../tool-arguments.ts';
import type {
  CompactionInfo,
  Decision,
  ModelAnswer,
  ModelRequest,
  ModelRewrite,
  PermissionRequest,
  StopInfo,
} from '../vocabulary/control.ts';
import type { HookToolCall } from '../vocabulary/messages.ts';
import type { NewMessage } from '../vocabulary/state.ts';

/** How a decide hook's answer is read, and how a rewritten input changes what is decided on. */
export interface DecideRow<S> {
  /** A private copy of the answer: it counts as it was given, whatever the hook does to it later. @throws {ShapeProblem} */
  read(returned: unknown): Decision | null;
  /** @throws {ShapeProblem} where the input does not fit the subject. */
  rewrite(subject: S, input: NonNullable<Decision['input']>): S;
  /** What a hook can rewrite of the subject; absent where that is nothing. */
  input?(subject: S): NonNullable<Decision['input']> | null;
  /** A refusal does not deny anything: it keeps the turn going. */
  readonly keepsGoing?: true;
  /** The subject about another tool call, where it is about one. */
  withCall?(subject: S, toolCall: HookToolCall): S;
}

type Given = Readonly<Record<string, unknown>>;

/** How each field of a decision is read. A field that is not here is refused: a misspelt `decision` must not let a call pass. */
const fields: { readonly [Field in keyof Required<Decision>]: (value: unknown) => Decision[Field] } = {
  decision: acceptWords('allow', 'deny', 'ask'),
  reason: (value) => readText(value, 'reason'),
  userMessage: (value) => readText(value, 'userMessage'),
  context: (value) =>
    Array.isArray(value) ? value.map((text) => readText(text, 'context')) : readText(value, 'context'),
  input: (value) => value as Decision['input'],
  result: (value) => hookToolResult.hold({ status: 'error' }).adopt(value).value,
};

function readDecision(returned: unknown): Decision | null {
  return readFields(returned, fields);
}

function readModelDecision(returned: unknown): Decision | null {
  return readFields(returned, modelFields);
}

function readFields(
  returned: unknown,
  readers: Readonly<Record<string, (value: unknown) => unknown>>,
): Decision | null {
  if (returned === null) return null;
  const given = asRecord(returned, {
    expected: 'a decision or null',
    example: "{ decision: 'deny', reason: '…' }, or null for no opinion",
    known: Object.keys(readers),
  });
  const decision: Record<string, unknown> = {};
  for (const [field, read] of Object.entries(readers)) {
    const value = given[field];
    if (value !== undefined) decision[field] = read(value);
  }
  return decision;
}

/** A decision on a model call is answered by what a model answers. */
const modelFields = {
  ...fields,
  result: (value: unknown): ModelAnswer => answerOfModel.hold({ content: null }).adopt(value).value,
};

function readKeepGoing(returned: unknown): Decision | null {
  if (returned === null) return null;
  const { keepGoing } = asRecord(returned, {
    expected: '{ keepGoing: string } or null',
    example: "{ keepGoing: '…' }, or null to stop",
    known: ['keepGoing'],
  });
  if (typeof keepGoing !== 'string') throw new ShapeProblem('expected { keepGoing: string } or null');
  return { decision: 'deny', reason: keepGoing };
}

interface Asked {
  readonly expected: string;
  /** What a hook returns, as the end of a sentence. */
  readonly example: string;
  readonly known: readonly string[];
}

/**
 * Only plain records count: an error, a response or a map has no field of its own, and would let a call pass as `{}` does.
 *
 * @throws {ShapeProblem} where it is no plain record, or has a field that is not known.
 */
function asRecord(returned: unknown, { expected, example, known }: Asked): Given {
  if (!isPlainRecord(returned)) {
    const got = nameSortOfValue(returned);
    throw new ShapeProblem(
      `expected ${expected}, got ${got}${got === 'an object' ? ' that is no plain one' : ''}: return ${example}`,
    );
  }
  const unknown = Reflect.ownKeys(returned).find((field) => !known.includes(field as string));
  if (unknown === undefined) return returned;
  const meant = typeof unknown === 'string' ? nearest(unknown, known) : undefined;
  throw new ShapeProblem(
    `expected ${expected}, got an unknown field. ${meant === undefined ? `Known are ${known.join(', ')}` : `Did you mean "${meant}"?`}`,
  );
}

function acceptWords(
  ...words: NonNullable<Decision['decision']>[]
): (value: unknown) => Decision['decision'] {
  return (value) => {
    const word = words.find((known) => known === value);
    if (word === undefined)
      throw new ShapeProblem(`decision must be 'allow', 'deny', 'ask' or absent${nameOther(value)}`);
    return word;
  };
}

/** What other agents call the same. */
const otherWords: ReadonlyMap<unknown, string> = new Map([
  ['block', 'deny'],
  ['reject', 'deny'],
  ['approve', 'allow'],
]);

function nameOther(value: unknown): string {
  const meant = otherWords.get(value);
  return meant === undefined ? '' : `: write '${meant}' for '${String(value)}'`;
}

function readText(value: unknown, field: string): string {
  if (typeof value !== 'string')
    throw new ShapeProblem(`${field} must be a string${field === 'context' ? ' or a list of strings' : ''}`);
  return value;
}

function refuseRewrite(): never {
  throw new ShapeProblem('this hook has no input that could be rewritten');
}

function withArguments(call: HookToolCall, input: NonNullable<Decision['input']>): HookToolCall {
  if (!isPlainRecord(input))
    throw new ShapeProblem('input must be a plain object: the arguments of the call');
  return { ...call, function: { ...call.function, arguments: writeJson(input) } };
}

function writeJson(input: object): string {
  const json = JSON.stringify(toJson(input, { path: ['input'] }));
  if (json.startsWith('{')) return json;
  throw new ShapeProblem('input must be an object that JSON can hold');
}

/** The arguments of a call; their text where that is no JSON object. */
function argumentsIn(call: HookToolCall): NonNullable<Decision['input']> {
  return (parseArguments(call) as JsonObject | undefined) ?? call.function.arguments;
}

export const overToolCall: DecideRow<HookToolCall> = {
  read: readDecision,
  rewrite: withArguments,
  input: argumentsIn,
  withCall: (_, toolCall) => toolCall,
};

export const overPermission: DecideRow<PermissionRequest> = {
  read: readDecision,
  rewrite: (request, input) => ({ ...request, toolCall: withArguments(request.toolCall, input) }),
  input: ({ toolCall }) => argumentsIn(toolCall),
  withCall: (request, toolCall) => ({ ...request, toolCall }),
};

export const overUserMessage: DecideRow<NewMessage> = {
  read: readDecision,
  rewrite: (message, input) => {
    if (typeof input !== 'string') throw new ShapeProblem('input must be a string: the text of the message');
    return { ...message, content: input };
  },
  input: ({ content }) => content,
};

export const overStop: DecideRow<StopInfo> = {
  read: readKeepGoing,
  rewrite: refuseRewrite,
  keepsGoing: true,
};
export const overCompaction: DecideRow<CompactionInfo> = { read: readDecision, rewrite: refuseRewrite };

const REWRITABLE: readonly (keyof ModelRewrite)[] = ['model', 'settings', 'toolChoice', 'tools'];

export const overModelRequest: DecideRow<ModelRequest> = {
  read: readModelDecision,
  rewrite(request, input) {
    const given = asRecord(input, {
      expected: `input with any of ${REWRITABLE.join(', ')}`,
      example: "{ decision: 'allow', input: { model: '…' } }",
      known: REWRITABLE,
    });
    const rewrite = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    return requestToModel.hold(request).adopt({ ...request, ...rewrite }).value;
  },
  input: ({ model, settings, toolChoice, tools }) => ({ model, settings, toolChoice, tools }) as JsonObject,
};
