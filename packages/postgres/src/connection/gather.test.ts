import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { gatherQuestions, type Question } from './gather.ts';
import type { Rows, Session } from './session.ts';

interface Asked {
  readonly statement: string;
  readonly threads: readonly string[];
  answer(): Promise<void>;
}

/** A database that answers when it is told to: each question with the name of its thread. */
function openDatabase() {
  const asked: Asked[] = [];
  const ask: Session['ask'] = ({ name }, [sent]) =>
    new Promise<Rows>((resolve) => {
      const questions = [JSON.parse(String(sent)) as Question | Question[]].flat();
      const threads = questions.map(({ thread }) => thread);
      const answer = async (): Promise<void> => {
        resolve(threads.map((thread) => [thread]));
        await vi.advanceTimersByTimeAsync(0);
      };
      asked.push({ statement: name, threads, answer });
    });
  const statements = { alone: { name: 'alone', text: '' }, all: { name: 'all', text: '' } };
  const question = gatherQuestions<Question>({ settings: { batching: true }, ask }, statements);
  return { asked, ask: async (thread: string) => (await question({ thread }))[0] };
}

const show = ({ statement, threads }: Asked): string => `${statement} ${threads.join()}`;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('what comes while a statement is under way shares the next one', async () => {
  const { asked, ask } = openDatabase();
  const first = ask('a');
  await vi.advanceTimersByTimeAsync(1);
  const others = ['d', 'b', 'c'].map(ask);
  await vi.advanceTimersByTimeAsync(5);
  expect(asked.map(show)).toEqual(['alone a']);
  await asked[0]?.answer();
  expect(asked.map(show)).toEqual(['alone a', 'all b,c,d']);
  await asked[1]?.answer();
  expect(await Promise.all([first, ...others])).toEqual(['a', 'd', 'b', 'c']);
});

test('a slow statement holds up no others, and no more than one of them joins it', async () => {
  const { asked, ask } = openDatabase();
  const slow = ask('slow');
  await vi.advanceTimersByTimeAsync(1);
  const early = ask('b');
  await vi.advanceTimersByTimeAsync(60);
  const late = ask('c');
  await vi.advanceTimersByTimeAsync(60);
  expect(asked.map(show)).toEqual(['alone slow', 'alone b']);
  await asked[1]?.answer();
  expect(asked.map(show)).toEqual(['alone slow', 'alone b', 'alone c']);
  await asked[2]?.answer();
  expect(await Promise.all([early, late])).toEqual(['b', 'c']);
  await asked[0]?.answer();
  expect(await slow).toBe('slow');
  const [more, further] = [ask('d'), ask('e')];
  await vi.advanceTimersByTimeAsync(1);
  expect(show(asked[3] as Asked)).toBe('all d,e');
  await asked[3]?.answer();
  expect(await Promise.all([more, further])).toEqual(['d', 'e']);
});

test('a question that cannot be written keeps those beside it waiting no longer than itself', async () => {
  const { asked, ask } = openDatabase();
  const first = ask('a');
  await vi.advanceTimersByTimeAsync(1);
  const [good, bad] = [ask('b'), ask(1n as unknown as string)];
  const failing = expect(bad).rejects.toThrow(/BigInt/);
  await asked[0]?.answer();
  await failing;
  await asked[1]?.answer();
  expect(await Promise.all([first, good])).toEqual(['a', 'b']);
  const next = ask('d');
  await vi.advanceTimersByTimeAsync(1);
  await asked[2]?.answer();
  expect(await next).toBe('d');
});
