import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { limitMessages, redact } from '@spec/builtins';
import type { HookMessage } from '@spec/hooks';
import type { Store, StoredMessage } from '@spec/runtime';
import { sqliteStore } from '@spec/runtime/sqlite';
import { describe, expect, test } from 'vitest';
import type { Conversation, RecordedMessage } from '../src/replay/formats/conversation.ts';
import { replayConversation } from '../src/replay/replay-conversation.ts';
import { airlineConversations, hasAirline } from './transcripts.ts';

const newDb = (): string => join(mkdtempSync(join(tmpdir(), 'airline-')), 'replay.db');

describe.skipIf(!hasAirline)('100 recorded airline conversations', () => {
  test('come back exactly as they were without hooks', { timeout: 120_000 }, async () => {
    const path = newDb();
    const store = sqliteStore({ path });
    for (const conversation of airlineConversations())
      await replayConversation(conversation, { store, hooks: [] });
    await store.close();
    const reopened = sqliteStore({ path });
    let count = 0;
    for (const conversation of airlineConversations()) {
      const stored = await reopened.listMessages(conversation.id);
      expect(stored.map(asRecorded)).toEqual(conversation.messages);
      count += stored.length;
    }
    expect(count).toBe(2_526);
    await reopened.close();
  });

  test('leave no e-mail address, date of birth or card number in the file, its WAL or what the model was sent', {
    timeout: 240_000,
  }, async () => {
    const path = newDb();
    const store = sqliteStore({ path });
    const sent: string[] = [];
    const hooks = [...redact({ defaultCountry: 'US' }), limitMessages(20)];
    for (const conversation of airlineConversations()) {
      await replayConversation(conversation, {
        store,
        hooks,
        onModelCall: (prompt) => sent.push(JSON.stringify(prompt)),
      });
    }
    const wal = readFileSync(`${path}-wal`, 'latin1');
    const whileOpen = readFileSync(path, 'latin1');
    await store.close();
    const places = { wal, whileOpen, file: readFileSync(path, 'latin1'), sent: sent.join('\n') };
    const secrets = findSecrets(airlineConversations());
    expect(secrets.length).toBeGreaterThan(90);
    expect(places.sent.length).toBeGreaterThan(1_000_000);
    for (const [place, bytes] of Object.entries(places)) {
      expect(
        secrets.filter((secret) => bytes.includes(secret)),
        `in ${place}`,
      ).toEqual([]);
    }
    await expectAllStored(path);
  });
});

async function expectAllStored(path: string): Promise<void> {
  const store: Store = sqliteStore({ path });
  let count = 0;
  for (const { id } of airlineConversations()) count += await store.countMessages(id);
  expect(count).toBe(2_526);
  await store.close();
}

/** A stored message without what storing adds. */
function asRecorded({
  id: _id,
  created_at: _time,
  status: _status,
  tool_calls,
  ...message
}: HookMessage & StoredMessage): unknown {
  return tool_calls === undefined ? message : { ...message, tool_calls: JSON.parse(tool_calls as string) };
}

/** Every e-mail address, and every date of birth in the spellings that people use. Found without the hooks' own rules. */
function findSecrets(conversations: readonly Conversation[]): string[] {
  const text = conversations.flatMap(({ messages }) => messages.map(writeText)).join('\n');
  const emails = text.match(/[\w.+-]+@[\w-]+\.[\w.]*\w/g) ?? [];
  const births = [...text.matchAll(/"dob\\*":\s*\\*"(\d{4}-\d{2}-\d{2})/g)].map(
    (match) => match[1] as string,
  );
  return [...new Set([...emails, ...births.flatMap(spellings)])];
}

function writeText({ content, tool_calls }: RecordedMessage): string {
  return `${content ?? ''} ${JSON.stringify(tool_calls ?? [])}`;
}

function spellings(iso: string): string[] {
  const [year, month, day] = iso.split('-') as [string, string, string];
  const name = new Date(`${iso}T00:00:00Z`).toLocaleString('en-US', { month: 'long', timeZone: 'UTC' });
  const plainDay = String(Number(day));
  return [iso, `${name} ${plainDay}, ${year}`, `${month}/${day}/${year}`, `${plainDay} ${name} ${year}`];
}
