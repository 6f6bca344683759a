import { DefinitionError, type HookToolCall, type HookToolResult, isRecord, nearest } from '@spec/hooks';
import { type Fields, firstField, type Payload, parsePayload, textIn } from './payload.ts';

const nameFields = ['tool_name', 'toolName'] as const;
const inputFields = ['tool_input', 'toolInput', 'input', 'args'] as const;
const resultFields = [
  'tool_response',
  'toolResponse',
  'tool_result',
  'toolResult',
  'tool_output',
  'result',
] as const;

/**
 * The tool call of a payload, in our own form or by the fields of the formats.
 *
 * @throws {DefinitionError} `bad_definition`
 */
export function toolCallIn({ value, fields, place }: Payload): HookToolCall {
  const own = Array.isArray(value) ? value[0] : (fields.toolCall ?? fields.tool_call ?? value);
  if (isRecord(own) && isRecord(own.function)) return ownCall(own, own.function, place);
  const name = textIn(fields, ...nameFields);
  if (name === undefined) throw noTool(fields, place);
  const given = firstField(fields, ...inputFields);
  if (given === undefined) refuseMisspelt({ fields, place }, 'tool_input');
  const input = given ?? {};
  const id = textIn(fields, 'tool_use_id', 'toolCallId') ?? 'call_1';
  return { id, type: 'function', function: { name, arguments: writeJson(input) } };
}

function ownCall(call: Fields, { name, arguments: json = {} }: Fields, place: string): HookToolCall {
  if (typeof name !== 'string') throw noTool(call, place);
  const { id = 'call_1' } = call;
  return { ...call, id: String(id), type: 'function', function: { name, arguments: writeJson(json) } };
}

function writeJson(input: unknown): string {
  return typeof input === 'string' ? input : JSON.stringify(input);
}

/** What stands beside these in what formats send, and is near one of them by chance alone. */
const toolFields: readonly string[] = [
  ...nameFields,
  ...inputFields,
  ...resultFields,
  'tool_use_id',
  'toolCallId',
];

/**
 * A field that is not known, and near to one that is not there: a hook would be asked about less than was meant.
 *
 * @throws {DefinitionError} `bad_definition`
 */
function refuseMisspelt(
  { fields, place }: Pick<Payload, 'fields' | 'place'>,
  meant: 'tool_input' | 'tool_response',
): void {
  const names = meant === 'tool_input' ? (['tool_input', 'toolInput'] as const) : resultFields;
  const others = Object.keys(fields).filter((field) => !toolFields.includes(field));
  const found = others.find((field) => nearest(field, names) !== undefined);
  if (found === undefined) return;
  const message = `${place} has a field "${found}" that is not known. Did you mean "${nearest(found, names)}"?`;
  throw new DefinitionError('bad_definition', message);
}

function noTool(fields: Fields, place: string): DefinitionError {
  const named = nameFields.find((field) => fields[field] !== undefined && fields[field] !== null);
  if (named !== undefined)
    return new DefinitionError(
      'bad_definition',
      `${place}: "${named}" must be a text, the name of the tool.`,
    );
  const meant = Object.keys(fields).find((field) => nearest(field, nameFields) !== undefined);
  const hint = meant === undefined ? '' : `; was "${meant}" meant to be "tool_name"?`;
  return new DefinitionError(
    'bad_definition',
    `${place} names no tool: this event needs { "tool_name": …, "tool_input": { … } }${hint || '.'}`,
  );
}

/** The result of a payload's tool call; a text where it is no result in our own form. */
export function toolResultIn({ value, fields, place }: Payload, isFailure: boolean): HookToolResult {
  const given = Array.isArray(value) ? value[1] : firstField(fields, ...resultFields);
  const error = textIn(fields, 'error');
  if (given === undefined && error !== undefined) return { status: 'error', error };
  if (given === undefined) refuseMisspelt({ fields, place }, 'tool_response');
  if (isRecord(given) && (given.status === 'success' || given.status === 'error'))
    return given as unknown as HookToolResult;
  const said = isRecord(given)
    ? (firstField(given, 'content', 'llmContent', 'text') ?? given)
    : (given ?? '');
  const failed = isFailure || (isRecord(given) && (given.is_error === true || given.success === false));
  return failed
    ? { status: 'error', error: writeJson(said) }
    : { status: 'success', result: writeJson(said) };
}

/** The calls of a batch with their results. */
export function batchIn({
  value,
  fields,
  place,
}: Payload): { toolCall: HookToolCall; result: HookToolResult }[] {
  const list = Array.isArray(value) ? value : firstField(fields, 'results', 'tool_calls');
  const items: readonly unknown[] = Array.isArray(list) ? list : [value];
  return items.map((item) => {
    const payload = parsePayload(item, place);
    return { toolCall: toolCallIn(payload), result: toolResultIn(payload, false) };
  });
}
