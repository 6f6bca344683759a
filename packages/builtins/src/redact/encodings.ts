import { Buffer } from 'node:buffer';
import { RunError } from '@spec/hooks';

/** A way to read bytes as text and to write the text as bytes. */
export interface Encoding {
  /** The text; nothing if the bytes are not valid in this encoding. */
  decode(bytes: Buffer): string | undefined;
  encode(text: string): Buffer;
  /** Whether it writes UTF-8 although it reads another encoding. */
  readonly becomesUtf8?: true;
}

const utf8: Encoding = {
  decode: (bytes) => decodedBy('utf-8', bytes),
  encode: (text) => Buffer.from(text, 'utf8'),
};

/** Every byte is a character. So it reads anything, including the ASCII part of most other encodings. */
const latin1: Encoding = {
  decode: (bytes) => bytes.toString('latin1'),
  encode: (text) => Buffer.from(text, 'latin1'),
};

const utf16le: Encoding = {
  decode: (bytes) => (bytes.length % 2 === 0 ? bytes.toString('utf16le') : undefined),
  encode: (text) => Buffer.from(text, 'utf16le'),
};

const utf16be: Encoding = {
  decode: (bytes) => utf16le.decode(bytes.length % 2 === 0 ? Buffer.from(bytes).swap16() : bytes),
  encode: (text) => utf16le.encode(text).swap16(),
};

const utf32 = (order: 'LE' | 'BE'): Encoding => ({
  decode(bytes) {
    if (bytes.length % 4 !== 0) return undefined;
    const units = new Uint16Array(bytes.length / 2);
    for (let at = 0; at < bytes.length; at += 4) {
      const code = order === 'LE' ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
      if (code > 0x10ffff) return undefined;
      // Redaction looks for no character outside the first plane; half of such a character keeps the place.
      units[at / 4] = code > 0xffff ? 0xfffd : code;
    }
    return Buffer.from(units.buffer, 0, bytes.length / 2).toString('utf16le');
  },
  encode: (text) => utf8.encode(text),
  becomesUtf8: true,
});

const MARKS: ReadonlyArray<readonly [mark: readonly number[], encoding: Encoding]> = [
  [[0xff, 0xfe, 0, 0], utf32('LE')],
  [[0, 0, 0xfe, 0xff], utf32('BE')],
  [[0xff, 0xfe], utf16le],
  [[0xfe, 0xff], utf16be],
];

/** Whether bytes begin with a mark that names their encoding. */
export function isMarked(bytes: Uint8Array): boolean {
  return findMarked(bytes) !== undefined;
}

function findMarked(bytes: Uint8Array): Encoding | undefined {
  return MARKS.find(([mark]) => mark.every((byte, at) => bytes[at] === byte))?.[1];
}

/**
 * The possible encodings of a text file: by its mark, its declared character set and its bytes. A declaration may be wrong, and one
 * reading may hide what another shows.
 *
 * @throws {RunError} `hook_failed` for a declared character set that nothing here can read
 */
export function listEncodings(bytes: Uint8Array, charset: string | undefined): readonly Encoding[] {
  const marked = findMarked(bytes);
  const declared = charset === undefined ? undefined : declaredEncoding(charset);
  const isUtf8 = decodedBy('utf-8', bytes) !== undefined;
  const wide = !isUtf8 || bytes.includes(0) ? [utf16le, utf16be, utf32('LE'), utf32('BE')] : [];
  const ways = [marked, declared, ...wide, isUtf8 ? utf8 : latin1];
  return [...new Set(ways.filter((way) => way !== undefined))];
}

function declaredEncoding(charset: string): Encoding {
  const name = findName(charset);
  if (name === undefined)
    throw new RunError(
      'hook_failed',
      'An attachment declares a character set that cannot be read, so it cannot be searched. Attach it as UTF-8.',
    );
  if (name === 'utf-8') return utf8;
  if (name === 'utf-16le') return utf16le;
  if (name === 'utf-16be') return utf16be;
  return {
    decode: (bytes) => decodedBy(name, bytes),
    encode: (text) => utf8.encode(text),
    becomesUtf8: true,
  };
}

/** Each encoding by its standard name, such as `windows-1252` for `latin1`. */
function findName(charset: string): string | undefined {
  try {
    return new TextDecoder(charset).encoding;
  } catch {
    return undefined;
  }
}

function decodedBy(name: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(name, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
