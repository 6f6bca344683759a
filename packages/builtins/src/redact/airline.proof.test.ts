import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type AnyHook, createExecutor, type HookToolCall, scopeOf } from '@spec/hooks';
import { fakeState } from '@spec/hooks/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { redact } from './index.ts';

/** 100 recorded conversations in OpenAI chat form, beside the checkout where it is there. */
const recording = fileURLToPath(
  new URL('../../../../../shared/data/transcripts/airline.jsonl', import.meta.url),
);
const isThere = existsSync(recording);
if (!isThere) console.info(`skipped: ${recording} is not there`);

interface Message {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: readonly { readonly function: { readonly arguments: string } }[];
  readonly [field: string]: unknown;
}

interface Conversation {
  readonly id: string;
  readonly messages: readonly Message[];
}

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

const writeText = (messages: readonly unknown[]): string =>
  messages.map((message) => JSON.stringify(message).replaceAll('\\', '')).join('\n');

/** All spellings that are looked for, of the dates that the data call `dob`. */
function spellings(iso: string): string[] {
  const [year, month, day] = iso.split('-').map(Number) as [number, number, number];
  const name = MONTHS[month - 1] as string;
  const names = [name, name.slice(0, 3)];
  const two = (number: number): string => String(number).padStart(2, '0');
  return [
    iso,
    ...names.flatMap((one) => [
      `${one} ${day}, ${year}`,
      `${one} ${day} ${year}`,
      `${day} ${one} ${year}`,
      `${one} ${day}th, ${year}`,
    ]),
    ...[
      `${month}/${day}/${year}`,
      `${two(month)}/${two(day)}/${year}`,
      `${two(day)}/${two(month)}/${year}`,
      `${two(day)}.${two(month)}.${year}`,
    ],
    ...[`${year}/${two(month)}/${two(day)}`, `${year}${two(month)}${two(day)}`],
  ];
}

const emailsIn = (text: string): string[] => [
  ...new Set(text.match(/[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}/gi) ?? []),
];
const birthDatesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/"dob": ?"(\d{4}-\d{2}-\d{2})"/g)].map(([, date]) => date as string)),
];
/** Dates that the prose calls dates of birth, in the one way the recordings write them with a month's name. */
const spokenIn = (text: string): string[] => [
  ...new Set(
    [
      ...text.matchAll(/(?:DOB:? |[Bb]irth (?:is|of|-) |born on )(\w+ \d{1,2}, \d{4}|\d{4}-\d{2}-\d{2})/g),
    ].map(([, date]) => date as string),
  ),
];

const countMatches = (text: string, pattern: RegExp): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const [match] of text.matchAll(pattern)) counts.set(match, (counts.get(match) ?? 0) + 1);
  return counts;
};

const recorded = (): Conversation[] =>
  readFileSync(recording, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Conversation);

const makeRow = (fields: object, calls: Message['tool_calls']): Record<string, unknown> => ({
  ...fields,
  ...(calls === undefined ? {} : { tool_calls: JSON.stringify(calls) }),
});

describe.skipIf(!isThere)('the recorded airline conversations', () => {
  const before = new Map<string, string>();
  const after = new Map<string, string>();

  beforeAll(async () => {
    const conversations = recorded();
    const executor = createExecutor();
    const scope = scopeOf(redact().map((hook) => ({ hook: hook as AnyHook, source: 'policy' })));
    for (const { id, messages } of conversations) {
      const state = fakeState({ threadId: id });
      const stored: Record<string, unknown>[] = [];
      for (const { tool_calls, ...fields } of messages) {
        const row = makeRow(fields, tool_calls);
        stored.push(await executor.run('before_create_message', scope, state, row));
      }
      before.set(id, writeText(messages));
      after.set(id, writeText(stored));
      expect(await executor.run('prefilter_llm_history', scope, state, stored as never)).toEqual(stored);
    }
  }, 60_000);

  test('hold no e-mail address any more', () => {
    expect(before.size).toBe(100);
    let count = 0;
    for (const [id, text] of before) {
      for (const email of emailsIn(text)) {
        count++;
        expect(after.get(id)?.toLowerCase(), `an address in ${id}`).not.toContain(email.toLowerCase());
      }
      expect(emailsIn(after.get(id) as string)).toEqual([]);
    }
    expect(count).toBeGreaterThan(20);
  });

  test('hold no date of birth any more, however it was written', () => {
    let count = 0;
    for (const [id, text] of before) {
      for (const date of [...birthDatesIn(text).flatMap(spellings), ...spokenIn(text)]) {
        count++;
        expect(after.get(id), `a date of birth in ${id}`).not.toContain(date);
      }
    }
    expect(count).toBeGreaterThan(700);
  });

  test.each([
    ['flight numbers', /\bHAT\d{3}\b/g],
    ['reservation ids', /"reservation_id": ?"\w{6}"/g],
    ['user ids', /\b[a-z]+_[a-z]+_\d{4}\b(?!@)/g],
    ['payment ids', /\b(?:credit_card|gift_card|certificate)_\d{7}\b/g],
    ['prices', /\$\d[\d,.]*|"(?:price|amount|basic_economy|economy|business)": ?\d+/g],
    ['flight dates', /2024-05-\d{2}(?:T\d{2}:\d{2}:\d{2})?/g],
    ['spoken flight dates', /May \d{1,2}(?:st|nd|rd|th)?/g],
    ['times', /\d{2}:\d{2}(?::\d{2})?/g],
    ['addresses', /"(?:address1|address2|zip)": ?"[^"]*"/g],
    ['call ids', /call_\w+/g],
  ])('keep all their %s', (_what, pattern) => {
    let count = 0;
    for (const [id, text] of before) {
      const kept = countMatches(after.get(id) as string, pattern);
      for (const [match, times] of countMatches(text.replace(/"dob": ?"[^"]*"/g, ''), pattern)) {
        count += times;
        expect(kept.get(match), `${match} in ${id}`).toBe(times);
      }
    }
    expect(count).toBeGreaterThan(50);
  });

  test('hold no placeholder but those of addresses and dates of birth', () => {
    const labels = new Set(
      [...after.values()].flatMap((text) =>
        [...text.matchAll(/\[([A-Z_]+)_\d+\]/g)].map(([, label]) => label),
      ),
    );
    expect(labels).toEqual(new Set(['DATE_OF_BIRTH', 'EMAIL']));
  });

  test('give every tool the arguments that it was called with, restored', async () => {
    const executor = createExecutor();
    const hooks = redact({ restore: { to: 'tools', from: 'anywhere' } });
    const scope = scopeOf(hooks.map((hook) => ({ hook: hook as AnyHook, source: 'policy' })));
    let hidden = 0;
    for (const { id, messages } of recorded()) {
      const state = fakeState({ threadId: id });
      for (const { tool_calls = [], ...fields } of messages) {
        const row = makeRow(fields, tool_calls);
        const stored = await executor.run('before_create_message', scope, state, row);
        const calls = JSON.parse(stored.tool_calls as string) as HookToolCall[];
        for (const [position, call] of calls.entries()) {
          const given = tool_calls[position]?.function.arguments as string;
          if (call.function.arguments !== given) hidden++;
          const restored = await executor.restore(scope, state, call);
          expect(JSON.parse(restored.function.arguments)).toEqual(JSON.parse(given));
        }
      }
    }
    expect(hidden).toBeGreaterThan(25);
  }, 60_000);
});
