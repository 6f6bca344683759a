import { type ParseError, parse } from 'jsonc-parser';

/**
 * Where a text stops being JSON, as ` (line 2, column 7)`; empty where it is JSON. The parser of Node tells its position for some
 * faults only, and else quotes the text.
 */
export function findPlaceOfFault(json: string): string {
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
