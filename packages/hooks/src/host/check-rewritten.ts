import type { StandardSchema } from '../standard-schema.ts';
import { describeMisfit } from './answers.ts';

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
