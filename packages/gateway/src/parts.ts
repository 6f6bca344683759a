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

/**
 * The texts of the parts again; `undefined` if a hook has taken a line between them away, or a line comes a second time. The text is gone
 * through once, however many parts a server sends.
 */
export function splitParts(text: string, count: number): readonly string[] | undefined {
  const texts: string[] = [];
  const line = new RegExp(`\\n--- part ([1-9]\\d*) of ${count} ---(?=\\n)`, 'g');
  let start = 0;
  for (let found = line.exec(text); found !== null; found = line.exec(text)) {
    const [{ length }, number] = found;
    const next = texts.length + 2; // The line before the first part is not written.
    if (Number(number) > next || Number(number) < 2) continue;
    if (Number(number) < next) return undefined;
    texts.push(text.slice(start, found.index));
    start = found.index + length + 1;
    line.lastIndex = start;
  }
  return texts.length === count - 1 ? [...texts, text.slice(start)] : undefined;
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
  if (typeof text === 'string' && blob === undefined)
    return { block, text: `[Resource ${String(uri)}]\n${text}`, write: makeText };
  if (typeof blob !== 'string' || text !== undefined)
    return { block, text: JSON.stringify(withoutMeta(block)), write: makeText };
  const name = nameFile('resource', String(mimeType), at);
  const file = makeFile(block, { name, mimeType: String(mimeType), data: blob });
  return { ...file, text: `[Resource ${String(uri)}]\n${file.text}` };
}

/** A content of a resource that was read. */
export function readContent(content: Fields, at: number): Part {
  const { uri, text, blob, mimeType = 'application/octet-stream', ...rest } = content;
  const write = (changed: string): Fields => ({ ...rest, uri, mimeType: 'text/plain', text: changed });
  if (typeof text === 'string' && blob === undefined)
    return { block: content, text, write: (changed) => ({ ...content, text: changed }) };
  if (typeof blob !== 'string' || text !== undefined) {
    const writeAlone = (changed: string): Fields => ({ uri, mimeType: 'text/plain', text: changed });
    return { block: content, text: JSON.stringify(content), write: writeAlone };
  }
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

/** Parts as hooks have left them. @param texts as many as there are parts */
export function rebuildParts(
  parts: readonly Part[],
  texts: readonly string[],
  attachments: HookToolResult['attachments'] = [],
): Fields[] {
  const files = new Map<string, ToolAttachment>();
  for (const one of attachments) if ('data' in one && !files.has(one.name)) files.set(one.name, one);
  return parts.map((part, at) => rebuildPart(part, texts[at] ?? '', files));
}

/** A file that a hook took out goes, and one that it changed is as the hook has it. */
function rebuildPart(part: Part, text: string, files: ReadonlyMap<string, ToolAttachment>): Fields {
  const { file, block } = part;
  if (file === undefined) return text === part.text ? block : part.write(text);
  const kept = files.get(file.name);
  if (kept === undefined) return part.write(text === part.text ? '[Removed]' : text);
  if (text !== part.text) return part.write(text);
  if (kept.data === file.data) return block;
  const data = typeof kept.data === 'string' ? kept.data : Buffer.from(kept.data).toString('base64');
  return writeData(block, data, kept.mimeType);
}

function writeData(block: Fields, data: string, mimeType: string): Fields {
  if (isRecord(block.resource)) return { ...block, resource: { ...block.resource, blob: data, mimeType } };
  return { ...block, ...(typeof block.blob === 'string' ? { blob: data } : { data }), mimeType };
}
