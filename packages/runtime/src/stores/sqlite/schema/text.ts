/// <reference lib="es2024.string" />
import { customType } from 'drizzle-orm/sqlite-core';

/**
 * Encodes a text for SQLite, whose texts are UTF-8 without lone surrogates. A rare text with a lone surrogate is stored as its
 * JSON text in a blob (`"\ud83d …"`, still readable), every other text unchanged.
 */
export function encodeText(text: string): string | Buffer {
  return text.isWellFormed() ? text : Buffer.from(JSON.stringify(text));
}

/** Decodes a result of {@link encodeText}. Any other value comes back unchanged: the reader of the row checks it. */
export function decodeText(stored: string | Buffer): string {
  return typeof stored === 'string' ? stored : (textInBlob(stored) ?? (stored as unknown as string));
}

/** Whether a column holds a result of {@link encodeText}. */
export function isStoredText(stored: unknown): boolean {
  return typeof stored === 'string' || textInBlob(stored) !== undefined;
}

function textInBlob(stored: unknown): string | undefined {
  if (!Buffer.isBuffer(stored)) return undefined;
  try {
    const text: unknown = JSON.parse(stored.toString());
    return typeof text === 'string' ? text : undefined;
  } catch {
    return undefined;
  }
}

interface TextType {
  data: string;
  driverData: string | Buffer;
}

/** A text column for any JavaScript string, including NUL characters and lone surrogates. */
export const anyText: ReturnType<typeof customType<TextType>> = customType<TextType>({
  dataType: () => 'text',
  toDriver: (text) => (text === null ? text : encodeText(text)), // a placeholder's value may be null, whatever the type says
  fromDriver: decodeText,
});

/** A column of bytes that returns the stored value unchanged. Drizzle's own column turns a text into bytes. */
export const anyBytes: ReturnType<typeof customType<{ data: Uint8Array }>> = customType<{ data: Uint8Array }>(
  {
    dataType: () => 'blob',
  },
);
