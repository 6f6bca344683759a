import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createRuntime, defineAgent, definePrompt, type Runtime } from '@spec/runtime';
import { scriptedModel } from '@spec/runtime/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
}

/** Each so many of the answers is tried. */
const EVERY = 3;
/** Characters from which on an answer without a value is to be seen before it is complete. */
const LONG = 400;

function readAnswers(): string[] {
  const conversations = readFileSync(recording, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { readonly messages: readonly Message[] }).messages);
  return conversations.flatMap((messages) => {
    const values = findValues(JSON.stringify(messages));
    const answers = messages.flatMap(({ role, content }) =>
      role === 'assistant' && content ? [content] : [],
    );
    return answers.flatMap((text, n) => [text, withValue(text, values, n)]);
  });
}

/** What the tools of the conversation gave of a person. */
function findValues(text: string): string[] {
  const all = text.matchAll(/[\w.]+@[\w.]+\.com|(?<=\\"dob\\": \\")\d{4}-\d{2}-\d{2}/g);
  return [...new Set(Array.from(all, ([value]) => value))];
}

/** Puts a value between two sentences. */
function withValue(text: string, values: readonly string[], n: number): string {
  const value = values[n % values.length] ?? 'ghp_1234567890abcdefghijklmnopqrstuvwxyz12';
  const ends = Array.from(text.matchAll(/[.?!](?= )/g), ({ index }) => index + 1);
  const at = ends[n % (ends.length || 1)] ?? text.length;
  const label = /^\d/.test(value) ? 'The date of birth is' : 'It is';
  return `${text.slice(0, at)} ${label} ${value}.${text.slice(at)}`;
}

/** A generator of numbers below 1 (mulberry32). */
function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function cutAtRandom(text: string, random: () => number): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = at + 1 + Math.floor(random() * random() * 60);
    pieces.push(text.slice(at, end));
    at = end;
  }
  return pieces;
}

/** A model that answers with the pieces that it is given, one after the other. */
function makeModelOfPieces() {
  let pieces: readonly string[] = [];
  let onLast = (): void => {};
  const model = scriptedModel([]);
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  return {
    say(next: readonly string[], whenLast: () => void) {
      pieces = next;
      onLast = whenLast;
    },
    model: {
      ...model,
      async doStream() {
        const parts = [
          { type: 'text-start', id: '1' },
          ...pieces.map((delta) => ({ type: 'text-delta', id: '1', delta })),
          { type: 'text-end', id: '1' },
          { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage },
        ];
        const last = parts.length - 3;
        let at = 0;
        const stream = new ReadableStream(
          {
            pull(controller) {
              if (at === last) onLast();
              if (at < parts.length) controller.enqueue(parts[at++]);
              else controller.close();
            },
          },
          { highWaterMark: 0 },
        );
        return { stream } as never;
      },
    },
  };
}

describe.runIf(isThere)('redact, behind answers that stream', { timeout: 240_000 }, () => {
  const pieces = makeModelOfPieces();
  let runtime: Runtime;
  let answers: string[];

  beforeAll(() => {
    answers = readAnswers();
    runtime = createRuntime({
      policies: [...redact({ defaultCountry: 'US' })],
      models: { pieces: pieces.model },
      prompts: [definePrompt({ name: 'chat' })],
      agents: [defineAgent({ name: 'chat', prompt: 'chat' })],
    });
  });
  afterAll(() => runtime.close());

  /** Sends a text through the runtime; what listeners had seen when its last piece came, and in the end. */
  async function streamThrough(text: string, random: () => number) {
    const thread = await runtime.createThread({ agent: 'chat' });
    let seen = '';
    let early = '';
    thread.on((event) => {
      if (event.type === 'text') seen += event.text;
    });
    pieces.say(cutAtRandom(text, random), () => {
      early = seen;
    });
    await thread.send('Go on.');
    const stored = (await thread.messages()).at(-1)?.content ?? '';
    return { early, seen, stored };
  }

  test('nobody sees a value, what was seen is what is stored, and long answers are seen before they are complete', async () => {
    const random = makeRandom(20_301_123);
    let [redacted, long, seenEarly] = [0, 0, 0];
    for (const text of answers.filter((_, n) => n % EVERY === 0)) {
      const { early, seen, stored } = await streamThrough(text, random);
      expect(seen).toBe(stored);
      if (stored !== text) redacted++;
      if (text.length < LONG || stored !== text) continue;
      long++;
      if (early !== '') seenEarly++;
    }
    expect(redacted).toBeGreaterThan(50);
    expect(long).toBeGreaterThan(20);
    expect(seenEarly / long).toBeGreaterThan(0.5);
  });
});
