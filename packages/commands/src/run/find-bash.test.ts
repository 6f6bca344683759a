import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectFolder } from '../../test/project-folder.ts';
import { findBash } from './find-bash.ts';

function putBash(folder: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'bash'), '#!/bin/sh\n');
  chmodSync(join(folder, 'bash'), 0o755);
  return folder;
}

test('a shell of the project is never taken, and one elsewhere only where the system has none', () => {
  const { path: project } = projectFolder();
  const { path: other } = projectFolder();
  const own = [putBash(join(project, 'bin')), putBash(join(other, 'node_modules/.bin')), 'bin', ''];
  symlinkSync(join(project, 'bin'), join(other, 'link'));
  own.push(join(other, 'link'));
  const elsewhere = putBash(join(other, 'bin'));
  const search = [...own, elsewhere].join(':');
  expect(findBash(search, [project], [])).toBe(join(elsewhere, 'bash'));
  expect(findBash(search, [project], [join(project, 'bin/bash')])).toBe(join(project, 'bin/bash'));
  expect(findBash(own.join(':'), [project], [])).toBe('/bin/bash');
});
