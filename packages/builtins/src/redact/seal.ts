import type { webcrypto } from 'node:crypto';
import { decodeBase64, RunError } from '@spec/hooks';

/** A key for kept data: 32 random bytes, or a text of at least 16 characters from which a key is derived. */
export type RestoreKey = string | Uint8Array;

/** Encrypts the data kept with one thread. */
export interface Seal {
  /** @param place what the text is and where it is kept: it cannot be opened anywhere else */
  close(text: string, place: string): Promise<string>;
  /**
   * `isCurrent` is false if an older key was needed.
   * @throws {RunError} `wrong_key` if the text was encrypted with another key or for another place, or was changed
   */
  open(sealed: string, place: string): Promise<{ readonly text: string; readonly isCurrent: boolean }>;
}

/** Returns the seal of a thread. */
export type Seals = (threadId: string) => Seal;

const VERSION = 'v1';
const SALT = encodeBytes('@spec/builtins redact restore');
/** The iterations that OWASP asks of PBKDF2 with SHA-256. It runs once for each key in a process. */
const ITERATIONS = 600_000;
const SEALED = /^v1\.([\w-]+)\.([\w-]+)\.([\w-]+)$/;

interface Master {
  /** Distinguishes keys without revealing anything of them. */
  readonly id: string;
  readonly key: webcrypto.CryptoKey;
}

/**
 * AES-256-GCM by WebCrypto. The first key encrypts, the others only decrypt.
 *
 * S1 A text becomes a key through PBKDF2, because people choose texts; 32 bytes are used unchanged.
 * S2 Every thread has its own key, through HKDF, so random nonces of 96 bits do not repeat with one key.
 * S3 Purpose, thread and place are authenticated together with the text: data moved to another place does not open.
 */
export function createSeals(keys: readonly RestoreKey[], purpose: string): Seals {
  const masters = keys.map((key) => once(() => deriveMaster(key)));
  return (threadId) => {
    const threadKeys = masters.map((master) =>
      once(async () => threadKey(await master(), `${purpose}\0${threadId}`)),
    );
    const about = (place: string): Uint8Array<ArrayBuffer> =>
      encodeBytes([VERSION, purpose, threadId, place].join('\0'));
    return {
      async close(text, place) {
        const { id, key } = await (threadKeys[0] as () => Promise<Master>)();
        const iv = crypto.getRandomValues(new Uint8Array(12));
        const sealed = await crypto.subtle.encrypt(gcm(iv, about(place)), key, encodeBytes(text));
        return [VERSION, id, base64url(iv), base64url(new Uint8Array(sealed))].join('.');
      },
      async open(sealed, place) {
        const [, keyId, iv = '', data = ''] = SEALED.exec(sealed) ?? [];
        for (const [position, own] of threadKeys.entries()) {
          const { id, key } = await own();
          if (id !== keyId) continue;
          const opened = await decrypted(key, gcm(fromBase64url(iv), about(place)), fromBase64url(data));
          return { text: new TextDecoder().decode(opened), isCurrent: position === 0 };
        }
        throw new RunError(
          'wrong_key',
          'What redact keeps with the thread was encrypted under another key than those in restore.key. Add the key it was encrypted under to the list.',
        );
      },
    };
  };
}

async function decrypted(
  key: webcrypto.CryptoKey,
  algorithm: webcrypto.AesGcmParams,
  data: Uint8Array<ArrayBuffer>,
): Promise<ArrayBuffer> {
  try {
    return await crypto.subtle.decrypt(algorithm, key, data);
  } catch {
    throw new RunError(
      'wrong_key',
      'What redact keeps with the thread was changed, or moved from another thread. Nothing of it is used.',
    );
  }
}

async function deriveMaster(key: RestoreKey): Promise<Master> {
  const bytes = typeof key === 'string' ? await stretched(key) : new Uint8Array(key);
  const master = await crypto.subtle.importKey('raw', bytes, 'HKDF', false, ['deriveKey', 'deriveBits']);
  const id = await crypto.subtle.deriveBits(hkdf('key id'), master, 72);
  return { id: base64url(new Uint8Array(id)), key: master };
}

async function stretched(text: string): Promise<ArrayBuffer> {
  const key = await crypto.subtle.importKey('raw', encodeBytes(text), 'PBKDF2', false, ['deriveBits']);
  return crypto.subtle.deriveBits(
    { name: 'PBKDF2', hash: 'SHA-256', salt: SALT, iterations: ITERATIONS },
    key,
    256,
  );
}

async function threadKey({ id, key }: Master, info: string): Promise<Master> {
  const own = await crypto.subtle.deriveKey(
    hkdf(`thread\0${info}`),
    key,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  );
  return { id, key: own };
}

function hkdf(info: string): webcrypto.HkdfParams {
  return { name: 'HKDF', hash: 'SHA-256', salt: SALT, info: encodeBytes(info) };
}

function gcm(iv: Uint8Array<ArrayBuffer>, additionalData: Uint8Array<ArrayBuffer>): webcrypto.AesGcmParams {
  return { name: 'AES-GCM', iv, additionalData };
}

function encodeBytes(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new TextEncoder().encode(text));
}

function base64url(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  try {
    return decodeBase64(text.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return new Uint8Array();
  }
}

/** Runs a function once, at the first request, and again if it failed. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
