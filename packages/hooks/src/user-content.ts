import { RunError } from './errors.ts';
import { isRecord } from './values.ts';
import type { UserFile } from './vocabulary/messages.ts';
import type { NewMessage, NewMessageOfParts } from './vocabulary/state.ts';

/** What a list of parts says. */
interface UserContent {
  /** Its texts, one in each line. */
  readonly content: string;
  readonly attachments: readonly UserFile[];
}

const MAX_FILES = 20;
const MAX_BYTES = 20 * 1024 * 1024;
const BASE64_PER_BYTES = 4 / 3;

/** A user's message as it is given. */
interface GivenContent {
  readonly content: string | readonly unknown[];
  readonly attachments?: unknown;
}

/**
 * Reads a message that an application, a hook or a tool gives: one of a user may have parts and files.
 *
 * @throws {RunError} `invalid_message`, as {@link readUserContent}
 */
export function readGivenMessage(given: NewMessage | NewMessageOfParts): NewMessage {
  const { role, content, attachments } = given;
  const hasParts = Array.isArray(content);
  if (hasParts && role !== 'user')
    throw new RunError(
      'invalid_message',
      'Only messages of a user have parts. Give this message its text, as content: "…".',
    );
  const hasFiles = role === 'user' && attachments !== undefined && attachments !== null;
  if (!hasParts && !hasFiles) return given as NewMessage;
  return { ...given, ...readUserContent({ content: content ?? '', attachments: attachments ?? [] }) };
}

/**
 * Reads a user's message: its text, and all of its files.
 *
 * @throws {RunError} `invalid_message`, with the number of the part that is none, or the limit that was passed
 */
export function readUserContent({ content: given, attachments = [] }: GivenContent): UserContent {
  if (!Array.isArray(attachments)) throw invalid('its attachments are no list');
  const { content, attachments: ofParts } = typeof given === 'string' ? textAlone(given) : readParts(given);
  const files = [...ofParts, ...attachments.map(withBase64)];
  if (files.length > MAX_FILES) throw invalid(`it has more than ${MAX_FILES} files`);
  if (countBytes(files) > MAX_BYTES)
    throw invalid(`its files have more than ${MAX_BYTES / 1024 / 1024} MiB together`);
  return { content, attachments: files };
}

/**
 * For places that store texts alone.
 *
 * @throws {RunError} `invalid_message` for a message with parts
 */
export function requireText(given: NewMessage | NewMessageOfParts): NewMessage {
  if (!Array.isArray(given.content)) return given as NewMessage;
  throw new RunError(
    'invalid_message',
    'Messages of parts cannot be stored here: give the text alone, as content: "…".',
  );
}

function textAlone(content: string): UserContent {
  return { content, attachments: [] };
}

/** Hooks get the data of all files in one form, and it is JSON. */
function withBase64(file: unknown): UserFile {
  const data = isRecord(file) ? file.data : undefined;
  return (data instanceof Uint8Array ? { ...(file as object), data: encodeBase64(data) } : file) as UserFile;
}

function readParts(parts: readonly unknown[]): UserContent {
  const texts: string[] = [];
  const attachments: UserFile[] = [];
  for (const [at, part] of parts.entries()) {
    if (isRecord(part) && part.type === 'text' && typeof part.text === 'string') texts.push(part.text);
    else attachments.push(readFilePart(part, at + 1));
  }
  return { content: texts.join('\n'), attachments };
}

/** What the shapes have in common. */
interface GivenFile {
  readonly source: unknown;
  readonly mediaType: unknown;
  readonly filename: unknown;
  /** The media type where nothing else tells. */
  readonly kind?: string;
}

function readFilePart(part: unknown, position: number): UserFile {
  const given = isRecord(part) ? readGiven(part) : undefined;
  if (given === undefined) throw invalid(`part ${position} is no text, image or file: ${PARTS}`);
  const { source, filename } = given;
  const found = readSource(source);
  if (found === undefined)
    throw invalid(`part ${position} has neither bytes, nor base64 text, nor a data: or https: URL: ${PARTS}`);
  const mimeType = given.mediaType ?? found.mimeType ?? (found.data && sniffImage(found.data)) ?? given.kind;
  if (!isMediaType(mimeType))
    throw invalid(`part ${position} has no media type: add mediaType: "application/pdf", for example`);
  const name = typeof filename === 'string' && filename !== '' ? filename : makeName(mimeType, position);
  if (found.url !== undefined) return { type: 'url', url: found.url, name, mimeType };
  return { name, mimeType, data: found.data };
}

