import { decodeBase64, encodeBase64, isBase64, isMediaType, sniffImage } from '../user-content.ts';
import { isRecord } from '../values.ts';

// Where the files are in the parts of a message. Frameworks and providers write the same things under many names, and an application gives a
// framework the parts of its provider too; so a part is searched by the names, whatever it is called.

type Fields = Readonly<Record<string, unknown>>;

/** A file in a part of a message. */
export interface FilePlace {
  /** The names of the fields that lead to its source. */
  readonly path: readonly string[];
  readonly source: FileSource;
  readonly mimeType: Described;
  readonly name: Described;
}

/** What a part says of a file, and where; it may say nothing. */
interface Described {
  readonly path?: readonly string[];
  readonly text?: string;
}

type FileSource = string | Uint8Array | URL;

/** Bytes as base64, or where the provider of the model finds them. */
export type FileContent =
  | { readonly data: string; readonly url?: undefined }
  | { readonly url: string; readonly data?: undefined };

/** Fields with bytes, base64, a `data:` address, or an address. */
const DATA = new Set([
  ...['data', 'bytes', 'file', 'image', 'audio', 'video', 'document'],
  ...['file_data', 'fileData', 'url', 'uri', 'file_url', 'fileUrl', 'image_url', 'imageUrl'],
  ...['file_uri', 'fileUri', 'input_audio'],
]);
/** Fields with the id that the provider gave a file. */
const IDS = new Set(['file_id', 'fileId']);
/** Fields with a record that has such fields. */
const HOLDERS = new Set([...DATA, 'source', 'inlineData', 'inline_data', 's3Location', 'content', 'value']);
const TYPES = ['mediaType', 'mimeType', 'mime_type', 'media_type', 'contentType'];
const NAMES = ['filename', 'fileName', 'file_name', 'name', 'title'];
/** Under this, an address stands for a file that the provider has under an id. */
const ID_SCHEME = 'file-id:';
const FILE_ID = /^file[-_][\w-]+$/;

/** The files in a part. A part of a form that nobody knows has none. */
export function findFiles(part: unknown): readonly FilePlace[] {
  return isRecord(part) ? [...search([{ fields: part, path: [] }])] : [];
}

/** A record on the way to a source. */
interface Level {
  readonly fields: Fields;
  readonly path: readonly string[];
}

/** @param levels the part, and the records in it that were gone through, the innermost first */
function* search(levels: readonly [Level, ...Level[]]): Iterable<FilePlace> {
  const [{ fields, path }] = levels;
  for (const [name, value] of Object.entries(fields)) {
    const at = [...path, name];
    if (isSource(value) && holdsSource(name, levels)) yield { path: at, source: value, ...describe(levels) };
    else if (HOLDERS.has(name) && levels.length < MAX_LEVELS)
      for (const inner of listLevels(value, at)) yield* search([inner, ...levels]);
  }
}

/** A part has its file three records deep, and four where it has been put into another. */
const MAX_LEVELS = 6;

/** A record, or the records of a list. */
function listLevels(value: unknown, path: readonly string[]): Level[] {
  if (!Array.isArray(value)) return isRecord(value) ? [{ fields: value, path }] : [];
  return value.flatMap((fields: unknown, at) =>
    isRecord(fields) && fields.type !== 'text' ? [{ fields, path: [...path, String(at)] }] : [],
  );
}

function isSource(value: unknown): value is FileSource {
  return (typeof value === 'string' && value !== '') || value instanceof Uint8Array || value instanceof URL;
}

function holdsSource(name: string, levels: readonly [Level, ...Level[]]): boolean {
  const [{ fields }] = levels;
  if (fields.type === 'text' && name !== 'text') return false; // A document that has its text so: it is read with the texts of the message.
  if (DATA.has(name) || IDS.has(name)) return true;
  if (name === 'id') return levels.length > 1 || fields.source_type === 'id';
  return name === 'text' && levels.length > 1;
}

function describe(levels: readonly Level[]): Pick<FilePlace, 'mimeType' | 'name'> {
  const withMetadata = levels.flatMap((level) => {
    const { metadata } = level.fields;
    return isRecord(metadata) ? [level, { fields: metadata, path: [...level.path, 'metadata'] }] : [level];
  });
  return { mimeType: findText(levels, TYPES), name: findText(withMetadata, NAMES) };
}

function findText(levels: readonly Level[], names: readonly string[]): Described {
  for (const { fields, path } of levels)
    for (const name of names) {
      const text = fields[name];
      if (typeof text === 'string' && text !== '') return { path: [...path, name], text };
    }
  return {};
}

