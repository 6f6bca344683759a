import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dialectsWith } from '../load/dialects.ts';
import { parseSettings } from '../settings-file.ts';
import { convert } from './convert.ts';

const folder = join(import.meta.dirname, '../../../../../shared/data/hook-configs');
const isThere = existsSync(folder);
if (!isThere) console.log(`skipped: there are no published configurations in ${folder}`);
const files = isThere ? readdirSync(folder).filter((name) => name.endsWith('.json')) : ['none'];
const dialects = dialectsWith();

test.skipIf(!isThere).for(files)('%s: every entry is there in each format, or in the report', (name) => {
  const text = readFileSync(join(folder, name), 'utf8');
  const { settings } = parseSettings(text, { file: name, layer: 'project' });
  const source = settings && dialects.find(({ recognises }) => recognises(settings.content));
  const entries = (settings && source?.read(settings).entries) ?? [];
  for (const { name: to, read } of dialects) {
    const { content, losses } = convert(text, { to });
    const written = parseSettings(JSON.stringify(content), { file: 'written', layer: 'project' }).settings;
    const dropped = losses.filter(
      ({ field, position }) =>
        field === 'entry' && entries.some((entry) => entry.position.path === position.path),
    );
    // Where calls that fail have an event of their own, one entry for both is two.
    const split = losses.filter(({ field, level }) => field === 'event' && level === 'converted');
    const count = (written === undefined ? [] : read(written).entries).length;
    expect(count - split.length + dropped.length).toBe(entries.length);
  }
  const most = entries.flatMap(({ event, alsoAt }) => [event, ...(alsoAt === undefined ? [] : [alsoAt])]);
  expect(convert(text, { to: 'typescript' }).modules.length).toBeLessThanOrEqual(most.length);
});
