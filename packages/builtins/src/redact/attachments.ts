import { Buffer } from 'node:buffer';
import { type Encoding, listEncodings } from './encodings.ts';
import type { Pieces } from './pieces.ts';

const TEXT_TYPES =
  /^\s*(?:text\/|application\/(?:[\w.+-]*(?:json|xml|yaml|javascript|ecmascript|sql|csv|toml|graphql|x-sh|x-httpd-php|x-www-form-urlencoded|x-ndjson|rtf)\b)|message\/rfc822|image\/svg\+xml)/i;
const CHARSET = /;\s*charset\s*=\s*["']?([^\s"';]+)["']?/i;

/** What is in a file, and of which type it is. */
export interface FileData {
  readonly data: unknown;
  readonly mimeType: unknown;
}

/**
 * A file's text redacted, in the form it came in: base64 or bytes, in the same encoding, or as UTF-8 with a type that says so where
 * nothing here writes it. A type that is not text (an image, a PDF) is handed back as it is.
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

/** The bytes without what was found in them, read in one encoding; nothing where there was nothing. */
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
