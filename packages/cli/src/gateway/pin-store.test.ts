import { mkdirSync, mkdtempSync, readdirSync, rmSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFingerprint } from '@spec/gateway';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { findPinFolder } from '../agent-state/tool-pins.ts';
import { openPinStore, watchPins } from './pin-store.ts';

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'pins-test-'));
  vi.stubEnv('XDG_STATE_HOME', folder);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });
});

const tool = (description: string) => ({ key: 'tool pay', definition: { name: 'pay', description } });

/** Settles when the folder of pins has changed, as every watcher hears it. */
function untilWritten(): Promise<void> {
  return new Promise((resolve) => {
    const watcher = watch(findPinFolder(), () => {
      watcher.close();
      resolve();
    });
  });
}

test('clients are told of what is trusted, and not of what is held back: each listing may write that', async () => {
  const pins = openPinStore();
  pins.trust('shop', [tool('Pays.')]);
  let changes = 0;
  let tell = (): void => {};
  const told = new Promise<void>((resolve) => {
    tell = resolve;
  });
  onTestFinished(
    watchPins(() => {
      changes++;
      tell();
    }),
  );
  for (const time of ['12:00', '12:01', '12:02']) {
    const written = untilWritten();
    pins.hold('shop', [{ ...tool(`Pays, at ${time}.`), why: 'changed', hidden: [] }]);
    await written;
  }
  pins.trust('shop', [tool('Pays, at 12:02.')]);
  await told;
  expect(changes).toBe(1);
});

test('a file of pins that cannot be read is no reason to trust a server anew', () => {
  const pins = openPinStore();
  pins.trust('shop', [tool('Pays.')]);
  expect(pins.read('shop')).toEqual(new Map([['tool pay', makeFingerprint(tool('Pays.').definition)]]));
  const [file = ''] = readdirSync(findPinFolder());
  rmSync(join(findPinFolder(), file));
  expect(pins.read('shop')).toBeUndefined();
  mkdirSync(join(findPinFolder(), file));
  expect(pins.read('shop')).toEqual(new Map());
});
