/// <reference lib="es2024.string" />
import { customType } from 'drizzle-orm/sqlite-core';

/**
 * A text as SQLite stores it. SQLite text is UTF-8, which has no lone surrogates: the rare text that holds one is kept as its
 * JSON text in a blob (`"\ud83d …"`, still readable), every other text as itself.
 */
export function encodeText(text: string): string | Buffer {
  return text.isWellFormed() ? text : Buffer.from(JSON.stringify(text));
}

/** The text that {@link encodeText} was given. What is none comes back as it is: whoever reads the row checks it. */
export function decodeText(stored: string | Buffer): string {
  return typeof stored === 'string' ? stored : (textInBlob(stored) ?? (stored as unknown as string));
}

/** Whether a column holds what {@link encodeText} gives. */
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

/** A text column for any JavaScript string, NUL characters and lone surrogates included. */
export const anyText: ReturnType<typeof customType<TextType>> = customType<TextType>({
  dataType: () => 'text',
  toDriver: (text) => (text === null ? text : encodeText(text)), // a placeholder's value may be null, whatever the type says
  fromDriver: decodeText,
});

/** A column of bytes that gives what is stored as it is: drizzle's own makes bytes of a text. */
export const anyBytes: ReturnType<typeof customType<{ data: Uint8Array }>> = customType<{ data: Uint8Array }>(
  {
    dataType: () => 'blob',
  },
);
