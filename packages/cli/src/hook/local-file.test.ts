import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readLocalFile, writeLocalFile } from './local-file.ts';

test('a link in the place of the draft leads to no other file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'local-file-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const other = join(folder, 'other');
  writeFileSync(other, 'mine');
  symlinkSync(other, join(folder, `local.${process.pid}.tmp`));
  const local = { node: '/n', cli: '/c', here: folder, socket: '', curl: '', guards: { codex: ['Stop'] } };
  writeLocalFile(folder, local);
  expect(readLocalFile(folder)).toEqual(local);
  expect(readFileSync(other, 'utf8')).toBe('mine');
});
