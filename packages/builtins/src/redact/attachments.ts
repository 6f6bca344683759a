import { Buffer } from 'node:buffer';

const TEXT_TYPES =
  /^(?:text\/|application\/(?:[\w.+-]*(?:json|xml|yaml|javascript|ecmascript|sql|csv|toml|graphql|x-sh|x-httpd-php|x-www-form-urlencoded|x-ndjson|rtf)\b)|message\/rfc822|image\/svg\+xml)/i;

type Encoding = 'utf8' | 'utf16le' | 'latin1';

/**
 * A file's text redacted, in the form and encoding it came in: base64 or bytes; UTF-8, UTF-16 with a mark, else Latin-1.
 * A type that is not text (an image, a PDF) is handed back as it is.
 */
export function redactFileData(data: unknown, mimeType: unknown, redact: (text: string) => string): unknown {
  if (typeof mimeType !== 'string' || !TEXT_TYPES.test(mimeType)) return data;
  if (typeof data !== 'string' && !(data instanceof Uint8Array)) return data;
  const bytes =
    typeof data === 'string'
      ? Buffer.from(data, 'base64')
      : Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const encoding = encodingOf(bytes);
  const text = bytes.toString(encoding);
  const next = redact(text);
  if (next === text) return data;
  const changed = Buffer.from(next, encoding);
  return typeof data === 'string' ? changed.toString('base64') : new Uint8Array(changed);
}

function encodingOf(bytes: Uint8Array): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf16le';
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return 'utf8';
  } catch {
    return 'latin1';
  }
}
