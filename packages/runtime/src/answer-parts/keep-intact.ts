import type { HookToolCall } from '@spec/hooks';
import {
  type PartFields,
  type PartMetadata,
  type PlacedPart,
  type ProviderMetadata,
  type ReasoningPart,
  readPartFields,
  type WholeAnswer,
} from './index.ts';

/** What is left of an answer's parts. */
export interface IntactParts {
  readonly fields: PartFields;
  /** Whether a part was dropped because it is not as its provider signed it. */
  readonly hasDropped: boolean;
}

/**
 * The parts of an answer that are still as they were. A provider refuses a signed part that was changed, and what it encrypted may hold what
 * a hook took out of the text.
 *
 * K1 A signed reasoning part stays if nothing in it was changed; one without metadata stays as hooks left it.
 * K2 Metadata of the text stays if the text was not changed, that of a call if the call was not.
 * K3 What followed a signed part that is gone, up to the next reasoning, loses its metadata: providers refuse one without the other.
 * K4 Where the metadata of the message itself was changed, nothing that is signed stays.
 */
export function keepIntact(now: WholeAnswer, was: WholeAnswer): IntactParts {
  const given = readPartFields(now);
  const before = readPartFields(was);
  const reasoning = keepReasoning(given, before);
  const placed = isSame(given.provider_metadata, before.provider_metadata)
    ? keepPlaced(given.provider_metadata, { now, was, before, reasoning })
    : undefined;
  const kept = placed === undefined ? reasoning.filter(({ metadata }) => metadata === undefined) : reasoning;
  const fields: PartFields = {
    ...(kept.length > 0 ? { reasoning: kept } : {}),
    ...(placed === undefined ? {} : { provider_metadata: placed }),
  };
  return { fields, hasDropped: countSigned(fields) < countSigned(given) };
}

function keepReasoning(given: PartFields, before: PartFields): ReasoningPart[] {
  const known = new Map(before.reasoning?.map((part) => [part.id, part]));
  return (given.reasoning ?? []).filter(({ id, text, metadata }) => {
    const original = known.get(id);
    return metadata === undefined || (original?.text === text && isSame(original.metadata, metadata));
  });
}

interface Comparison {
  readonly now: WholeAnswer;
  readonly was: WholeAnswer;
  readonly before: PartFields;
  /** What is left of the reasoning. */
  readonly reasoning: readonly ReasoningPart[];
}

function keepPlaced(
  placed: ProviderMetadata | undefined,
  { now, was, before, reasoning }: Comparison,
): ProviderMetadata | undefined {
  if (placed === undefined) return undefined;
  const kept = new Set(reasoning.map(({ id }) => id));
  const signed = new Set(before.reasoning?.filter(({ metadata }) => metadata).map(({ id }) => id));
  const isSameText = now.content === was.content;
  const isUnchanged = (id: string): boolean => isSame(findCall(now, id), findCall(was, id));
  let isTorn = false;
  const parts = placed.parts.map((part): PlacedPart => {
    if (part.type === 'reasoning') {
      isTorn = signed.has(part.id) && !kept.has(part.id);
      return part;
    }
    if (part.type === 'text') return isSameText ? (isTorn ? bare(part) : part) : { type: 'text' };
    return isTorn || !isUnchanged(part.id) ? bare(part) : part;
  });
  return { ...placed, parts: parts.filter((part) => part.type !== 'reasoning' || kept.has(part.id)) };
}

function findCall({ calls }: WholeAnswer, id: string): HookToolCall | undefined {
  return calls.find((call) => call.id === id);
}

function bare<P extends { readonly metadata?: PartMetadata }>({
  metadata: _,
  ...part
}: P): Omit<P, 'metadata'> {
  return part;
}

function countSigned({ reasoning = [], provider_metadata: placed }: PartFields): number {
  const parts: readonly { readonly metadata?: PartMetadata }[] = [...reasoning, ...withMetadata(placed)];
  return parts.filter(({ metadata }) => metadata !== undefined).length;
}

function withMetadata(placed: ProviderMetadata | undefined): { readonly metadata?: PartMetadata }[] {
  return (placed?.parts ?? []).filter((part) => part.type !== 'reasoning');
}

/** Values that are JSON; stores keep the order of fields. */
function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
