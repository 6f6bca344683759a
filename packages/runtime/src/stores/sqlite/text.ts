/// <reference lib="es2024.string" />
import { customType } from 'drizzle-orm/sqlite-core';
import { damaged, readColumn } from './damaged.ts';

/**
 * A text as SQLite stores it. SQLite text is UTF-8, which has no lone surrogates: the rare text that holds one is kept as its
 * JSON text in a blob (`"\ud83d …"`, still readable), every other text as itself.
 */
export function encodeText(text: string): string | Buffer {
  return text.isWellFormed() ? text : Buffer.from(JSON.stringify(text));
}

/** The text that {@link encodeText} was given. */
export function decodeText(stored: string | Buffer): string {
  return typeof stored === 'string' ? stored : textInBlob(stored);
}

/** @throws RunError `store_unreadable` */
function textInBlob(stored: Buffer): string {
  const place = { table: 'a thread', row: 'a row', column: 'of a text' };
  const text = readColumn(place, () => JSON.parse(stored.toString()));
  if (typeof text !== 'string') throw damaged(place);
  return text;
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
