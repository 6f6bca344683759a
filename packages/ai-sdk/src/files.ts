import type { LanguageModelV3FilePart } from '@ai-sdk/provider';
import { encodeBase64, isBase64, isRecord } from '@spec/hooks';
import type { SpokenMessage } from './messages.ts';

type UserMessage = Extract<SpokenMessage, { role: 'user' }>;
type FilePart = LanguageModelV3FilePart;

/** A file whose bytes stand in its message, as hooks see it. One at an address is fetched by the model's provider, and stays as it is. */
export interface InlineFile {
  readonly part: FilePart;
  readonly file: { readonly name: string; readonly mimeType: string; readonly data: string };
  /** Tells it from others, whatever message it stands in. */
  readonly digest: string;
}

/** The files of a message of the user. */
export async function readFiles({ content }: UserMessage): Promise<readonly InlineFile[]> {
  const files: InlineFile[] = [];
  for (const part of content) {
    if (part.type !== 'file') continue;
    const data = readData(part.data);
    if (data === undefined) continue;
    const { mediaType: mimeType, filename = `file-${files.length + 1}` } = part;
    files.push({
      part,
      file: { name: filename, mimeType, data },
      digest: await digest(`${mimeType} ${data}`),
    });
  }
  return files;
}

/** As base64. Models of interface version 4 get a file as a record that says what it is. */
function readData(data: unknown): string | undefined {
  if (data instanceof Uint8Array) return encodeBase64(data);
  if (typeof data === 'string' && /^https?:/i.test(data)) return undefined;
  if (typeof data === 'string') return readBase64(data) ?? encodeText(decodeAddress(data));
  if (!isRecord(data)) return undefined;
  if (data.type === 'text') return encodeText(String(data.text));
  return data.type === 'data' ? readData(data.data) : undefined;
}

/** Also as addresses and mails write it: with other signs, in lines, without its end. */
function readBase64(text: string): string | undefined {
  if (isBase64(text)) return text;
  const signs = text.replace(/\s/g, '').replaceAll('-', '+').replaceAll('_', '/');
  const whole = signs.padEnd(Math.ceil(signs.length / 4) * 4, '=');
  return isBase64(whole) ? whole : undefined;
}

function encodeText(text: string): string {
  return encodeBase64(new TextEncoder().encode(text));
}

/** The AI SDK takes what a `data:` address holds for base64, whatever it is. */
function decodeAddress(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What hooks have made of files: another part in the place of each, or nothing. Those that they have left alone are not there. */
export type ChangedFiles = Map<string, FilePart | undefined>;

/** Notes what hooks have changed. @param attachments the files as they have left them */
export function noteChanged(changed: ChangedFiles, files: readonly InlineFile[], attachments: unknown): void {
  const left = Array.isArray(attachments) ? (attachments as unknown[]) : [];
  const open = new Set(left.filter(isRecord));
  for (const { file, part, digest: key } of files) {
    const ofName = [...open].filter(({ name }) => name === file.name);
    const found = ofName.find((one) => one.data === file.data) ?? ofName[0];
    if (found !== undefined) open.delete(found);
    if (found?.data !== file.data || found.mimeType !== file.mimeType)
      changed.set(key, makePart(part, found));
  }
}

function makePart(part: FilePart, made: Readonly<Record<string, unknown>> | undefined): FilePart | undefined {
  const { data, mimeType } = made ?? {};
  const bytes = data instanceof Uint8Array ? encodeBase64(data) : data;
  if (typeof bytes !== 'string' || typeof mimeType !== 'string') return undefined;
  const isTagged = isRecord(part.data) && 'type' in part.data;
  const given = (isTagged ? { type: 'data', data: bytes } : bytes) as FilePart['data'];
  return { ...part, data: given, mediaType: mimeType };
}

/** A message with its files as hooks have left them. @param sent the files that it has */
export function changeFiles(
  message: UserMessage,
  sent: readonly InlineFile[],
  changed: ChangedFiles,
): UserMessage {
  const files = new Map(sent.map(({ part, digest: key }) => [part, key]));
  const content = message.content.flatMap((part) => {
    const key = part.type === 'file' ? files.get(part) : undefined;
    if (key === undefined || !changed.has(key)) return [part];
    return changed.get(key) ?? [];
  });
  return { ...message, content };
}

async function digest(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return encodeBase64(new Uint8Array(hash));
}
