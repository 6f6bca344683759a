/** The SHA-256 of a text, in 64 hexadecimal digits: what tells texts apart where they are not kept. */
export async function digestText(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
