import { createHash } from 'node:crypto';
import type { Signal } from '@spec/runtime';

type Sent = Signal & { readonly from: string };

/** The most bytes of a payload; the server takes 7,999. */
const mostBytes = 7_900;

/** The channel of a thread: its id may be longer than a name may be. */
export function nameChannel(schema: string, threadId: string): string {
  return `sh_${createHash('sha1')
    .update(JSON.stringify([schema, threadId]))
    .digest('hex')}`;
}

/** Packs signals, in their order, into as few payloads as hold them. Of one that is too large only is told that it was dropped. */
export function packPayloads(signals: readonly Sent[]): string[] {
  const payloads: string[] = [];
  let texts: string[] = [];
  let bytes = 2;
  const end = (): void => {
    if (texts.length > 0) payloads.push(`[${texts.join(',')}]`);
    texts = [];
    bytes = 2;
  };
  for (const signal of signals) {
    const text = writeSignal(signal);
    const size = Buffer.byteLength(text) + 1;
    if (bytes + size > mostBytes) end();
    texts.push(text);
    bytes += size;
  }
  end();
  return payloads;
}

function writeSignal(signal: Sent): string {
  const text = JSON.stringify(signal);
  if (Buffer.byteLength(text) < mostBytes - 3) return text;
  const { threadId, from } = signal;
  return JSON.stringify({ type: 'events_dropped', count: 1, threadId, from });
}

/** The signals of a payload; none where somebody else has sent it. */
export function readPayload(payload: string): Sent[] {
  try {
    const signals: unknown = JSON.parse(payload);
    return Array.isArray(signals) ? (signals as Sent[]) : [];
  } catch {
    return [];
  }
}
