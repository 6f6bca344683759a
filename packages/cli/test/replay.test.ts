import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { DemoResult } from '../src/demo/run-demo.ts';
import { folder, lines, replaySummary, storedContents, talk, writeInput } from './recorded-talks.ts';
import { runCli, runCliApart } from './run-cli.ts';

describe.concurrent('spec-hooks replay FILE', { timeout: 60_000 }, () => {
  test('replays one conversation a line, redacted, and says what each hook did', async () => {
    const db = join(folder(), 'out.db');
    const { code, stdout } = await runCli([
      'replay',
      writeInput(lines(talk('a', 'bob@example.com'), talk('b'))),
      '--db',
      db,
    ]);
    expect(code).toBe(0);
    expect(stdout).toContain('2 conversations replayed');
    expect(stdout).toMatch(/before_create_message\s+redact_message\s+10\s+\d/);
    expect(readFileSync(db, 'latin1')).not.toContain('bob@example.com');
    expect(await storedContents(db, 'a')).toEqual([
      'Be kind.',
      'Hello, I am [EMAIL_1].',
      null,
      'Found [EMAIL_1].',
      'Welcome back!',
    ]);
  });

  test('refuses an input without conversations, and takes answers without a content', async () => {
    const empty = await runCli(['replay', writeInput('\n\n')]);
    expect(empty.code).toBe(1);
    expect(empty.stderr).toContain('has no conversation');
    const call = { id: 'c1', type: 'function', function: { name: 'my tool.x', arguments: '{}' } };
    const messages = [
      { role: 'user', content: 'Go.' },
      { role: 'assistant', tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c1', content: 'Done.' },
    ];
    expect(await replaySummary([writeInput(lines({ id: 'x', messages }))])).toMatchObject({
      code: 0,
      messages: { stored: 3 },
    });
  });

  test('takes a JSON array over many lines, a single object, and standard input', async () => {
    const array = await replaySummary([writeInput(JSON.stringify([talk('a'), talk('b')], undefined, 2))]);
    expect(array).toMatchObject({
      code: 0,
      conversations: { replayed: 2, failed: 0 },
      messages: { stored: 10 },
    });
    const single = await replaySummary([writeInput(JSON.stringify(talk('a'), undefined, 2))]);
    expect(single).toMatchObject({ code: 0, conversations: { replayed: 1 } });
    const piped = await replaySummary(['-'], lines(talk('a')));
    expect(piped).toMatchObject({ code: 0, input: 'standard input', conversations: { replayed: 1 } });
  });

  test('reports malformed lines with number and reason, goes on with the others, and exits with 1', async () => {
    const secret = 'sk_live_do_not_quote';
    const input = lines(
      talk('a'),
      `{"id":"b","messages":[${secret}`,
      '',
      { id: 'c' },
      { id: 'd', messages: [{ role: 'bot', content: secret }] },
      talk('e'),
    );
    const { code, stdout } = await runCli(['replay', writeInput(input)]);
    expect(code).toBe(1);
    expect(stdout).toContain('line 2: not valid JSON');
    expect(stdout).toMatch(/line 4: messages: .+/);
    expect(stdout).toMatch(/line 5: messages\[0\]\.role: .+/);
    expect(stdout).toContain('2 conversations replayed');
    expect(stdout).not.toContain(secret);
  });

  test('keeps what is no turn: two user messages in a row, an answer first, a call without its result', async () => {
    const call = { id: 'call_9', type: 'function', function: { name: 'look_up', arguments: '{}' } };
    const messages = [
      { role: 'assistant', content: 'Hi, how can I help?' },
      { role: 'user', content: 'One.' },
      { role: 'user', content: 'Two.' },
      { role: 'assistant', content: 'Both.' },
      { role: 'assistant', content: 'And more.' },
      { role: 'user', content: 'Three.' },
      { role: 'assistant', content: '', tool_calls: [call] },
    ];
    const db = join(folder(), 'out.db');
    const summary = await replaySummary([
      writeInput(lines({ id: 'odd', messages })),
      '--db',
      db,
      '--no-hooks',
    ]);
    expect(summary).toMatchObject({ code: 0, messages: { recorded: 7, stored: 7 } });
    expect(await storedContents(db, 'odd')).toEqual(messages.map(({ content }) => content));
  });

  test('runs the hooks of a folder instead, and reports one that fails', async () => {
    const hooks = join(folder(), 'hooks');
    mkdirSync(hooks);
    writeFileSync(
      join(hooks, 'shout.ts'),
      `import { defineHook } from '@spec/hooks';
       export default defineHook({ hook: 'before_create_message', id: 'shout', execute: async (_state, message) => ({ ...message, content: String(message.content).toUpperCase() }) });`,
    );
    const db = join(folder(), 'out.db');
    const input = writeInput(lines(talk('a')));
    const summary = await replaySummary([input, '--db', db, '--hooks', hooks]);
    expect(summary).toMatchObject({
      code: 0,
      hooks: [
        {
          id: 'shout',
          runs: 5,
          changed: 5,
          source: expect.stringMatching(/^policy \(.*hooks\/shout\.ts:2\)$/),
        },
      ],
    });
    expect(await storedContents(db, 'a')).toContain('WELCOME BACK!');
    writeFileSync(
      join(hooks, 'fails.ts'),
      `import { defineHook } from '@spec/hooks';
       export default defineHook({ hook: 'before_create_message', id: 'fails', priority: 1, execute: async (_state, message) => { throw new Error(String(message.content)); } });`,
    );
    const { code, stdout } = await runCli(['replay', input, '--hooks', hooks]);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /line 1 \(a\): Hook "fails" \(before_create_message\) failed: Error at hooks.fails\.ts:\d+:\d+/,
    );
    expect(stdout).not.toContain('Be kind.');
    expect(stdout).toMatch(/fails\s+1\s+0\s+1 failed/);
  });

  test('leaves alone what the database has, and refuses another conversation under the same id', async () => {
    const db = join(folder(), 'out.db');
    const input = writeInput(lines(talk('a'), talk('b')));
    await replaySummary([input, '--db', db]);
    expect(await replaySummary([input, '--db', db])).toMatchObject({
      code: 0,
      conversations: { replayed: 0, there: 2 },
      messages: { stored: 10 },
    });
    const unredacted = await replaySummary([input, '--db', db, '--no-hooks']);
    expect(unredacted.code).toBe(1);
    expect(unredacted.problems[0]?.reason).toContain('replayed with other hooks');
    const other = await replaySummary([writeInput(lines(talk('a', 'somebody else'))), '--db', db]);
    expect(other.code).toBe(1);
    expect(other.problems[0]).toMatchObject({
      place: 'line 1',
      id: 'a',
      reason: expect.stringContaining('another conversation with the id a'),
    });
  });

  test('tells wrong usage with 2 and what is not there with 1, in one sentence', async () => {
    const unknown = await runCli(['replay', '--hoks', 'x']);
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain("unknown option '--hoks'");
    const missing = await runCli(['replay', 'nowhere.jsonl']);
    expect(missing).toMatchObject({ code: 1, stdout: '' });
    expect(missing.stderr.trim().split('\n')).toHaveLength(1);
    expect(missing.stderr).toContain('There is no file nowhere.jsonl');
    const noFolder = await runCli(['replay', writeInput(lines(talk('a'))), '--hooks', 'no-such-folder']);
    expect(noFolder.code).toBe(1);
    expect(noFolder.stderr).toContain('no-such-folder');
    expect(noFolder.stderr).not.toContain('    at ');
  });
});

