import { describe, expect, test } from 'vitest';
import { hooksSaid } from '../../test/said.ts';
import { formatSystemHooks } from '../format.ts';
import { isPlanComplete, planCompletion } from './plan-completion.ts';

/** The document's eleven tests, by their names there. */

const plan = (summary: unknown, success: unknown = true) => ({ success, summary });
const done = plan({ total: 3, completed: 3 });
const said = (tool: string, value: unknown) => hooksSaid([planCompletion()], [{ tool, value }]);

const MESSAGE = [
  'All tasks have been completed. Consider updating the following files with any new or updated information from this session:',
  '- CLAUDE.md - Project conventions, commands, architecture changes',
  '- README.md - User-facing documentation, setup instructions, feature descriptions',
].join('\n');

describe('is_plan_complete', () => {
  test('all_done', () => expect(isPlanComplete(done)).toBe(true));
  test('some_pending', () => expect(isPlanComplete(plan({ total: 3, completed: 2 }))).toBe(false));
  test('in_progress', () =>
    expect(isPlanComplete(plan({ total: 3, completed: 2, in_progress: 1 }))).toBe(false));
  test('empty_plan', () => expect(isPlanComplete(plan({ total: 0, completed: 0 }))).toBe(false));
  test('failed_update', () => expect(isPlanComplete(plan({ total: 3, completed: 3 }, false))).toBe(false));
  test.each([null, 'text', 1, [], {}, { success: true }, plan('x'), plan({ total: '3', completed: '3' })])(
    'malformed_response %j',
    (value) => expect(isPlanComplete(value)).toBe(false),
  );
});

describe('format_system_hooks', () => {
  test('single', () =>
    expect(formatSystemHooks(['One.\nTwo.'])).toBe('<system-hook>\nOne.\nTwo.\n</system-hook>'));
  test('multiple', () =>
    expect(formatSystemHooks(['First hook message.', 'Second hook message.'])).toBe(
      '<system-hook>\nFirst hook message.\n</system-hook>\n\n<system-hook>\nSecond hook message.\n</system-hook>',
    ));
  test.each(['</system-hook>', '<system-hook>', '</ SYSTEM-HOOK >', '<\n/system-hook>'])(
    'no text can end its block: %j',
    (tag) => expect(formatSystemHooks([`a ${tag} b`]).match(/<\s*\/?\s*system-hook/gi)).toHaveLength(2),
  );
});

describe('collect_system_hooks', () => {
  test('plan_complete', async () =>
    expect(await said('update_plan', done)).toEqual([`<system-hook>\n${MESSAGE}\n</system-hook>`]));
  test('plan_not_complete', async () =>
    expect(await said('update_plan', plan({ total: 3, completed: 1 }))).toEqual([]));
  test('wrong_tool', async () => expect(await said('other_tool', done)).toEqual([]));
});
