import type { LanguageModelV3StreamPart } from '@ai-sdk/provider';
import { isRecord } from '@spec/hooks';
import type { PartFields, PartMetadata, PlacedPart, ReasoningPart } from '../answer-parts/index.ts';
import type { ReasoningPiece } from './reasoning-release.ts';

/** Characters of JSON that reasoning and metadata of one answer may have. Those of a longer one are not kept. */
const MAX_PARTS = 1_000_000;

type ReasoningDraft = { -readonly [Field in keyof ReasoningPart]: ReasoningPart[Field] };
interface TextDraft {
  readonly type: 'text';
  length: number;
  metadata?: PartMetadata;
}
interface CallDraft {
  readonly type: 'tool_call';
  readonly id: string;
  metadata?: PartMetadata;
}

/** Gathers, piece by piece, what a model's answer holds besides its text and its calls. */
export class PartsCollector {
  readonly #reasoning: ReasoningDraft[] = [];
  readonly #placed: (TextDraft | CallDraft | (PlacedPart & { type: 'reasoning' }))[] = [];
  /** The parts that are being written, by the ids that the stream gives them. */
  #openReasoning: Map<string, ReasoningDraft> | undefined;
  readonly #onReasoning: (piece: ReasoningPiece) => void;
  #openText: { readonly id: string; readonly part: TextDraft } | undefined;

  constructor(onReasoning: (piece: ReasoningPiece) => void = () => {}) {
    this.#onReasoning = onReasoning;
  }

  take(part: LanguageModelV3StreamPart): void {
    if (part.type === 'reasoning-start') this.#startReasoning(part.id);
    if (part.type === 'reasoning-start' || part.type === 'reasoning-delta' || part.type === 'reasoning-end')
      this.#takeReasoning(part);
    else if (part.type === 'text-start' || part.type === 'text-delta' || part.type === 'text-end')
      this.#takeText(part);
  }

  /** @param id the id that the call has in the thread */
  addCall(id: string, providerMetadata: unknown): void {
    this.#placed.push(withMetadata<CallDraft>({ type: 'tool_call', id }, providerMetadata));
  }

  /** `undefined` where the answer has nothing but its text and its calls; `'too long'` where it has more than can be kept. */
  finish(source: {
    readonly provider: string;
    readonly modelId: string;
  }): PartFields | 'too long' | undefined {
    const reasoning = this.#reasoning.filter(({ text, metadata }) => text !== '' || metadata !== undefined);
    if (
      reasoning.length === 0 &&
      this.#placed.every((part) => part.type === 'reasoning' || part.metadata === undefined)
    )
      return undefined;
    const known = new Set(reasoning.map(({ id }) => id));
    const parts = this.#placed.filter((part) => part.type !== 'reasoning' || known.has(part.id));
    const { provider, modelId: model } = source;
    const fields: PartFields = {
      ...(reasoning.length > 0 ? { reasoning } : {}),
      provider_metadata: { provider, model, parts },
    };
    return JSON.stringify(fields).length > MAX_PARTS ? 'too long' : fields;
  }

  #startReasoning(streamId: string): ReasoningDraft {
    const part: ReasoningDraft = { id: `reasoning_${this.#reasoning.length + 1}`, text: '' };
    this.#reasoning.push(part);
    this.#placed.push({ type: 'reasoning', id: part.id });
    this.#openReasoning ??= new Map();
    this.#openReasoning.set(streamId, part);
    return part;
  }

  #takeReasoning(piece: ReasoningStreamPart): void {
    const part = this.#openReasoning?.get(piece.id) ?? this.#startReasoning(piece.id);
    if (piece.type === 'reasoning-delta' && typeof piece.delta === 'string') {
      part.text += piece.delta;
      this.#onReasoning({ partId: part.id, text: piece.delta });
    }
    withMetadata(part, piece.providerMetadata);
  }

  #takeText(piece: TextPiece): void {
    if (this.#openText?.id !== piece.id || piece.type === 'text-start') {
      if (piece.type === 'text-end') return;
      const part: TextDraft = { type: 'text', length: 0 };
      this.#placed.push(part);
      this.#openText = { id: piece.id, part };
    }
    const { part } = this.#openText;
    if (piece.type === 'text-delta') part.length += piece.delta.length;
    withMetadata(part, piece.providerMetadata);
  }
}

type ReasoningStreamPart = Extract<
  LanguageModelV3StreamPart,
  { type: 'reasoning-start' | 'reasoning-delta' | 'reasoning-end' }
>;
type TextPiece = Extract<LanguageModelV3StreamPart, { type: 'text-start' | 'text-delta' | 'text-end' }>;

/** What a provider says last of a part counts. What is no JSON cannot be sent back. */
function withMetadata<P extends { metadata?: PartMetadata }>(part: P, given: unknown): P {
  const metadata = isRecord(given) ? toJson(given) : undefined;
  if (metadata !== undefined && Object.keys(metadata).length > 0) part.metadata = metadata;
  return part;
}

/** Without fields called `__proto__`: a provider's answer may hold one, and no store takes it. */
function toJson(value: object): PartMetadata | undefined {
  try {
    return JSON.parse(JSON.stringify(value), (key, field) => (key === '__proto__' ? undefined : field));
  } catch {
    return undefined;
  }
}
