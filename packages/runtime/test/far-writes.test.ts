import { defineHook, type ThreadState } from '@spec/hooks';
import { describe, expect } from 'vitest';
import { type AnyTool, defineTool } from '../src/index.ts';
import { afterCrash, hangAt } from './after-crash.ts';
import { gate, lines, never, onBothStores } from './kit.ts';
import type { Setup } from './start-runtime.ts';

type Write = (state: ThreadState, content: string) => Promise<unknown>;

const ways: Readonly<Record<string, Write>> = {
  injects: (state, content) => state.injectMessage({ role: 'user', content }),
  queues: (state, content) => state.queueMessage({ role: 'user', content }),
};

const LINES = Array.from({ length: 24 }, (_, at) => `line ${at + 1}`);
/** More in a row than parallel writes are expected to leave out, twice. */
const LEFT = new Set([...LINES.slice(0, 9), ...LINES.slice(11, 22)]);
const KEPT = LINES.filter((line) => !LEFT.has(line));

/** A tool that writes all lines at once, and a hook that has a say in some of them. */
function importing(write: Write, onLeft: () => Promise<void>, after?: () => Promise<never>): Setup {
  const tool = defineTool({
    name: 'import',
    onInterrupted: 'retry',
    execute: async (_, { state }) => {
      const writing = LINES.map((line) => write(state, line).catch(() => {}));
      await Promise.all(writing.filter((_, at) => after === undefined || KEPT.includes(LINES[at] ?? '')));
      await after?.();
    },
  });
  const guard = defineHook({
    hook: 'before_create_message',
    id: 'guard',
    execute: async (_, message) => {
      if (LEFT.has(String(message.content))) await onLeft();
      return message;
    },
  });
  return { tools: [tool as AnyTool], policies: [guard] };
}

async function refuse(): Promise<void> {
  throw new Error('refused');
}

describe('what a tool wrote beyond a long row of numbers is written once after a crash', () => {
  const rows: Readonly<
    Record<string, { first: () => Promise<void>; next: () => Promise<void>; all: string[] }>
  > = {
    'that were refused': { first: refuse, next: refuse, all: KEPT },
    'that were still under way': { first: never, next: async () => {}, all: LINES },
    'that were refused, and are not any more': { first: refuse, next: async () => {}, all: LINES },
  };
  for (const [which, { first, next, all }] of Object.entries(rows))
    for (const [how, write] of Object.entries(ways))
      onBothStores(`${which}; it ${how}`, async (kit) => {
        const { open, opened } = gate();
        const script = [{ toolCalls: [{ name: 'import', input: {} }] }];
        const dying = { ...importing(write, first, hangAt(open)), script, reached: opened };
        const thread = await afterCrash(kit, dying, {
          ...importing(write, next),
          script: ['Done.', 'Done.'],
        });
        await thread.resume();
        const written = (await lines(thread)).filter((line) => line.startsWith('user: line'));
        expect(written.toSorted()).toEqual(all.map((line) => `user: ${line}`).toSorted());
      });
});
