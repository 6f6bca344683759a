import { Buffer } from 'node:buffer';
import { type Encoding, listEncodings } from './encodings.ts';
import type { Pieces } from './pieces.ts';

const TEXT_TYPES =
  /^\s*(?:text\/|application\/(?:[\w.+-]*(?:json|xml|yaml|javascript|ecmascript|sql|csv|toml|graphql|x-sh|x-httpd-php|x-www-form-urlencoded|x-ndjson|rtf)\b)|message\/rfc822|image\/svg\+xml)/i;
const CHARSET = /;\s*charset\s*=\s*["']?([^\s"';]+)["']?/i;

/** The content of a file and its type. */
export interface FileData {
  readonly data: unknown;
  readonly mimeType: unknown;
}

/**
 * A file's text, redacted, in its original form: base64 or bytes, in the same encoding. If nothing here can write that encoding, the text
 * becomes UTF-8 and its type says so. A file whose type is not text (an image, a PDF) is returned unchanged.
 *
 * @throws {RunError} `hook_failed` for text in a character set that cannot be read
 */
export function* redactFileData(file: FileData, redact: (text: string) => Pieces<string>): Pieces<FileData> {
  const { data, mimeType } = file;
  if (typeof mimeType !== 'string' || !TEXT_TYPES.test(mimeType)) return file;
  if (typeof data !== 'string' && !(data instanceof Uint8Array)) return file;
  let bytes = readBytes(data);
  let next: FileData = file;
  for (const encoding of listEncodings(bytes, CHARSET.exec(mimeType)?.[1])) {
    const changed = yield* redactedBytes(bytes, encoding, redact);
    if (changed === undefined) continue;
    bytes = changed;
    next = {
      data: typeof data === 'string' ? bytes.toString('base64') : new Uint8Array(bytes),
      mimeType: encoding.becomesUtf8 ? withUtf8(mimeType) : mimeType,
    };
    if (encoding.becomesUtf8) return next;
  }
  return next;
}

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
