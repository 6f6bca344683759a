import { findTexts } from './find-text.ts';

const CARD = '4111111111111111';

/**
 * A secret that tells where it was put in.
 *
 * @param origin a word of small letters; none begins with another one
 */
export const canary = (origin: string): string => `${CARD}-${origin}`;

export const maskText = (text: string): string => text.replace(/4111111111111111(-[a-z]+)?/g, '[CARD]');

/** A value of JSON without canaries. */
export function maskAll<Value>(value: Value): Value {
  return JSON.parse(maskText(JSON.stringify(value))) as Value;
}

type Message = Readonly<Record<string, unknown>> & { readonly role: string };

/** For `before_create_message`: a message without canaries in its texts, its calls and its files. */
export async function maskMessage<Given extends Message>(_state: unknown, message: Given): Promise<Given> {
  const { attachments } = message as { readonly attachments?: object[] };
  const masked = maskAll(message);
  return attachments === undefined ? masked : { ...masked, attachments: maskAll(attachments).map(maskFile) };
}

function maskFile(file: { readonly data?: string }): object {
  if (file.data === undefined) return file;
  return { ...file, data: encodeText(maskText(Buffer.from(file.data, 'base64').toString())) };
}

/** As files have it. */
export const encodeText = (text: string): string => Buffer.from(text).toString('base64');

/** What is found of a text in its encoded form, whatever stands behind it. */
const encoded = (text: string): string => encodeText(text.slice(0, text.length - (text.length % 3)));

export interface CanariesToFind {
  readonly origins: readonly string[];
  /** What may hold them: the model and the tools of the test itself. */
  readonly apart: readonly unknown[];
}

/**
 * Looks for canaries in what came out of a run.
 *
 * @returns the places of each, by `origin > name of the outlet`
 */
export async function findCanaries(
  outlets: Readonly<Record<string, unknown>>,
  { origins, apart }: CanariesToFind,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const places = new Map<string, readonly string[]>();
  const forms = origins.map((origin) => [origin, [canary(origin), encoded(canary(origin))]] as const);
  const texts = forms.flatMap(([, both]) => both);
  for (const [name, outlet] of Object.entries(outlets)) {
    const found = await findTexts(outlet, texts, { apart });
    for (const [origin, both] of forms) {
      const paths = both.flatMap((text) => found.get(text) ?? []);
      if (paths.length > 0) places.set(`${origin} > ${name}`, paths);
    }
  }
  return places;
}