/** What stands at a place. */
export function readFile(part: unknown, place: FilePlace): FileContent & { readonly mimeType: string } {
  const { mimeType: ofAddress, ...content } = readSource(place);
  const found = content.data === undefined ? undefined : sniffImage(content.data);
  // What an address says is of the file itself, if it says anything.
  const own = ofAddress?.startsWith(ANY_TYPE) ? undefined : ofAddress;
  const given = [own, place.mimeType.text, ofAddress, found].find(isMediaType);
  return { ...content, mimeType: given ?? guessType(part) };
}

const ANY_TYPE = 'application/octet-stream';

/** A part of audio says its format, and one of images at least what it is. */
function guessType(part: unknown): string {
  const { type, format, input_audio: audio } = part as Fields;
  const [, kind] = /(?:^|_)(image|audio|video)(?:_|$)/.exec(String(type)) ?? [];
  if (kind === undefined) return ANY_TYPE;
  const named = isRecord(audio) ? audio.format : format;
  return `${kind}/${typeof named === 'string' ? named : '*'}`;
}

function readSource({ path, source }: FilePlace): FileContent & { readonly mimeType?: string | undefined } {
  if (source instanceof Uint8Array) return { data: encodeBase64(source) };
  const name = path.at(-1) ?? '';
  if (name === 'text') return { data: encodeText(String(source)) };
  const text = (source instanceof URL ? source.href : source).trim();
  const [, mimeType, base64, body = ''] = DATA_ADDRESS.exec(text) ?? [];
  if (mimeType !== undefined) return { ...readAddress(body, base64 !== undefined), mimeType };
  if (isLink(text)) return { url: text };
  if (IDS.has(name) || name === 'id' || FILE_ID.test(text)) return { url: ID_SCHEME + text };
  return { data: readBase64(text) ?? encodeText(decodeAddress(text)) };
}

const DATA_ADDRESS = /^data:([^,]*?)(;\s*base64)?,(.*)$/is;

/** Of a provider's store as well: `gs://`, `s3://`. */
const isLink = (text: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(text.slice(0, LONGEST_SCHEME));
const LONGEST_SCHEME = 100;

function readAddress(body: string, isEncoded: boolean): { readonly data: string } {
  const words = decodeAddress(body);
  return { data: (isEncoded ? readBase64(words) : undefined) ?? encodeText(words) };
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

function decodeAddress(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A file in the place of another one. */
export type OtherFile = FileContent & { readonly name: string; readonly mimeType: string };

/** The part with another file in a place, in the form that it has there. @param before what hooks were given of it */
export function writeFile(
  part: object,
  place: FilePlace,
  { before, next }: { readonly before: OtherFile; readonly next: OtherFile },
): object {
  const { path, mimeType, name } = place;
  const source = next.data === before.data && next.url === before.url ? undefined : writeSource(place, next);
  const changes: [readonly string[] | undefined, unknown][] = [
    [path, source],
    [mimeType.path, next.mimeType === before.mimeType ? undefined : next.mimeType],
    [name.path, next.name === before.name ? undefined : next.name],
  ];
  let written: Fields = part as Fields;
  for (const [at, value] of changes)
    if (at !== undefined && value !== undefined) written = setField(written, at, value);
  return written;
}

function writeSource({ path, source }: FilePlace, next: OtherFile): FileSource {
  const address = next.url === undefined ? toDataAddress(next) : next.url;
  if (source instanceof URL) return new URL(address);
  if (next.url !== undefined)
    return next.url.startsWith(ID_SCHEME) ? next.url.slice(ID_SCHEME.length) : next.url;
  if (source instanceof Uint8Array) return decodeBase64(next.data);
  if (path.at(-1) === 'text') return new TextDecoder().decode(decodeBase64(next.data));
  const text = source.trim();
  return /^data:/i.test(text) || isLink(text) ? address : next.data;
}

/** A file as an address that has all of it. */
export function toDataAddress({ mimeType, data = '' }: Pick<OtherFile, 'mimeType' | 'data'>): string {
  return `data:${mimeType.replace(/\s/g, '')};base64,${data}`;
}

function setField(fields: Fields, [name = '', ...rest]: readonly string[], value: unknown): Fields {
  const next = rest.length === 0 ? value : setField(fields[name] as Fields, rest, value);
  if (Array.isArray(fields))
    return Object.assign([...(fields as unknown[])], { [name]: next }) as unknown as Fields;
  return { ...fields, [name]: next };
}
