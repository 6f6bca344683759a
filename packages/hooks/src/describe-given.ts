/** What was given where something else was meant, for the message of an error: a text as it is, and of most other things only their sort. */
export function describeGiven(given: unknown): string {
  return typeof given === 'string' ? given : describeSort(given);
}

/** The sort of a value, and of those that say nothing secret the value. Whatever it is, it is not asked for a text of its own. */
export function describeSort(given: unknown): string {
  const sort = typeof given;
  if (sort === 'number' || sort === 'boolean' || given === null) return String(given);
  if (given === undefined) return 'nothing';
  return sort === 'object' ? 'an object' : `a ${sort}`;
}
