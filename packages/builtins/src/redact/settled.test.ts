import { createExecutor, type HookToolCall, scopeOf } from '@spec/hooks';
import { assistantMessage, fakeState, toolCall, userMessage } from '@spec/hooks/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { COVERED, type Detector } from './detect/finding.ts';
import { redact } from './index.ts';
import { atOnce } from './pieces.ts';
import { sampleRedaction } from './sample-redaction.ts';
import { redactText } from './text.ts';

/** One thread with a `redact` that gives tools the values back. */
function thread() {
  const executor = createExecutor();
  const state = fakeState();
  const scope = scopeOf(redact({ restore: 'tools' }).map((hook) => ({ hook, source: 'test' })));
  return {
    say: async (content: string): Promise<string> =>
      String(
        (await executor.run('before_create_message', scope, state, { ...userMessage(content) })).content,
      ),
    think: async (content: string): Promise<string> =>
      String(
        (await executor.run('before_create_message', scope, state, { ...assistantMessage(content) })).content,
      ),
    /** The text that a tool gets for this one. */
    give: async (text: string): Promise<unknown> => {
      const call: HookToolCall = toolCall('t', { text: `: ${text}` });
      const { function: called } = await executor.restore(scope, state, call);
      return JSON.parse(called.arguments).text.slice(2);
    },
  };
}

/** Places where the detectors of secrets, and others, look for a value. */
const PLACES: readonly ((value: string) => string)[] = [
  (value) => `password = "${value}"`,
  (value) => `password='${value}'`,
  (value) => `password: ${value}`,
  (value) => `CREATE USER bob IDENTIFIED BY '${value}'`,
  (value) => `ALTER ROLE bob WITH PASSWORD '${value}'`,
  (value) => `SELECT PASSWORD('${value}')`,
  (value) => `spring.datasource.password="${value}"`,
  (value) => `INSERT INTO users (name, password) VALUES ('bob', '${value}')`,
  (value) => `<password>${value}</password>`,
  (value) => `<add key="password" value="${value}"/>`,
  (value) => `login("bob", "${value}")`,
  (value) => `postgres://bob:${value}@db.internal/app`,
  (value) => `curl -u bob:${value} https://host.internal`,
  (value) => `my password is ${value}`,
  (value) => `| name | password |\n|---|---|\n| bob | ${value} |`,
  (value) => `name: DB_PASSWORD\n value: "${value}"`,
];

const values = fc.stringMatching(/^[a-z]{3,6}[0-9]{1,3}[A-Za-z]{2,5}$/);

describe('what is a placeholder already is no value', () => {
  test.each(PLACES.map((place) => [place('…'), place] as const))('%s', async (_, place) => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(values, { minLength: 2, maxLength: 3 }), async (secrets) => {
        const { say, think, give } = thread();
        const stored: string[] = [];
        for (const secret of secrets) {
          const text = await say(place(secret));
          expect(text).not.toContain(secret);
          expect(await say(text)).toBe(text);
          expect(await think(text)).toBe(text);
          stored.push(text);
        }
        expect(new Set(stored).size).toBe(secrets.length);
        for (const [index, text] of stored.entries())
          expect(await give(text)).toBe(place(secrets[index] as string));
      }),
      { numRuns: 15 },
    );
  });

  test('whatever a detector says of it, and the text around it is taken without it', () => {
    const greedy: Detector = {
      label: 'ALL',
      find: (text) => (text === '' ? [] : [{ start: 0, end: text.length, values: [text] }]),
    };
    const place = /\[[A-Z]+_\d+\]/g;
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('[EMAIL_1]', '[ALL_2]', 'x9yz', ' ', '!', '4z', COVERED)),
        (parts) => {
          const { redactor, memory } = sampleRedaction();
          const kept: string[] = [];
          const spying = {
            ...memory,
            numberOf(label: string, sighting: Parameters<typeof memory.giveNumber>[1]) {
              kept.push(sighting.text, ...sighting.values);
              return memory.giveNumber(label, sighting);
            },
          };
          const redactTwice = (text: string): string =>
            atOnce(
              redactText(
                text,
                { ...redactor, detectors: [greedy] },
                {
                  ...{ memory: spying, seen: { origin: 'person' }, key: undefined },
                  ...{ isNumber: false, asked: false },
                },
              ),
            );
          const once = redactTwice(parts.join('').padStart(6));
          expect(redactTwice(once)).toBe(once);
          expect(kept.filter((text) => text.includes(COVERED))).toEqual([]);
          expect(once.replace(place, '')).not.toMatch(/[a-z0-9]/);
        },
      ),
    );
  });

  test.each([
    'password = "[EMAIL_1]x9yz"',
    'password = "x9yz[EMAIL_1]"',
    "INSERT INTO users (password) VALUES ('[EMAIL_1]x9yz')",
  ])('a secret around one comes back as it was: %s', async (text) => {
    const { say, give } = thread();
    await say('anna@example.com');
    const stored = await say(text);
    expect(stored).not.toContain('x9yz');
    expect(await give(stored)).toBe(text.replace('[EMAIL_1]', 'anna@example.com'));
  });
});