const PARTS =
  'write { type: "text", text }, { type: "image", image } or { type: "file", data, mediaType, filename }';

/** Whether a text has the form of a media type. */
export function isMediaType(value: unknown): value is string {
  return typeof value === 'string' && MEDIA_TYPE.test(value);
}

const MEDIA_TYPE = /^[a-z]+\/[a-z0-9.+*_-]+\s*(?:;.*)?$/i;

const ANY_IMAGE = 'image/*';

function readGiven(part: Readonly<Record<string, unknown>>): GivenFile | undefined {
  const { type, image, data, url, image_url: link, file, filename } = part;
  const mediaType = part.mediaType ?? part.mimeType;
  if (type === 'image_url' && isRecord(link))
    return { source: link.url, mediaType, filename, kind: ANY_IMAGE };
  if (type === 'file' && isRecord(file))
    return { source: file.file_data, mediaType, filename: file.filename };
  if (type !== 'image' && type !== 'file') return undefined;
  const source = image ?? data ?? url;
  return { source, mediaType, filename, ...(type === 'image' ? { kind: ANY_IMAGE } : {}) };
}

/** Bytes as base64 text, which hooks get as they get that of a tool's files; or a link. */
type Found = { readonly mimeType?: string } & (
  | { readonly data: string; readonly url?: undefined }
  | { readonly url: string; readonly data?: undefined }
);

function readSource(source: unknown): Found | undefined {
  if (source instanceof Uint8Array) return { data: encodeBase64(source) };
  const text = source instanceof URL ? source.href : source;
  if (typeof text !== 'string' || text === '') return undefined;
  const [, mimeType, data] = DATA_URL.exec(text) ?? [];
  if (data !== undefined) return isBase64(data) ? { data, ...(mimeType ? { mimeType } : {}) } : undefined;
  if (/^https?:\/\//i.test(text)) return URL.canParse(text) ? { url: text } : undefined;
  return isBase64(text) ? { data: text } : undefined;
}

const DATA_URL = /^data:([^,;]*)(?:;[^,;]*)*;base64,(.*)$/s;

export function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}

/** Bytes that make no padding in the middle and fit into the arguments of one call. */
const STRETCH = 3 * 2_730;

/** What Node has for it, which takes a hundredth of the time: five megabytes hold up everything else for half a second without. */
interface NodeBuffers {
  from(bytes: ArrayBufferLike, offset: number, length: number): { toString(encoding: 'base64'): string };
}

/** The bytes of a base64 text. @throws DOMException where it is none */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

/** Bytes as base64 text, on every platform. */
export function encodeBase64(bytes: Uint8Array): string {
  const { Buffer: buffers } = globalThis as { readonly Buffer?: NodeBuffers };
  if (buffers !== undefined)
    return buffers.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  let binary = '';
  for (let at = 0; at < bytes.length; at += STRETCH)
    binary += String.fromCharCode(...bytes.subarray(at, at + STRETCH));
  return btoa(binary);
}

/** How images of each type begin, in base64. */
const imageStarts: Readonly<Record<string, string>> = {
  'image/png': 'iVBORw0KGg',
  'image/jpeg': '/9j/',
  'image/gif': 'R0lGOD',
  'image/webp': 'UklGR',
};

/** The type of an image by how its base64 begins. */
export function sniffImage(data: string): string | undefined {
  return Object.keys(imageStarts).find((type) => data.startsWith(imageStarts[type] as string));
}

/** Such as `file-2.png`. */
function makeName(mimeType: string, position: number): string {
  const [, ending] = /\/([a-z0-9]+)/i.exec(mimeType) ?? [];
  return ending === undefined ? `file-${position}` : `file-${position}.${ending}`;
}

function countBytes(files: readonly UserFile[]): number {
  const lengths = files.map((file: unknown) =>
    isRecord(file) && typeof file.data === 'string' ? file.data.length : 0,
  );
  return lengths.reduce((sum, length) => sum + length / BASE64_PER_BYTES, 0);
}

function invalid(why: string): RunError {
  return new RunError('invalid_message', `A user message cannot be sent: ${why}.`);
}