describe.concurrent('a hook that misbehaves outside of its runs', { timeout: 60_000 }, () => {
  const hooksWith = (execute: string): string => {
    const hooks = join(folder(), 'hooks');
    mkdirSync(hooks);
    writeFileSync(
      join(hooks, 'stray.ts'),
      `import { defineHook } from '@spec/hooks';
       export default defineHook({ hook: 'after_create_message', id: 'stray', execute: async (_state, message) => { ${execute} } });`,
    );
    return hooks;
  };

  test('by throwing in a timer is told, without its text, and ends nothing', async () => {
    const hooks = hooksWith(`setTimeout(() => { throw new Error('late ' + message.content); })`);
    const { code, stdout, stderr } = await runCli([
      'replay',
      writeInput(lines(talk('a'), talk('b'))),
      '--hooks',
      hooks,
    ]);
    expect(code).toBe(1);
    expect(stdout).toContain('2 conversations replayed');
    expect(stdout).toMatch(/outside of all runs: Error at .*stray\.ts:\d+:\d+ was thrown by a timer/);
    expect(stdout + stderr).not.toContain('Be kind.');
  });

  test('by logging does not break --json', async () => {
    const hooks = hooksWith(`console.log('seen')`);
    const { code, stdout, stderr } = await runCli([
      'replay',
      writeInput(lines(talk('a'))),
      '--hooks',
      hooks,
      '--json',
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).conversations.replayed).toBe(1);
    expect(stderr).toContain('seen');
  });
});

