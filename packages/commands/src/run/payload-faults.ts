import type { LaunchCode } from './command.ts';
import { DEPTH, findEndOfString } from './json-faults.ts';

/**
 * Finds what common readers of JSON refuse in a payload. A guard whose reader fails is left with nothing to judge, and whoever chose the
 * values would get past it.
 */
export function findPayloadFault(payload: string): LaunchCode | undefined {
  if (LONE_SURROGATE.test(payload) || hasEscapedHalf(payload)) return 'lone_surrogate';
  return isTooDeep(payload) ? 'nested_too_deep' : undefined;
}

/** Half a character. */
export const LONE_SURROGATE: RegExp = /\p{Surrogate}/u;

const ESCAPED_SURROGATE = /\\u[dD][89a-fA-F]/;
/** Two halves that belong together, a half, or any other escape. */
const ESCAPES = /\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|u([dD][89a-fA-F])|.)/gs;

/** JSON has a half as an escape. */
function hasEscapedHalf(payload: string): boolean {
  if (!ESCAPED_SURROGATE.test(payload)) return false;
  for (const [, half] of payload.matchAll(ESCAPES)) if (half !== undefined) return true;
  return false;
}

/** Readers of JSON give up at 64 (.NET), 100 (Ruby), 128 (Rust) or 256 levels (jq). */
function isTooDeep(payload: string): boolean {
  let depth = 0;
  for (let at = 0; at < payload.length; at++) {
    const character = payload[at];
    if (character === '"') at = findEndOfString(payload, at) - 1;
    else if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') depth--;
    if (depth > DEPTH) return true;
  }
  return false;
}
