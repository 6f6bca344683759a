import { encodeBase64, type LLMMessage } from '@spec/hooks';
import { listMessageFiles, type MessageFile } from '../definitions/attachments.ts';
import type {
  FileData,
  FilePart,
  LanguageModel,
  TextPart,
  ToolContentPart,
  ToolFilePart,
} from '../definitions/model.ts';

/** What is in the files of a history, by their paths; `null` for one that is gone. */
export type FileContents = ReadonlyMap<string, Uint8Array | null>;

/** Reads the files of a history that a model is sent: those of the user's messages, and of tools' results where the model takes them. */
export function readSentFiles(
  messages: readonly LLMMessage[],
  model: Pick<LanguageModel, 'provider'>,
  read: (path: string) => Promise<Uint8Array | null>,
): FileContents | Promise<FileContents> {
  return messages.some(hasAttachments) ? readAll(messages, model, read) : NO_FILES;
}

const NO_FILES: FileContents = new Map();

function hasAttachments(message: LLMMessage & { attachments?: unknown }): boolean {
  return message.attachments !== undefined;
}

async function readAll(
  messages: readonly LLMMessage[],
  model: Pick<LanguageModel, 'provider'>,
  read: (path: string) => Promise<Uint8Array | null>,
): Promise<FileContents> {
  const contents = new Map<string, Uint8Array | null>();
  for (const message of messages)
    for (const file of listSentFiles(message, model))
      if (file.type === 'file' && !contents.has(file.path)) contents.set(file.path, await read(file.path));
  return contents;
}

/**
 * The providers of the AI SDK that send files in a tool's result as files. The others write all of the result into a text: a file would be
 * base64 text there.
 */
const TAKES_TOOL_FILES =
  /^(?:anthropic\.|vertex\.anthropic|bedrock\.anthropic|amazon-bedrock|(?:openai|azure|azure-openai)\.responses|google\.(?:generative-ai|vertex))/;

/** What these providers take. */
const TOOL_FILE_TYPES = /^(?:image\/(?:png|jpeg|gif|webp)|application\/pdf)$/;

/** The files of a message that a model is sent. */
function listSentFiles(message: LLMMessage, { provider }: Pick<LanguageModel, 'provider'>): MessageFile[] {
  if (!hasAttachments(message)) return [];
  if (message.role === 'user') return listMessageFiles(message);
  if (message.role !== 'tool' || !TAKES_TOOL_FILES.test(provider)) return [];
  return listMessageFiles(message).filter(
    (file) => file.type === 'file' && TOOL_FILE_TYPES.test(toMediaType(file)),
  );
}

/** The files of a tool's result, in the form that models of a version take. One that is gone is left out: the text stays. */
export function toToolFileParts(message: LLMMessage, target: FileTarget): ToolContentPart[] {
  const { files, specificationVersion: version } = target;
  return listSentFiles(message, target).flatMap((file) => {
    const data = toData(file, files);
    return data instanceof Uint8Array ? [toToolFile(file, data, version) as unknown as ToolContentPart] : [];
  });
}

function toToolFile(
  file: MessageFile,
  data: Uint8Array,
  version: LanguageModel['specificationVersion'],
): ToolFilePart {
  const mediaType = toMediaType(file);
  const { name: filename } = file;
  if (version === 'v4') return { type: 'file', data: { type: 'data', data }, mediaType, filename };
  const text = encodeBase64(data);
  return mediaType.startsWith('image/')
    ? { type: 'image-data', data: text, mediaType }
    : { type: 'file-data', data: text, mediaType, filename };
}

function toMediaType({ mimeType }: MessageFile): string {
  const [mediaType = ''] = mimeType.split(';');
  return mediaType.trim();
}

/** What a model of a version is sent of files. */
export interface FileTarget extends Pick<LanguageModel, 'specificationVersion' | 'provider'> {
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
    return {
      type: 'file',
      filename: file.name,
      mediaType: toMediaType(file),
      data: inVersion(data, version),
    };
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
