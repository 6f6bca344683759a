import type { LLMMessage } from '@spec/hooks';
import type { ModelAnswer } from '../subject.ts';

/** What the model of a trial says, answer by answer, and what it was sent. */
export class Script {
  readonly sent: LLMMessage[][] = [];
  readonly #answers: readonly ModelAnswer[];

  constructor(answers: readonly ModelAnswer[] = []) {
    this.#answers = answers;
  }

  /** The next answer, after its time. @throws where the script says that the model fails, or the signal fires first */
  async answer(sent: readonly LLMMessage[], signal?: AbortSignal): Promise<ModelAnswer> {
    const answer = this.#answers[this.sent.length] ?? { text: 'done' };
    this.sent.push(structuredClone([...sent]));
    await untilReady(answer, signal);
    if (answer.fails) throw new Error('the provider is down');
    return answer;
  }
}

async function untilReady({ after }: ModelAnswer, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  if (after === undefined) return;
  const aborted = new Promise((_, reject) =>
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true }),
  );
  await Promise.race([after, aborted]);
}
