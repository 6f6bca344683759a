import { onAbort } from '@spec/hooks';
import { unref } from '../time.ts';

/** The bytes that one message of a server may have: as many as the SDK allows over stdio. */
export const MAX_BYTES: number = 10 * 1024 * 1024;

/** A request that was given up is not waited for much longer, in milliseconds. */
const GRACE_MS = 1_000;

/** A server sent more in one message than is taken. */
export class MessageTooLong extends Error {}

/**
 * `fetch` for servers that decide themselves what they answer, and for how long.
 *
 * F1 No more than `MAX_BYTES` are read of one message: the body of an answer, or one event of a stream.
 * F2 A request ends some time after it was given up, however long the server goes on; only the stream that is asked for by GET stays.
 */
export function boundedFetch(timeoutMs: number): typeof fetch {
  return async (address, init = {}) => {
    const ending = new Ending(init.signal, init.method === 'POST' ? timeoutMs + GRACE_MS : undefined);
    try {
      const response = await fetch(address, { ...init, signal: ending.signal });
      return withinBounds(response, ending);
    } catch (error) {
      ending.release();
      throw error;
    }
  };
}

/** Ends a request when its caller does, or when its time is over. */
class Ending {
  readonly #controller = new AbortController();
  readonly #stopListening: () => void;
  readonly #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(given: AbortSignal | null | undefined, ms: number | undefined) {
    const abort = (): void => this.#controller.abort(given?.reason);
    this.#stopListening = given ? onAbort(given, abort) : () => {};
    if (ms !== undefined) this.#timer = unref(setTimeout(abort, ms));
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** It has ended by itself. */
  release(): void {
    this.#stopListening();
    clearTimeout(this.#timer);
  }
}

function withinBounds(response: Response, ending: Ending): Response {
  const { body, status, statusText, headers, url } = response;
  if (body === null) {
    ending.release();
    return response;
  }
  const isStream = headers.get('content-type')?.startsWith('text/event-stream') === true;
  const bounded = new Response(countedBody(body, isStream ? new EventSize() : new BodySize(), ending), {
    status,
    statusText,
    headers,
  });
  return Object.defineProperty(bounded, 'url', { value: url });
}

interface Size {
  /** @returns the bytes of the longest message so far, where it may go on */
  add(chunk: Uint8Array): number;
}

function countedBody(
  body: ReadableStream<Uint8Array>,
  size: Size,
  ending: Ending,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) {
            ending.release();
            controller.close();
            return;
          }
          if (size.add(value) > MAX_BYTES) throw new MessageTooLong();
          controller.enqueue(value);
        } catch (error) {
          ending.release();
          await reader.cancel().catch(() => {});
          throw error;
        }
      },
      async cancel(reason) {
        ending.release();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

class BodySize implements Size {
  #bytes = 0;

  add(chunk: Uint8Array): number {
    this.#bytes += chunk.length;
    return this.#bytes;
  }
}

const CARRIAGE_RETURN = 13;
const LINE_FEED = 10;

/** An event ends with an empty line. */
class EventSize implements Size {
  #bytes = 0;
  #isLineEmpty = true;

  add(chunk: Uint8Array): number {
    let longest = 0;
    for (const byte of chunk) {
      this.#bytes++;
      if (byte === LINE_FEED) {
        if (this.#isLineEmpty) this.#bytes = 0;
        this.#isLineEmpty = true;
      } else if (byte !== CARRIAGE_RETURN) this.#isLineEmpty = false;
      longest = Math.max(longest, this.#bytes);
    }
    return longest;
  }
}
