import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkUnchanged, readConfiguration, replaceFile } from './change-file.ts';

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'change-file-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('a configuration that somebody changed since it was read is not replaced', () => {
  const path = join(makeFolder(), 'settings.json');
  const missing = readConfiguration(path, []);
  expect(() => checkUnchanged(missing)).not.toThrow();
  writeFileSync(path, '{}');
  expect(() => checkUnchanged(missing)).toThrow('it was changed meanwhile');
  const read = readConfiguration(path, []);
  expect(() => checkUnchanged(read)).not.toThrow();
  writeFileSync(path, '{ "permissions": {} }');
  expect(() => checkUnchanged(read)).toThrow('it was changed meanwhile');
  rmSync(path);
  expect(() => checkUnchanged(read)).toThrow('it was changed meanwhile');
});

test('a link in the place of the draft leads to no other file', () => {
  const folder = makeFolder();
  const [path, other] = [join(folder, 'settings.json'), join(folder, 'other')] as const;
  writeFileSync(other, 'mine');
  symlinkSync(other, join(folder, `.spec-hooks-${process.pid}.tmp`));
  replaceFile(path, '{}');
  expect([readFileSync(path, 'utf8'), readFileSync(other, 'utf8')]).toEqual(['{}', 'mine']);
});
