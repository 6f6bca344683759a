// Answer parts: what a model's answer holds besides its text and its calls, and which of it is still as its provider signed it. The rooms above read and send it; it never changes a part.

import { type HookToolCall, isRecord } from '@spec/hooks';

/** What a provider wants back with a part, by the provider's name: JSON that means something to it alone. */
export type PartMetadata = Readonly<Record<string, unknown>>;

/** A piece of a model's reasoning, as it stands in the field `reasoning` of a stored answer. */
export interface ReasoningPart {
  /** By which `provider_metadata` tells where in the answer it stood. */
  readonly id: string;
  readonly text: string;
  /** What the provider wants back with it, such as a signature: with it, the part is signed. */
  readonly metadata?: PartMetadata;
}

/** Where an answer comes from, and how it was made up: the field `provider_metadata` of a stored answer. */
export interface ProviderMetadata {
  readonly provider: string;
  readonly model: string;
  /** In the order in which the model wrote them. */
  readonly parts: readonly PlacedPart[];
}

/** A part of an answer, with what its provider wants back with it. */
export type PlacedPart =
  | { readonly type: 'reasoning'; readonly id: string }
  /** `length` characters of the text; without it, all of the text. */
  | { readonly type: 'text'; readonly length?: number; readonly metadata?: PartMetadata }
  | { readonly type: 'tool_call'; readonly id: string; readonly metadata?: PartMetadata };

/** The fields of a stored answer that hold what is no text and no call. */
export interface PartFields {
  readonly reasoning?: readonly ReasoningPart[];
  readonly provider_metadata?: ProviderMetadata;
}

/** An answer with its calls read. */
export interface WholeAnswer {
  readonly content: string | null;
  readonly calls: readonly HookToolCall[];
  readonly reasoning?: unknown;
  readonly provider_metadata?: unknown;
}

/** Reads the fields of a message, which hooks and applications may have written: what is of another shape counts as absent. */
export function readPartFields({ reasoning, provider_metadata: placed }: Partial<WholeAnswer>): PartFields {
  const parts = Array.isArray(reasoning) ? reasoning.filter(isReasoning) : [];
  return {
    ...(parts.length > 0 ? { reasoning: parts } : {}),
    ...(isProviderMetadata(placed) ? { provider_metadata: placed } : {}),
  };
}

/** Whether a message has any of them. */
export function hasPartFields(message: object): boolean {
  const { reasoning, provider_metadata: placed } = message as Partial<WholeAnswer>;
  return reasoning !== undefined || placed !== undefined;
}

function isReasoning(value: unknown): value is ReasoningPart {
  return (
    isRecord(value) &&
    typeof value.id === 'string' &&
    typeof value.text === 'string' &&
    isOptionalRecord(value.metadata)
  );
}

function isProviderMetadata(value: unknown): value is ProviderMetadata {
  return (
    isRecord(value) &&
    typeof value.provider === 'string' &&
    typeof value.model === 'string' &&
    Array.isArray(value.parts) &&
    value.parts.every(isPlacedPart)
  );
}

function isPlacedPart(value: unknown): value is PlacedPart {
  if (!isRecord(value) || !isOptionalRecord(value.metadata)) return false;
  if (value.type === 'text') return value.length === undefined || Number.isSafeInteger(value.length);
  return (value.type === 'reasoning' || value.type === 'tool_call') && typeof value.id === 'string';
}

function isOptionalRecord(value: unknown): boolean {
  return value === undefined || isRecord(value);
}
