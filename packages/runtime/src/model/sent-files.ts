import type { LLMMessage } from '@spec/hooks';
import { listMessageFiles, type MessageFile } from '../definitions/attachments.ts';
import type { FileData, FilePart, LanguageModel, TextPart } from '../definitions/model.ts';

/** What is in the files of a history, by their paths; `null` for one that is gone. */
export type FileContents = ReadonlyMap<string, Uint8Array | null>;

/** Reads the files that the user's messages of a history point to. */
export async function readSentFiles(
  messages: readonly LLMMessage[],
  read: (path: string) => Promise<Uint8Array | null>,
): Promise<FileContents> {
  const contents = new Map<string, Uint8Array | null>();
  for (const message of messages)
    for (const file of message.role === 'user' ? listMessageFiles(message) : [])
      if (file.type === 'file' && !contents.has(file.path)) contents.set(file.path, await read(file.path));
  return contents;
}

/** What a model of a version is sent of files. */
export interface FileTarget extends Pick<LanguageModel, 'specificationVersion'> {
  readonly files: FileContents;
}

/** The files of a user's message, in the form that models of a version take; a text in the place of one that is gone. */
export function toFileParts(
  message: LLMMessage,
  { files, specificationVersion: version }: FileTarget,
): (FilePart | TextPart)[] {
  return listMessageFiles(message).map((file) => {
    const data = toData(file, files);
    if (data === undefined)
      return { type: 'text', text: `[The file ${JSON.stringify(file.name)} is no longer there.]` };
    const [mediaType = ''] = file.mimeType.split(';');
    return { type: 'file', filename: file.name, mediaType: mediaType.trim(), data: inVersion(data, version) };
  });
}

function toData(file: MessageFile, files: FileContents): Uint8Array | URL | undefined {
  if (file.type === 'url') return new URL(file.url);
  return files.get(file.path) ?? undefined;
}

/** The one difference between the versions in what is sent. */
function inVersion(data: Uint8Array | URL, version: LanguageModel['specificationVersion']): FileData {
  const tagged = data instanceof URL ? { type: 'url', url: data } : { type: 'data', data };
  return (version === 'v3' ? data : tagged) as unknown as FileData;
}
