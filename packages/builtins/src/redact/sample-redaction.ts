import { createHmac } from 'node:crypto';
import { type CleanTexts, createCleanTexts } from './clean-texts.ts';
import type { Detector } from './detect/finding.ts';
import { createMemory, type ThreadMemory } from './memory.ts';
import { checkedOptions, type RedactOptions } from './options.ts';
import { atOnce } from './pieces.ts';
import type { Redactor } from './redactor.ts';
import { redactSingle } from './subjects.ts';
import type { Seen } from './text.ts';
import { redactValue } from './value.ts';

/** For tests: an engine with its own memory, like that of one thread. */
export interface SampleRedaction {
  readonly redactor: Redactor;
  readonly memory: ThreadMemory;
  readonly clean: CleanTexts;
  readonly seen: Seen;
  text(text: string): string;
  value<T>(value: T): T;
}

/** For tests: a redactor and an empty memory. */
export function sampleRedaction(options: RedactOptions = {}): SampleRedaction {
  const { redactor } = checkedOptions(options);
  const mark = (label: string, value: string): string =>
    createHmac('sha256', 'test').update(`${label}\0${value}`).digest('hex');
  const memory = createMemory({ writer: 'test', mark });
  const clean = createCleanTexts();
  const seen = { origin: 'conversation' } as const;
  return {
    redactor,
    memory,
    clean,
    seen,
    text: (text) => atOnce(redactSingle(text, { redactor, memory, clean, seen })),
    value: (value) => atOnce(redactValue(value, redactor, { memory, seen })),
  };
}

/** For tests: the texts that a detector finds. */
export function textsFound(detector: Detector, text: string, key?: string): string[] {
  return detector
    .find(text, { key, isNumber: false, asked: false, isBirthDate: undefined })
    .map(({ start, end }) => text.slice(start, end));
}

/**
 * For tests: whether work takes linear time. Compares a text and one 16 times as long, on which quadratic work takes 256 times as
 * long. It measures processor time, because other work on the machine does not count. Some of that still shows, so the long text has five tries.
 * Less than two milliseconds count as two.
 */
export function isLinear(work: (text: string) => unknown, unit: string): boolean {
  const measureTime = (size: number): number => {
    const text = unit.repeat(Math.ceil(size / unit.length)).slice(0, size);
    const start = process.cpuUsage();
    work(text);
    return process.cpuUsage(start).user / 1000;
  };
  measureTime(8000);
  const short = Math.max(measureTime(8000), 2);
  return Array.from({ length: 5 }).some(() => measureTime(128_000) / short < 90);
}
