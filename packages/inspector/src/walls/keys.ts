import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** The keys of one run of the server. */
export interface Keys {
  /** A key for a link, good once. An older one that was not used is good no more. */
  makeKey(): string;
  /** The token for a key; `undefined` for a wrong or used one. */
  exchangeKey(key: string): string | undefined;
  isToken(text: string): boolean;
}

const bytes = 32;

export function createKeys(): Keys {
  const token = randomBytes(bytes).toString('base64url');
  let open: string | undefined;
  return {
    makeKey() {
      open = randomBytes(bytes).toString('base64url');
      return open;
    },
    exchangeKey(key) {
      if (open === undefined || !areEqual(key, open)) return undefined;
      open = undefined;
      return token;
    },
    isToken: (text) => areEqual(text, token),
  };
}

/** Takes the same time whatever is wrong. */
function areEqual(given: string, wanted: string): boolean {
  const [a, b] = [given, wanted].map((text) => createHash('sha256').update(text).digest()) as [
    Buffer,
    Buffer,
  ];
  return timingSafeEqual(a, b);
}
