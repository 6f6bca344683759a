/**
 * The part of Standard Schema (standardschema.dev, version 1) that hooks and tools use. Zod, Valibot and ArkType
 * schemas fit as they are; the interface is structural, so that no schema library is a dependency.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: ReadonlyArray<SchemaIssue> };

export interface SchemaIssue {
  readonly message: string;
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined;
}

/**
 * The fields that a schema objected to, as dotted paths: what may be said of a value without quoting it. A step that does
 * not look like the name of a field, such as the key of a map, may be data, and is left out.
 */
export function issuePaths(issues: readonly SchemaIssue[]): string {
  const paths = issues.map(({ path = [] }) => path.map(stepName).join('.') || 'the value itself');
  return [...new Set(paths)].slice(0, 5).join(', ');
}

export function stepName(step: PropertyKey | { readonly key: PropertyKey }): string {
  const name = String(typeof step === 'object' ? step.key : step);
  return /^(?:[a-zA-Z_$][\w$]{0,39}|\d{1,6})$/.test(name) ? name : '…';
}
