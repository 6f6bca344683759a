import { type ParseError, parse } from 'jsonc-parser';

/** Deeper input is refused: a hook that prints or clones it could overflow its stack, and no store takes it. */
export const MAX_LEVELS = 200;

/** Whether a parsed value is nested too deep; found without recursion. */
export function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_LEVELS) return true;
    level = level.flatMap((one) => (isHolder(one) ? Object.values(one).filter(isHolder) : []));
  }
  return false;
}

function isHolder(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/**
 * Where a text stops being JSON, as ` (line 2, column 7)`; empty where it is JSON. The parser of Node tells its position for some
 * faults only, and else quotes the text.
 */
export function placeOfFault(json: string): string {
  const at = faultIn(json);
  if (at === undefined) return '';
  const before = json.slice(0, at).split('\n');
  return ` (line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1})`;
}

function faultIn(json: string): number | undefined {
  const errors: ParseError[] = [];
  try {
    parse(json, errors, { disallowComments: true });
  } catch {
    return undefined; // Nested so deep that the parser's stack ends.
  }
  return errors[0]?.offset;
}
