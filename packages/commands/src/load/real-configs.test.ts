import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject, JsonValue } from 'type-fest';
import { describe, expect, test } from 'vitest';
import { loadSettings } from '../load-settings.ts';

const folder = join(import.meta.dirname, '../../../../../shared/data/hook-configs');
const isThere = existsSync(folder);
if (!isThere) console.log(`skipped: there are no published configurations in ${folder}`);
const files = isThere ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];

/** The places of everything in a file that looks like an entry: an object with something to run. */
function listPlacesOfEntries(value: JsonValue | undefined, path: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item, i) => listPlacesOfEntries(item, `${path}[${i}]`));
  if (typeof value !== 'object' || value === null) return [];
  const object = value as JsonObject;
  const isEntry = ['command', 'url', 'prompt', 'tool'].some((key) => typeof object[key] === 'string');
  const inside = Object.entries(object).flatMap(([key, item]) => listPlacesOfEntries(item, `${path}.${key}`));
  return isEntry ? [path, ...inside] : inside;
}

/** Whether a finding at one place tells of an entry at another. */
const covers = (outer: string, entry: string): boolean =>
  entry === outer || entry.startsWith(`${outer}.`) || entry.startsWith(`${outer}[`);

describe.skipIf(!isThere)('published configurations', () => {
  test('there are all of them', () => expect(files).toHaveLength(43));

  test.for(files)('%s: every entry ends as a hook or as a finding', async (name) => {
    const file = join(folder, name);
    const loaded = await loadSettings([{ file, layer: 'user' }]);
    const { hooks } = JSON.parse(readFileSync(file, 'utf8')) as JsonObject;
    const entries = listPlacesOfEntries(hooks, 'hooks');
    expect(entries.length).toBeGreaterThan(0);
    const loadedAt = new Set(loaded.entries.map(({ position }) => position.path));
    const errors = loaded.findings
      .filter(({ level }) => level === 'error')
      .map(({ position }) => position.path);
    const lost = entries.filter(
      (path) => !loadedAt.has(path) && !errors.some((outer) => covers(outer, path)),
    );
    expect(lost).toEqual([]);
    const ids = loaded.entries.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { message, position } of loaded.findings) {
      expect(message).toMatch(/[.?!]$/);
      expect(position.line).toBeGreaterThan(0);
    }
    if (process.env.SHOW) console.log(loaded.report);
    await loaded.close();
  });
});
