import type { AttachmentRef } from '@spec/hooks';
import type { StoreDriver } from '@spec/runtime/store-kit';
import { readValue } from '../commits/look.ts';
import type { Session } from '../connection/session.ts';
import { decodeText, encodeText } from '../texts.ts';

/** The methods that read the values and files of a thread. */
export type StateMethods = Pick<StoreDriver, 'listValues' | 'listFiles' | 'readFile'>;

const ofThread = '(select t.key from $schema.threads t where t.id = $1)';

type FileRow = [path: string, name: string, mimeType: string, size: number, data: Uint8Array];

/** Prepares the statements over values and files. */
export function stateMethods(session: Session): StateMethods {
  const values = 'select v.key, v.value from $schema.kept_values v';
  const all = session.prepare(`${values} where v.thread = ${ofThread}`);
  const one = session.prepare(`${values} where v.thread = ${ofThread} and v.key = $2`);
  const files = 'select f.path, f.name, f.mime_type, f.size';
  const refs = session.prepare(`${files} from $schema.files f where f.thread = ${ofThread}`);
  const whole = session.prepare(
    `${files}, f.data from $schema.files f where f.thread = ${ofThread} and f.path = $2`,
  );
  return {
    async listValues(threadId, key) {
      const thread = encodeText(threadId);
      const found = await (key === undefined
        ? session.ask(all, [thread])
        : session.ask(one, [thread, encodeText(key)]));
      return found.map((row) => {
        const name = decodeText(String(row[0]));
        return { key: name, value: readValue(String(row[1]), { threadId, key: name }) };
      });
    },
    async listFiles(threadId) {
      return (await session.ask(refs, [encodeText(threadId)])).map((row) =>
        readRef(row as unknown as FileRow),
      );
    },
    async readFile(threadId, path) {
      const [row] = await session.ask(whole, [encodeText(threadId), encodeText(path)]);
      if (row === undefined) return null;
      const file = row as FileRow;
      return { ...readRef(file), data: new Uint8Array(file[4]) };
    },
  };
}

function readRef([path, name, mimeType, size]: FileRow): AttachmentRef {
  return {
    type: 'file',
    path: decodeText(path),
    name: decodeText(name),
    mimeType: decodeText(mimeType),
    size,
  };
}
