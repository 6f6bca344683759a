import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type LifecycleName, lifecycleTable, specificationTable } from '@spec/hooks';
import { describe, expect, test } from 'vitest';
import { cases } from './cases/index.ts';
import { observePlaces, places, valuePlaces } from './cases/kit/places.ts';
import { findGaps } from './coverage.ts';
import { aboutHooks, specificationSentences } from './specification.ts';

const source = fileURLToPath(new URL('../../../../shared/specs/hooks-specification.md', import.meta.url));

const hookNames = Object.keys(lifecycleTable) as LifecycleName[];

/** A text without its marks, in one line. */
const plain = (text: string): string => text.replaceAll(/\*\*|`/g, '').replaceAll(/\s+/g, ' ');

describe('the cases', () => {
  test('are about every sentence, every row and every invariant', () => {
    expect(findGaps(cases)).toEqual({
      sentences: [],
      hooks: [],
      failures: [],
      invariants: [],
      unknown: [],
      twice: [],
    });
  });

  test('have ids of the same form, and say what they ask in a sentence', () => {
    for (const { id, says, section } of cases) {
      expect(id).toMatch(/^[a-z][a-z0-9_]*\.[a-z0-9_]+$/);
      expect(says, id).toMatch(/^\S.{10,250}\.$/);
      expect(section, id).toMatch(/^(?:spec \d(?:\.\d)?|design \d+(?:\.\d)?|control [a-z_]+|C\d+)$/);
    }
  });

  test('of a level of the specification are in a section of it', () => {
    const misplaced = cases.filter(({ level, section }) => level !== 'ours' && !section.startsWith('spec '));
    expect(misplaced.map(({ id }) => id)).toEqual([]);
  });

  test('that are gone are missed', () => {
    const without = (gone: (id: string) => boolean) => findGaps(cases.filter(({ id }) => !gone(id)));
    expect(without((id) => id.startsWith('after_system_message.')).failures).toEqual([
      'after_system_message',
    ]);
    expect(without((id) => id.startsWith('scope.without_any_list')).sentences).toEqual([]);
    expect(without((id) => id.startsWith('scope.')).sentences).toEqual(['1.3.scoped', '1.3.none']);
    for (const hook of hookNames)
      expect(findGaps(cases.filter(({ failing = [] }) => !failing.includes(hook))).failures).toEqual([hook]);
    expect(findGaps([...cases.slice(0, 1), ...cases.slice(0, 1)]).twice).toEqual([cases[0]?.id]);
  });
});

test('what the cases expect of the specification’s hooks is what the tables say', () => {
  expect(places.map(({ hook }) => hook).sort()).toEqual(Object.keys(specificationTable).sort());
  for (const { hook, byDefault, blocked, nullKeeps } of valuePlaces) {
    const { kind, onFailure, withhold } = lifecycleTable[hook];
    expect([hook, nullKeeps, byDefault, blocked === 'withheld']).toEqual([
      hook,
      kind === 'replace',
      onFailure,
      withhold !== undefined,
    ]);
  }
  for (const { hook } of observePlaces) expect(lifecycleTable[hook].kind).toBe('observe');
});

describe('the sentences', () => {
  test('about hooks are in the list', () => {
    const ids = specificationSentences.map(({ id }) => id);
    for (const id of Object.keys(aboutHooks)) expect(ids).toContain(id);
  });

  test.skipIf(!existsSync(source))(
    'stand in the specification, and none with MUST, SHOULD or MAY is missing',
    () => {
      const text = readFileSync(source, 'utf8');
      for (const { says } of specificationSentences) expect(plain(text)).toContain(says);
      const asking = text
        .split('\n')
        .filter((line) => /\*\*(?:MUST|SHOULD|MAY)/.test(line))
        .map(plain);
      expect(asking.length).toBeGreaterThan(15);
      const missing = asking.filter(
        (line) => !specificationSentences.some(({ says }) => line.includes(says)),
      );
      expect(missing).toEqual([]);
    },
  );

  test.skipIf(!existsSync(source))('have every line of every "Behavior:"', () => {
    const lines = readFileSync(source, 'utf8').split('\n').map(plain);
    const bullets = lines.flatMap((line, i) => {
      if (line !== 'Behavior:') return [];
      const rest = lines.slice(i + 1);
      return rest.slice(
        0,
        rest.findIndex((next) => !next.startsWith('- ')),
      );
    });
    expect(bullets.length).toBeGreaterThan(10);
    const missing = bullets.filter((line) => !specificationSentences.some(({ says }) => line.includes(says)));
    expect(missing).toEqual([]);
  });
});
