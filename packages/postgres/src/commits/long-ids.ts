import { RunError } from '@spec/hooks';
import type { Commit } from '@spec/runtime/store-kit';
import { encodeText } from '../texts.ts';

/** An index entry must fit into a third of a page. */
const bytesAtMost = 2_000;

/** @throws RunError `invalid_input` or `invalid_message` if an id, a key or a path is too long for an index; names which one, not its value */
export function refuseLongIds(threadId: string, commit: Commit): void {
  const { messages, enqueue = [], posted, values, files } = commit;
  for (const { id } of messages ?? []) refuseLong(id, { name: 'the id of a message', threadId });
  for (const { id } of posted === undefined ? enqueue : [...enqueue, posted])
    refuseLong(id, { name: 'the id of a queue item', threadId });
  for (const { key } of values ?? [])
    refuseLong(key, { name: 'the key of a value', threadId }, 'invalid_input');
  for (const { path } of files ?? [])
    refuseLong(path, { name: 'the path of a file', threadId }, 'invalid_input');
}

/** @throws RunError */
export function refuseLong(
  id: string,
  { name, threadId }: { name: string; threadId?: string },
  code: 'invalid_message' | 'invalid_input' = 'invalid_message',
): void {
  // No character takes more than six bytes, however it is encoded.
  if (id.length * 6 + 3 <= bytesAtMost || Buffer.byteLength(encodeText(id)) <= bytesAtMost) return;
  const place = threadId === undefined ? '' : ` of thread ${threadId}`;
  const message = `${name}${place} has more than ${bytesAtMost} bytes, which no index of PostgreSQL takes; give it a shorter one`;
  throw new RunError(code, message, threadId === undefined ? {} : { threadId });
}
