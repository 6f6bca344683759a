/** What stands in a text for a part that is none. */
export function placeholder(kind: string): string {
  return `[${kind}]`;
}
