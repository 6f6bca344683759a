import { messageWithoutCause } from '../errors.ts';
import { answerToJson } from '../shapes/result.ts';
import { issuePaths, type StandardSchema } from '../standard-schema.ts';
import { isRecord } from '../values.ts';
import type { HookToolResult } from '../vocabulary/messages.ts';

/**
 * What a tool answered, as a result. A record is one where all it has of a result's fields has a result's form;
 * every other value becomes text: no field of it is lost. What has no form in JSON makes it an error, which names the field.
 */
export function toResult(answer: unknown): HookToolResult {
  if (typeof answer === 'string') return { status: 'success', result: answer };
  if (answer === undefined) return { status: 'success', result: '' };
  const read = answerToJson(answer, isResult);
  if (read.problem !== undefined) return makeErrorResult(`${NOT_KEPT}${read.problem}.`);
  const { value, files } = read;
  const result: HookToolResult = isResult(value)
    ? value
    : { status: 'success', result: JSON.stringify(value) };
  return files.length === 0 ? result : { ...result, attachments: [...(result.attachments ?? []), ...files] };
}

const NOT_KEPT = 'This tool has run, but what it returned cannot be kept: ';

/** A result that tells of an error. */
export function makeErrorResult(error: string): HookToolResult {
  return { status: 'error', error };
}

/** A thrown value as a result: an error's text is the tool's answer to the model, and the failure hooks see its stack. */
export function makeThrownResult(error: unknown): HookToolResult {
  try {
    if (!(error instanceof Error)) return makeErrorResult('The tool failed.');
    const { name, stack } = error;
    return {
      ...makeErrorResult(String(messageWithoutCause(error) || name)),
      ...(typeof stack === 'string' ? { stack } : {}),
    };
  } catch {
    return makeErrorResult('The tool failed, and what it threw cannot be read.'); // A revoked proxy, a getter that throws.
  }
}

/** Why arguments do not fit a tool, for the model. */
export function describeMisfit(issues: Parameters<typeof issuePaths>[0]): string {
  const messages = issues.map(({ message }) => message).slice(0, 5);
  return `The arguments do not fit this tool, at ${issuePaths(issues)}: ${messages.join('; ')}`;
}

const textFields = ['result', 'error', 'stack'] as const;

/** A program's answer that only happens to have a `status` has no other field of a result. */
function isResult(answer: unknown): answer is HookToolResult {
  if (!isRecord(answer)) return false;
  const { status, attachments } = answer;
  if (status !== 'success' && status !== 'error') return false;
  if (!textFields.every((field) => answer[field] === undefined || typeof answer[field] === 'string'))
    return false;
  if (attachments !== undefined && !(Array.isArray(attachments) && attachments.every(isRecord))) return false;
  const fields = Object.keys(answer).filter((field) => answer[field] !== undefined);
  return (
    fields.length === 1 ||
    attachments !== undefined ||
    textFields.some((field) => answer[field] !== undefined)
  );
}

type Args = Record<string, unknown>;

/**
 * Whether arguments that a hook made fit a tool. A framework that finds out by itself tells the model what they are, and values that hooks
 * put back are for the tool alone. Schemas of other kinds are left to it.
 */
export async function checkRewritten(
  schema: unknown,
  input: Args,
): Promise<{ readonly input: Args } | { readonly misfit: string }> {
  const standard = (schema as Partial<StandardSchema> | null | undefined)?.['~standard'];
  const checked = await standard?.validate(input);
  return checked?.issues === undefined ? { input } : { misfit: describeMisfit(checked.issues) };
}
