/** Bytes that make no padding in the middle and fit into the arguments of one call. */
const stretch = 3 * 2_730;

/** The base64 text of bytes. */
export function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += stretch)
    binary += String.fromCharCode(...bytes.subarray(at, at + stretch));
  return btoa(binary);
}

/** The bytes of a base64 text; `null` where it is none. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    const binary = atob(text);
    const bytes = new Uint8Array(binary.length);
    for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
    return bytes;
  } catch {
    return null;
  }
}
