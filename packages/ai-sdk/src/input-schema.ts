import { describeMisfit } from '@spec/hooks/host';

/** The arguments of a call. */
export type Given = Record<string, unknown>;

export type Checked = { readonly input: Given } | { readonly misfit: string };

/** A schema as tools of the AI SDK have it: a Standard Schema, one made by `jsonSchema`, or a function that gives one of the two. */
interface SchemaLike {
  readonly '~standard'?: { validate(value: unknown): unknown };
  readonly validate?: ((value: unknown) => unknown) | undefined;
}

interface StandardResult {
  readonly value?: unknown;
  readonly issues?: Parameters<typeof describeMisfit>[0];
}

interface ValidateResult {
  readonly success: boolean;
  readonly value?: unknown;
}

/** Checks arguments that a hook has rewritten. A schema that checks nothing lets them pass, as it does in the AI SDK. */
export async function checkInput(given: unknown, input: Given): Promise<Checked> {
  const isLazy = typeof given === 'function' && !('~standard' in given);
  const schema = (isLazy ? (given as () => unknown)() : given) as SchemaLike | undefined;
  if (schema?.['~standard'] !== undefined) {
    const { value, issues } = (await schema['~standard'].validate(input)) as StandardResult;
    return issues === undefined ? { input: value as Given } : { misfit: describeMisfit(issues) };
  }
  if (schema?.validate === undefined) return { input };
  const { success, value } = (await schema.validate(input)) as ValidateResult;
  return success
    ? { input: value as Given }
    : { misfit: 'A hook rewrote the arguments of this call, and they do not fit this tool.' };
}
