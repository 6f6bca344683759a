// Imports run downwards only, so that who opens a file is never led back to where they came from.
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { globSync } from 'tinyglobby';
import { describe, expect, test } from 'vitest';
import { importedFiles } from './reachable-imports.ts';
import { rooms } from './rooms.ts';

const packages = join(import.meta.dirname, '../packages');

describe.each(Object.entries(rooms))('packages/%s', (name, floors) => {
  const source = join(packages, name, 'src');
  const files = globSync(['**/*.{ts,tsx,mjs}'], { cwd: source }).filter(
    (file) => !/\.test(-d)?\.ts$/.test(file),
  );
  const roomOf = (file: string): string => {
    const folder = dirname(file);
    return folder === '.' ? file.replace(/\.\w+$/, '') : folder;
  };
  const floorOf = new Map(floors.flatMap((floor, height) => floor.map((room) => [room, height] as const)));

  test('has every room on a floor, and no floor without its rooms', () => {
    expect([...floorOf.keys()].sort()).toEqual([...new Set(files.map(roomOf))].sort());
  });

  test('imports downwards only, types too, and nothing of its tests', () => {
    const upwards = files.flatMap((file) => {
      const room = roomOf(file);
      const imported = importedFiles(join(source, file)).map((path) => relative(source, path));
      return imported
        .filter((path) => roomOf(path) !== room && !(height(path) < height(file)))
        .map((path) =>
          [path, file].some((one) => Number.isNaN(height(one)))
            ? `${file} imports ${path}: give both rooms a floor in scripts/rooms.ts`
            : `${file} imports ${path}: move what both need to a room below ${room}`,
        );
    });
    expect(upwards).toEqual([]);
  });

  function height(file: string): number {
    return floorOf.get(roomOf(file)) ?? Number.NaN;
  }

  test('begins the main file of every room with a sentence that says what the room is for', () => {
    const folders = [...floorOf.keys()].filter((room) => files.some((file) => dirname(file) === room));
    const silent = folders.filter((folder) => {
      const mine = files.filter((file) => dirname(file) === folder);
      return !mine.some((file) => /^\/\/ [A-Z][^\n]+\.\n\n/.test(readFileSync(join(source, file), 'utf8')));
    });
    expect(silent).toEqual([]);
  });
});

test('no two files import one another, on whatever way, types too', () => {
  const files = globSync(['*/src/**/*.{ts,tsx}'], { cwd: packages, absolute: true }).filter(
    (file) => !/\.test(-d)?\.ts$/.test(file),
  );
  const imports = new Map(files.map((file) => [file, importedFiles(file)]));
  const done = new Set<string>();
  const circles: string[] = [];
  function walk(file: string, above: readonly string[]): void {
    if (above.includes(file))
      circles.push(
        [...above.slice(above.indexOf(file)), file].map((one) => relative(packages, one)).join(' > '),
      );
    if (above.includes(file) || done.has(file)) return;
    for (const imported of imports.get(file) ?? []) walk(imported, [...above, file]);
    done.add(file);
  }
  for (const file of files) walk(file, []);
  expect(files.length).toBeGreaterThan(900);
  expect(circles).toEqual([]);
});
