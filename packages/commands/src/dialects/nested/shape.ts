import type { JsonObject, JsonValue } from 'type-fest';
import { isObject } from '../../json-object.ts';

/** All `{ matcher, hooks: [] }` of a file, whatever their event. */
export function groupsIn({ hooks }: JsonObject): JsonObject[] {
  if (!isObject(hooks)) return [];
  const lists: JsonValue[] = Object.values(hooks).filter((groups) => Array.isArray(groups)) as JsonValue[];
  return lists.flat().filter(isObject);
}

/** Whether a file has entries with a list `hooks` inside. */
export function isNested(content: JsonObject): boolean {
  return groupsIn(content).some(({ hooks }) => Array.isArray(hooks));
}
