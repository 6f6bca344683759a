import { Buffer } from 'node:buffer';
import { type Encoding, isMarked, listEncodings } from './encodings.ts';
import type { Pieces } from './pieces.ts';

const TEXT_TYPES =
  /^\s*(?:text\/|application\/(?:[\w.+-]*(?:json|xml|yaml|javascript|ecmascript|sql|csv|toml|graphql|x-sh|x-httpd-php|x-www-form-urlencoded|x-ndjson|rtf)\b)|message\/rfc822|image\/svg\+xml)/i;
/** Types of no text. A file of one that could pass for text (a PDF can) would be torn by what is put in. */
const OTHER_TYPES = /^\s*(?:(?:image|audio|video|font|model)\/|application\/(?:pdf|postscript)\b)/i;
const CHARSET = /;\s*charset\s*=\s*["']?([^\s"';]+)["']?/i;

/** The content of a file and its type. */
export interface FileData {
  readonly data: unknown;
  readonly mimeType: unknown;
}

/**
 * A file's text, redacted, in its original form: base64 or bytes, in the same encoding. If nothing here can write that encoding, the text
 * becomes UTF-8 and its type says so. A file of another type is text where its bytes say so: a browser calls a table of commas what opens it,
 * and a server that says nothing of a file's type is understood as of bytes. What is no text (an image, a PDF) is returned unchanged.
 *
 * @throws {RunError} `hook_failed` for text in a character set that cannot be read
 */
export function* redactFileData(file: FileData, redact: (text: string) => Pieces<string>): Pieces<FileData> {
  const { data, mimeType } = file;
  if (typeof data !== 'string' && !(data instanceof Uint8Array)) return file;
  const type = typeof mimeType === 'string' ? mimeType : '';
  const isText = TEXT_TYPES.test(type);
  if (!isText && OTHER_TYPES.test(type)) return file;
  let bytes = readBytes(data);
  if (!isText && !looksLikeText(bytes)) return file;
  let next: FileData = file;
  for (const encoding of listEncodings(bytes, CHARSET.exec(type)?.[1])) {
    const changed = yield* redactedBytes(bytes, encoding, redact);
    if (changed === undefined) continue;
    bytes = changed;
    next = {
      data: typeof data === 'string' ? bytes.toString('base64') : new Uint8Array(bytes),
      mimeType: encoding.becomesUtf8 ? withUtf8(type) : mimeType,
    };
    if (encoding.becomesUtf8) return next;
  }
  return next;
}

/** Whether bytes have a mark of UTF-16 or UTF-32, or none of the control characters that hardly a file without text lacks. */
function looksLikeText(bytes: Buffer): boolean {
  if (isMarked(bytes)) return true;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte < 32 && !TEXT_CONTROLS.has(byte)) return false;
  }
  return true;
}

/** Backspace, tab, line ends, form feed, and what begins a terminal's colours. */
const TEXT_CONTROLS = new Set([8, 9, 10, 11, 12, 13, 27]);

function readBytes(data: string | Uint8Array): Buffer {
  return typeof data === 'string'
    ? Buffer.from(data, 'base64')
    : Buffer.from(data.buffer, data.byteOffset, data.byteLength);
}

/** The redacted bytes, read in one encoding; nothing if nothing was found. */
function* redactedBytes(
  bytes: Buffer,
  { decode, encode }: Encoding,
  redact: (text: string) => Pieces<string>,
): Pieces<Buffer | undefined> {
  const text = decode(bytes);
  if (text === undefined) return undefined;
  const next = yield* redact(text);
  return next === text ? undefined : encode(next);
}

function withUtf8(mimeType: string): string {
  return CHARSET.test(mimeType)
    ? mimeType.replace(CHARSET, '; charset=utf-8')
    : `${mimeType.trimEnd()}; charset=utf-8`;
}
