import { existsSync, readFileSync } from 'node:fs';
import type { HookMessage, HookToolCall, NewMessage } from '@spec/hooks';
import { describe, expect, test } from 'vitest';
import { createKit, newFile } from '../../test/kit.ts';
import { sqliteStore } from '../stores/sqlite/index.ts';
import { scriptedModel } from '../testing/index.ts';

const path = new URL('../../../../../shared/data/transcripts/airline.jsonl', import.meta.url);
const isThere = existsSync(path);
if (!isThere) console.log('Skipped: the recorded conversations (shared/data/transcripts) are not there.');

interface Recorded {
  readonly role: HookMessage['role'];
  readonly content: string | null;
  readonly tool_calls?: readonly HookToolCall[];
  readonly tool_call_id?: string;
  readonly name?: string;
}

const toMessage = ({ tool_calls: calls, ...message }: Recorded): NewMessage =>
  calls === undefined || calls === null ? message : { ...message, tool_calls: JSON.stringify(calls) };

describe.skipIf(!isThere)('long recorded conversations', () => {
  test('are kept under the budget in one long thread, with every history valid', {
    timeout: 60_000,
  }, async () => {
    const conversations = readFileSync(path, 'utf8')
      .trim()
      .split('\n')
      .slice(0, 20)
      .map((line) => (JSON.parse(line) as { messages: Recorded[] }).messages);
    const main = scriptedModel(Array.from({ length: 30 }, () => 'How else can I help?'));
    const small = scriptedModel(Array.from({ length: 60 }, (_, n) => `Everything up to summary ${n + 1}.`));
    const kit = createKit(sqliteStore({ path: newFile(), synchronous: 'NORMAL' }));
    const compaction = { model: 'small', atTokens: 6_000, keepTokens: 2_000 };
    const { thread } = await kit.thread({ models: { main, small }, prompt: { model: 'main', compaction } });
    let stored = 0;
    for (const messages of conversations) {
      for (const message of messages.filter(({ role }) => role !== 'system')) {
        await thread.inject(toMessage(message));
        stored++;
      }
      await thread.send('Thank you. Something else:');
      stored += 2;
    }
    await kit.close();

    expect(small.calls.length).toBeGreaterThanOrEqual(5);
    for (const { prompt } of main.calls) {
      const size = prompt.reduce((sum, { content }) => sum + JSON.stringify(content).length, 0);
      expect(size).toBeLessThan(60_000);
      expect(prompt[0]?.role).toBe('user');
      const calls = ids(prompt, 'tool-call');
      expect(ids(prompt, 'tool-result')).toEqual(calls);
    }
    expect(stored).toBeGreaterThan(300);
  });
});

/** The ids of all calls, or of all results, in their order. */
function ids(prompt: readonly { content: unknown }[], type: string): unknown[] {
  return prompt.flatMap(({ content }) =>
    (Array.isArray(content) ? (content as { type: string; toolCallId?: string }[]) : [])
      .filter((part) => part.type === type)
      .map(({ toolCallId }) => toolCallId),
  );
}
