import { isInclude, type PromptDefinition, partsOf } from './prompt.ts';

/** The names of the prompts that a prompt includes. */
export function includesOf(prompt: PromptDefinition): readonly string[] {
  return partsOf(prompt)
    .filter(isInclude)
    .map(({ include }) => include);
}

/**
 * The first way in which a prompt includes itself, as the names from it back to it; nothing where none does.
 * Every name that is included must be a name of a prompt.
 */
export function includeCycle(prompts: ReadonlyMap<string, PromptDefinition>): readonly string[] | undefined {
  const endsWell = new Set<string>();
  function follow(name: string, path: readonly string[]): readonly string[] | undefined {
    if (endsWell.has(name)) return undefined;
    const start = path.indexOf(name);
    if (start >= 0) return [...path.slice(start), name];
    for (const next of includesOf(prompts.get(name) as PromptDefinition)) {
      const cycle = follow(next, [...path, name]);
      if (cycle !== undefined) return cycle;
    }
    endsWell.add(name);
    return undefined;
  }
  for (const name of prompts.keys()) {
    const cycle = follow(name, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}
