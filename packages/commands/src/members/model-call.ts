import type { Decision, ModelAnswer, ModelRequest, ModelRewrite } from '@spec/hooks';
import type { JsonObject, JsonValue } from 'type-fest';
import { isObject } from '../json-object.ts';
import { listModelTexts } from '../model-texts.ts';

/** What entries want of a request to a model. */
interface Wanted {
  readonly request: JsonObject | undefined;
  /** The answer in place of the model's. */
  readonly output: string | undefined;
}

const OTHER_MESSAGES =
  'A command changed the messages of this request, which nothing here can do: they would be sent as they were.';

/** Makes the decision on a request to a model of what nobody has denied. */
export function decideModelCall(
  { request: changed, output }: Wanted,
  request: ModelRequest,
): Decision<ModelRewrite, ModelAnswer> | undefined {
  if (output !== undefined) return { result: { content: output } };
  if (changed === undefined) return undefined;
  const { messages, model, settings, toolChoice, tools } = changed;
  if (messages !== undefined && JSON.stringify(messages) !== JSON.stringify(listModelTexts(request)))
    return { decision: 'deny', reason: OTHER_MESSAGES };
  const rewrite: ModelRewrite = {
    ...(typeof model === 'string' && model !== request.model ? { model } : {}),
    ...(isObject(settings) ? { settings: { ...request.settings, ...settings } as JsonObject } : {}),
    ...(isChoice(toolChoice) ? { toolChoice } : {}),
    ...(Array.isArray(tools) ? { tools: request.tools.filter((name) => tools.includes(name)) } : {}),
  };
  return Object.keys(rewrite).length === 0 ? undefined : { input: rewrite };
}

function isChoice(value: JsonValue | undefined): value is 'auto' | 'none' | 'required' {
  return value === 'auto' || value === 'none' || value === 'required';
}
