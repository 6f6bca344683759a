import { digestText } from '@spec/hooks';

/** The longest name of a tool that models and the runtime take. */
const MAX_LENGTH = 64;

/**
 * Names for a server's tools, in their order: the prefix and the tool's own name, where what a tool's name may not hold
 * becomes `_`. A name that is too long, or that another tool has without any change, ends in a hash of the tool's own name, so
 * that it stays the same whatever else the server offers.
 */
export async function toolNames(prefix: string, names: readonly string[]): Promise<string[]> {
  const plain = names.map((name) => prefix + name.replaceAll(/[^a-zA-Z0-9_-]/g, '_'));
  const counts = new Map<string, number>();
  for (const name of plain) counts.set(name, (counts.get(name) ?? 0) + 1);
  const taken = new Set(names.map((name) => prefix + name));
  const given: string[] = [];
  for (const [at, name] of names.entries()) {
    const candidate = plain[at] as string;
    const isTaken = candidate !== prefix + name && (counts.get(candidate) ?? 0) > 1;
    const isKept = !isTaken && candidate.length <= MAX_LENGTH;
    given.push(isKept ? candidate : await hashedName(candidate, name, taken));
  }
  return given;
}

/** A name that no other tool has: a server may name a tool as another one's hash is. */
async function hashedName(candidate: string, name: string, taken: Set<string>): Promise<string> {
  for (let hashed = name; ; hashed += '\0') {
    const hash = await hashText(hashed);
    const unique = `${candidate.slice(0, MAX_LENGTH - hash.length - 1)}_${hash}`;
    if (taken.has(unique)) continue;
    taken.add(unique);
    return unique;
  }
}

/** 8 hexadecimal digits. */
async function hashText(text: string): Promise<string> {
  return (await digestText(text)).slice(0, 8);
}
