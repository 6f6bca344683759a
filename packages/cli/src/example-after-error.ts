/** What stands under an error of the command line where something must be typed: an example that has all of it. */
export function exampleAfterError(example: string): string {
  return `Such as: spec-hooks ${example}\n(add --help for usage)`;
}