describe('the demonstration', { timeout: 60_000 }, () => {
  test('keeps its tables whole in colour', async () => {
    const { stdout } = await runCliApart(['replay'], { env: { NO_COLOR: undefined, FORCE_COLOR: '1' } });
    expect(stdout).toContain('\u001b[');
    expect(stripVTControlCharacters(stdout)).toMatch(
      /^ assistant {4}\S.*ada|^ assistant {4}find_customer\(/m,
    );
  });

  test('shows what was said, what each hook did, what the model saw and what was stored', async () => {
    const { code, stdout, stderr } = await runCli(['replay']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const title of [
      'What the customer said',
      'What each hook did',
      'What the model saw',
      'What was stored',
    ])
      expect(stdout).toContain(title);
    const afterwards = stdout.slice(stdout.indexOf('What each hook did'));
    for (const secret of [
      'ada.moreno@example.com',
      '4111 1111 1111 1111',
      '555 2671',
      'March 14, 1986',
      '1986-03-14',
    ]) {
      expect(afterwards).not.toContain(secret);
    }
    expect(afterwards).toMatch(/\[CARD_1\]/);
  });

  test('says nothing of the model that it was not sent, and shows a hook that hangs and what it held back', async () => {
    const { stdout } = await runCli(['replay', '--json']);
    const { runs, stored, prompts } = JSON.parse(stdout) as DemoResult;
    const afterwards = JSON.stringify([stored, prompts]);
    for (const secret of ['1111 1111', 'Ada', 'Moreno', 'R-20931']) expect(afterwards).not.toContain(secret);
    // The tool got the address: the customer was found.
    expect(stored.find(({ role }) => role === 'tool')?.content).toContain('A-1077');
    expect(runs.filter(({ outcome }) => outcome === 'timed_out')).toMatchObject([{ id: 'mask_receipt' }]);
    const text = (await runCli(['replay'])).stdout;
    expect(text).toMatch(/What did not get through\n.*mask_receipt.*timed out/);
    expect(text.replace(/\s+/g, ' ')).toMatch(/withheld, because the hook "mask_receipt"/);
  });

  test('tells a tool nothing of a customer that it was not given', async () => {
    const { stdout } = await runCli(['replay', '--json', '--no-hooks']);
    const { stored } = JSON.parse(stdout) as DemoResult;
    expect(stored.find(({ role }) => role === 'tool')?.content).toContain('A-1077');
    expect(JSON.stringify(stored)).toContain('ada.moreno@example.com');
  });
});
