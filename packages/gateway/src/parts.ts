import { type HookToolResult, isRecord, type ToolAttachment } from '@spec/hooks';

type Fields = Readonly<Record<string, unknown>>;

/** A piece of what a server answers: what hooks see of it, and how it is written when they have changed it. */
export interface Part {
  readonly text: string;
  readonly write: (changed: string) => Fields;
  /** As it came. */
  readonly block: Fields;
  readonly file?: ToolAttachment;
}

/** What hooks see of several parts: their texts, with a line between two of them. */
export function joinParts(parts: readonly Pick<Part, 'text'>[]): string {
  return parts.map(({ text }, at) => (at === 0 ? text : `${writeLine(at, parts.length)}${text}`)).join('');
}

/** The texts of the parts again; `undefined` if a hook has taken a line between them away. */
export function splitParts(text: string, count: number): readonly string[] | undefined {
  const texts: string[] = [];
  let rest = text;
  for (let at = 1; at < count; at++) {
    const [before, ...after] = rest.split(writeLine(at, count));
    if (before === undefined || after.length !== 1) return undefined;
    texts.push(before);
    rest = after[0] ?? '';
  }
  return [...texts, rest];
}

function writeLine(at: number, count: number): string {
  return `\n--- part ${at + 1} of ${count} ---\n`;
}

/** A block of a result or of a prompt. What nobody knows yet is shown as it is. */
export function readBlock(block: Fields, at: number): Part {
  const { type, text, data, mimeType, resource } = block;
  if (type === 'text' && typeof text === 'string')
    return { block, text, write: (changed) => ({ ...block, text: changed }) };
  if (typeof data === 'string' && typeof mimeType === 'string')
    return makeFile(block, { name: nameFile(String(type), mimeType, at), mimeType, data });
  if (type === 'resource' && isRecord(resource)) return readEmbedded(block, resource, at);
  return { block, text: JSON.stringify(withoutMeta(block)), write: makeText };
}

function readEmbedded(block: Fields, resource: Fields, at: number): Part {
  const { uri, text, blob, mimeType = 'application/octet-stream' } = resource;
  if (typeof text === 'string') return { block, text: `[Resource ${String(uri)}]\n${text}`, write: makeText };
  if (typeof blob !== 'string') return { block, text: JSON.stringify(withoutMeta(block)), write: makeText };
  const name = nameFile('resource', String(mimeType), at);
  const file = makeFile(block, { name, mimeType: String(mimeType), data: blob });
  return { ...file, text: `[Resource ${String(uri)}]\n${file.text}` };
}

/** A content of a resource that was read. */
export function readContent(content: Fields, at: number): Part {
  const { uri, text, blob, mimeType = 'application/octet-stream', ...rest } = content;
  const write = (changed: string): Fields => ({ ...rest, uri, mimeType: 'text/plain', text: changed });
  if (typeof text === 'string')
    return { block: content, text, write: (changed) => ({ ...content, text: changed }) };
  if (typeof blob !== 'string') return { block: content, text: JSON.stringify(content), write };
  const name = nameFile('resource', String(mimeType), at);
  return { ...makeFile(content, { name, mimeType: String(mimeType), data: blob }), write };
}

function makeFile(block: Fields, file: ToolAttachment): Part {
  return { block, text: `[Attached: ${file.name}, ${file.mimeType}]`, write: makeText, file };
}

function makeText(text: string): Fields {
  return { type: 'text', text };
}

/** Such as `image-1.png`, by the position among the blocks. */
function nameFile(type: string, mimeType: string, at: number): string {
  const ending = /^[a-z]+\/([a-z0-9]+)/.exec(mimeType)?.[1];
  return `${type}-${at + 1}${ending === undefined ? '' : `.${ending}`}`;
}

/** `_meta` is for programs: no model reads it. */
function withoutMeta({ _meta: _, ...fields }: Fields): Fields {
  return fields;
}

/** The files of parts, as hooks see them. */
export function listFiles(parts: readonly Part[]): Pick<HookToolResult, 'attachments'> {
  const attachments = parts.flatMap(({ file }) => (file === undefined ? [] : [file]));
  return attachments.length === 0 ? {} : { attachments };
}

/** A part as hooks have left it. A file that a hook took out goes, and one that it changed is as the hook has it. */
export function rebuildPart(
  part: Part,
  text: string,
  attachments: HookToolResult['attachments'] = [],
): Fields {
  const { file, block } = part;
  if (file === undefined) return text === part.text ? block : part.write(text);
  const kept = attachments.find((one) => 'data' in one && one.name === file.name);
  if (kept === undefined || !('data' in kept)) return part.write(text === part.text ? '[Removed]' : text);
  if (text !== part.text) return part.write(text);
  if (kept.data === file.data) return block;
  const data = typeof kept.data === 'string' ? kept.data : Buffer.from(kept.data).toString('base64');
  return writeData(block, data, kept.mimeType);
}

function writeData(block: Fields, data: string, mimeType: string): Fields {
  if (isRecord(block.resource)) return { ...block, resource: { ...block.resource, blob: data, mimeType } };
  return { ...block, ...(typeof block.blob === 'string' ? { blob: data } : { data }), mimeType };
}
