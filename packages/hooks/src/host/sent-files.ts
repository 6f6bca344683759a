import { digestText } from '../digest-text.ts';
import { encodeBase64, isMediaType } from '../user-content.ts';
import { isRecord } from '../values.ts';
import type { UserFile } from '../vocabulary/messages.ts';
import { type FilePlace, findFiles, type OtherFile, readFile, writeFile } from './file-places.ts';

/** A file in a message of the user: its part, and what hooks are given of it. */
export interface SentFile {
  readonly part: object;
  readonly place: FilePlace;
  /** Its bytes as base64 text, or where the provider of the model finds them: an address, or `file-id:` and the id that it has there. */
  readonly file: UserFile & OtherFile;
  /** Tells it from others, whatever message it stands in. */
  readonly key: string;
}

/** Reads the files of a message. A part of a form that nobody knows has none. */
export async function readFiles(parts: readonly object[]): Promise<readonly SentFile[]> {
  const sent: SentFile[] = [];
  for (const part of parts)
    for (const place of findFiles(part)) {
      const { data, url, mimeType } = readFile(part, place);
      const name = place.name.text ?? `file-${sent.length + 1}`;
      const key = await digestText(`${JSON.stringify([mimeType, place.name.text])} ${data ?? url}`);
      const described = { name, mimeType };
      const file =
        data === undefined
          ? { type: 'url' as const, url: url as string, ...described }
          : { ...described, data };
      sent.push({ part, place, file, key });
    }
  return sent;
}

/** What hooks have made of the files of a message. */
export interface FileChanges {
  /** Those that are others now, by their keys; nothing in the place of one that is gone. */
  readonly changed: ReadonlyMap<string, OtherFile | undefined>;
  /** Those that hooks have added. */
  readonly added: readonly OtherFile[];
}

/** Compares what was sent with what hooks have left. @param attachments what they have left, in whatever form */
export function compareFiles(sent: readonly SentFile[], attachments: unknown): FileChanges {
  const open = new Set((Array.isArray(attachments) ? (attachments as unknown[]) : []).flatMap(readLeft));
  const found = new Map<SentFile, OtherFile>();
  const isThat = ({ file }: SentFile, left: OtherFile): boolean =>
    left.data === file.data && left.url === file.url;
  const pair = (fits: (one: SentFile, left: OtherFile) => boolean): void => {
    for (const one of sent) {
      const left = found.has(one) ? undefined : [...open].find((candidate) => fits(one, candidate));
      if (left === undefined) continue;
      found.set(one, left);
      open.delete(left);
    }
  };
  pair((one, left) => isThat(one, left) && left.name === one.file.name);
  pair((one, left) => left.name === one.file.name);
  pair(isThat);
  // A file whose name and contents are others is known by its place alone.
  if (open.size === sent.length - found.size) pair((one, left) => findKind(one.file) === findKind(left));
  const kept = new Set([...found.keys()].map(({ key }) => key));
  // Of several that are the same, one that is gone leaves the others.
  const changed = sent.filter((one) =>
    found.has(one) ? !isSame(one.file, found.get(one)) : !kept.has(one.key),
  );
  return { changed: new Map(changed.map((one) => [one.key, found.get(one)])), added: [...open] };
}

const findKind = ({ mimeType }: OtherFile): string | undefined => mimeType.split('/')[0];

function isSame(file: OtherFile, left: OtherFile | undefined): boolean {
  const { name, mimeType, data, url } = left ?? {};
  return name === file.name && mimeType === file.mimeType && data === file.data && url === file.url;
}

/** What is no file any more is gone. */
function readLeft(left: unknown): OtherFile[] {
  if (!isRecord(left)) return [];
  const { name, mimeType, url } = left;
  const data = left.data instanceof Uint8Array ? encodeBase64(left.data) : left.data;
  if (typeof name !== 'string' || !isMediaType(mimeType)) return [];
  if (typeof data === 'string') return [{ name, mimeType, data }];
  return typeof url === 'string' ? [{ name, mimeType, url }] : [];
}

/** The parts of a message with its files as hooks have left them. A part that hooks have left alone is the same object. */
export function changeFiles<Part extends object>(
  parts: readonly Part[],
  sent: readonly SentFile[],
  { changed }: Pick<FileChanges, 'changed'>,
): Part[] {
  return parts.flatMap((part) => {
    let written: object = part;
    for (const { part: own, place, file, key } of sent) {
      if (own !== part || !changed.has(key)) continue;
      const next = changed.get(key);
      if (next === undefined) return [];
      written = writeFile(written, place, { before: file, next });
    }
    return [written as Part];
  });
}
