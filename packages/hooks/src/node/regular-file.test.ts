import { execFileSync } from 'node:child_process';
import { closeSync, ftruncateSync, openSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { readRegularFile } from './regular-file.ts';

const MAX = 1_048_576;

test('a file is read whole, through links too', () => {
  const folder = temporaryFolder({ 'a.txt': 'text', empty: '', full: 'x'.repeat(MAX) });
  folder.link('link', 'a.txt');
  expect(readRegularFile(join(folder.path, 'link'), MAX).toString()).toBe('text');
  expect(readRegularFile(join(folder.path, 'empty'), MAX)).toHaveLength(0);
  expect(readRegularFile(join(folder.path, 'full'), MAX)).toHaveLength(MAX);
});

test.skipIf(process.platform !== 'linux')('a file that does not tell its size is read to its end', () => {
  expect(readRegularFile('/proc/self/environ', MAX).length).toBeGreaterThan(0);
  expect(() => readRegularFile('/proc/self/environ', 3)).toThrow('it has more than 3 bytes');
});

test('what is not there, and a folder, are told by the word of the system', () => {
  const { path } = temporaryFolder();
  const missing = { code: 'ENOENT', message: 'it is not there' };
  expect(() => readRegularFile(join(path, 'none'), MAX)).toThrow(expect.objectContaining(missing));
  expect(() => readRegularFile(path, MAX)).toThrow(expect.objectContaining({ code: 'EISDIR' }));
});

test.skipIf(process.platform === 'win32')('pipes and devices are refused, and nobody waits for them', () => {
  const folder = temporaryFolder();
  execFileSync('mkfifo', [join(folder.path, 'pipe')]);
  folder.link('endless', '/dev/zero');
  for (const name of ['pipe', 'endless']) {
    const refusal = { code: 'not_regular', message: 'it is no regular file' };
    expect(() => readRegularFile(join(folder.path, name), MAX)).toThrow(expect.objectContaining(refusal));
  }
});

test.skipIf(process.platform === 'win32')('a socket is refused', async () => {
  const path = join(temporaryFolder().path, 'socket');
  const server = createServer().listen(path);
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  expect(() => readRegularFile(path, MAX)).toThrow('the system says ENXIO');
});

test('a file that is too large is refused without being read', () => {
  const path = join(temporaryFolder({ big: '' }).path, 'big');
  const file = openSync(path, 'r+');
  ftruncateSync(file, 2 ** 40);
  closeSync(file);
  const before = process.memoryUsage().rss;
  const refusal = { code: 'too_large', message: 'it has more than 1 MB' };
  expect(() => readRegularFile(path, MAX)).toThrow(expect.objectContaining(refusal));
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * MAX);
});
