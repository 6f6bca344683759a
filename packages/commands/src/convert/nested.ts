import type { JsonObject } from 'type-fest';
import type { WrittenFile } from './writer.ts';

/** One handler with the fields of its group. */
export interface NestedItem {
  readonly eventName: string;
  /** `name` and `matcher`. */
  readonly group: JsonObject;
  readonly handler: JsonObject;
}

/** Puts entries into groups `{ matcher, hooks: [] }`. Neighbours with the same matcher share a group. */
export function writeNested(items: readonly NestedItem[]): WrittenFile {
  const hooks: Record<string, (JsonObject & { hooks: JsonObject[] })[]> = {};
  const paths = items.map(({ eventName, group, handler }) => {
    const groups = hooks[eventName] ?? [];
    hooks[eventName] = groups;
    let last = groups.at(-1);
    if (last === undefined || !isSameGroup(last, group)) {
      last = { ...group, hooks: [] };
      groups.push(last);
    }
    return `hooks.${eventName}[${groups.length - 1}].hooks[${last.hooks.push(handler) - 1}]`;
  });
  return { content: { hooks: hooks as unknown as JsonObject }, paths };
}

function isSameGroup({ hooks: _, ...one }: JsonObject, other: JsonObject): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
