import { fakeState } from '@spec/hooks/testing';
import { describe, expect, test } from 'vitest';
import { hooksSaid, type Used } from '../../test/said.ts';
import { contextUtilisation } from './context-utilisation.ts';
import { codeChangedWithoutTests, manyFilesChanged, sensitiveFileChanged } from './file-reminders.ts';
import { longOutputCut } from './long-output.ts';

const write = (path: string, tool = 'write_file'): Used => ({ tool, value: 'ok', input: { path } });

describe('a sensitive file was changed', () => {
  test.each([
    '.env',
    'app/.env.local',
    'certs/server.pem',
    'src/auth/login.ts',
    'config/secrets.yaml',
    '.github/workflows/ci.yml',
  ])('%s', async (path) =>
    expect(await hooksSaid([sensitiveFileChanged()], [write(path)])).toEqual([expect.stringContaining(path)]),
  );
  test.each(['src/main.ts', 'README.md', 'environment.ts'])('not %s', async (path) =>
    expect(await hooksSaid([sensitiveFileChanged()], [write(path)])).toEqual([]),
  );
  test('once for each file, not where it failed or was read, with globs of one’s own', async () => {
    expect(
      await hooksSaid([sensitiveFileChanged()], [write('.env'), write('.env'), write('a.pem')]),
    ).toHaveLength(2);
    expect(
      await hooksSaid(
        [sensitiveFileChanged()],
        [{ ...write('.env'), fails: true }, write('.env', 'read_file')],
      ),
    ).toEqual([]);
    expect(
      await hooksSaid(
        [sensitiveFileChanged({ paths: ['db/**'], tools: ['put'] })],
        [write('db/x.sql', 'put')],
      ),
    ).toHaveLength(1);
  });
});

describe('code was changed, and no test', () => {
  test.each<[string[], number]>([
    [['src/a.ts'], 1],
    [['src/a.ts', 'src/b.py'], 1],
    [['src/a.ts', 'src/a.test.ts'], 0],
    [['src/a.ts', 'tests/test_a.py'], 0],
    [['src/a.test.ts'], 0],
    [['README.md'], 0],
  ])('%j: %d', async (paths, count) =>
    expect(
      await hooksSaid(
        [codeChangedWithoutTests()],
        paths.map((path) => write(path)),
      ),
    ).toHaveLength(count),
  );
});

test('many files were changed', async () => {
  const paths = ['a', 'b', 'c', 'a'].map((path) => write(path));
  expect(await hooksSaid([manyFilesChanged({ count: 3 })], paths)).toEqual([
    expect.stringContaining('3 files'),
  ]);
  expect(await hooksSaid([manyFilesChanged({ count: 4 })], paths)).toEqual([]);
});

describe('a long output was cut', () => {
  test.each([
    'a\n[truncated]',
    'Output was truncated',
    '… <truncated>',
    'x'.repeat(50_000).concat('\n[... truncated]'),
    '... [120 more lines]',
  ])('%#', async (value) =>
    expect(await hooksSaid([longOutputCut()], [{ tool: 'bash', value }])).toHaveLength(1),
  );
  test('not any other; a function of one’s own tells it too', async () => {
    expect(await hooksSaid([longOutputCut()], [{ tool: 'bash', value: 'The tree was cut down.' }])).toEqual(
      [],
    );
    expect(
      await hooksSaid(
        [longOutputCut({ isCut: (text) => text.length > 3 })],
        [{ tool: 'bash', value: 'long' }],
      ),
    ).toHaveLength(1);
  });
});

describe('the conversation uses most of the context', () => {
  test('once for each tenth', async () => {
    let tokens = 700;
    const trigger = contextUtilisation({ window: 1_000, tokens: () => tokens });
    const state = fakeState();
    const said = async (now: number): Promise<number> => {
      tokens = now;
      return (await hooksSaid([trigger], [write('a')], state)).length;
    };
    expect([await said(799), await said(800), await said(850), await said(900), await said(990)]).toEqual([
      0, 1, 0, 1, 0,
    ]);
  });

  test('estimates from the stored messages, each counted once', async () => {
    const state = fakeState({ messages: [{ role: 'user', content: 'word '.repeat(90) }] });
    let read = 0;
    const getMessages = state.getMessages.bind(state);
    state.getMessages = async (range) => {
      const messages = await getMessages(range);
      read += range === undefined ? messages.length : 0;
      return messages;
    };
    const trigger = contextUtilisation({ window: 100 });
    expect(await hooksSaid([trigger], [write('a')], state)).toEqual([
      expect.stringContaining('% of the 100 tokens'),
    ]);
    await state.injectMessage({ role: 'user', content: 'word '.repeat(30) });
    expect(await hooksSaid([trigger], [write('a')], state)).toHaveLength(1);
    expect(read).toBe(1);
  });

  test.each([{ window: 0 }, { window: 10, at: 0 }, { window: 10, at: 2 }, { window: Number.NaN }])(
    'refused: %j',
    (options) => expect(() => contextUtilisation(options)).toThrow('window must be above 0'),
  );
});
