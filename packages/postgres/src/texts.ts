/// <reference lib="es2024.string" />
import type { TextCodec } from '@spec/runtime/store-kit';

/** Marks a text that PostgreSQL would not keep unchanged; its JSON text follows. */
const MARK = '\u0001';

/**
 * Encodes a text for PostgreSQL, which keeps neither NUL nor half of a surrogate pair: the driver would silently change the latter.
 * Each text has one form, so equal texts stay equal.
 */
export function encodeText(text: string): string {
  if (text.isWellFormed() && !text.includes('\0') && !text.startsWith(MARK)) return text;
  return `${MARK}${JSON.stringify(text)}`;
}

/** The text that {@link encodeText} was given. */
export function decodeText(stored: string): string {
  return stored.startsWith(MARK) ? (parseMarked(stored) ?? stored) : stored;
}

/** The same for a text that may be absent. */
export function encodeOrNull(text: string | null | undefined): string | null {
  return text == null ? null : encodeText(text);
}

/** The same for a text that may be absent. */
export function decodeOrNull(stored: string | null): string | null {
  return stored === null ? null : decodeText(stored);
}

/** How texts of messages are encoded. */
export const textCodec: TextCodec<string> = {
  encode: encodeText,
  decode: decodeText,
  isText: (stored) =>
    typeof stored === 'string' && (!stored.startsWith(MARK) || parseMarked(stored) !== undefined),
};

function parseMarked(stored: string): string | undefined {
  try {
    const text: unknown = JSON.parse(stored.slice(MARK.length));
    return typeof text === 'string' ? text : undefined;
  } catch {
    return undefined;
  }
}
