import { createHash } from 'node:crypto';

/** Answers that are remembered; the oldest is forgotten first. */
const REMEMBERED = 1_000;

/** What is the same question: an event of one tool call, with the same input. */
export interface Question {
  readonly event: string;
  readonly sessionId: string;
  readonly toolUseId: string;
  /** What JSON can hold. */
  readonly about: unknown;
}

/**
 * The guard against running twice for one tool call (§12e.5). Who asks again gets the first answer, a deny as well as an allow;
 * another input under the same id is another question.
 */
export function createOnce(): <Answer>(question: Question, run: () => Promise<Answer>) => Promise<Answer> {
  const answers = new Map<string, Promise<unknown>>();
  return <Answer>(question: Question, run: () => Promise<Answer>): Promise<Answer> => {
    const key = keyOf(question);
    const known = answers.get(key);
    if (known !== undefined) return known as Promise<Answer>;
    const answer = run();
    answers.set(key, answer);
    answer.catch(() => answers.delete(key));
    if (answers.size > REMEMBERED) answers.delete(answers.keys().next().value as string);
    return answer;
  };
}

function keyOf({ event, sessionId, toolUseId, about }: Question): string {
  const text = JSON.stringify([event, sessionId, toolUseId, about]);
  return createHash('sha256').update(text).digest('base64');
}
