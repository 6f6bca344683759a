import { decodeBase64 } from '@spec/hooks';

/** The bytes of a base64 text; `null` where it is none. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return decodeBase64(text);
  } catch {
    return null;
  }
}
