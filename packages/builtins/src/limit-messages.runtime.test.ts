import { createRuntime, defineAgent, definePrompt, memoryStore } from '@spec/runtime';
import { scriptedModel } from '@spec/runtime/testing';
import { expect, test } from 'vitest';
import { limitMessages } from './limit-messages.ts';

test.each([true, false])(
  'a summary takes up what the window left out (keepSystem: %s)',
  async (keepSystem) => {
    const answers = scriptedModel(Array.from({ length: 9 }, (_, n) => `a${n}`));
    const summaries = scriptedModel(['SUM 1', 'SUM 2']);
    const runtime = createRuntime({
      store: memoryStore(),
      models: { answers, summaries },
      policies: [limitMessages(3, { keepSystem })],
      prompts: [definePrompt({ name: 'p', model: 'answers', compaction: { model: 'summaries' } })],
      agents: [defineAgent({ name: 'p', prompt: 'p' })],
    });
    const thread = await runtime.createThread({ agent: 'p' });
    const textOf = (call: unknown): string[] | null => JSON.stringify(call).match(/[qa]\d|SUM \d/g);
    for (let n = 0; n < 6; n++) await thread.send(`q${n}`);
    expect(textOf(answers.calls.at(-1)?.prompt)).toEqual(['q4', 'a4', 'q5']);

    expect(await thread.compact()).toMatchObject({ messageCount: 12, withheldCount: 0 });
    const all = [0, 1, 2, 3, 4, 5].flatMap((n) => [`q${n}`, `a${n}`]);
    expect(textOf(summaries.calls[0]?.prompt)).toEqual(all);
    for (const q of ['q6', 'q7']) await thread.send(q);
    await thread.compact();
    expect(textOf(summaries.calls[1]?.prompt)).toEqual(['SUM 1', 'q6', 'a6', 'q7', 'a7']);
    await thread.send('q8');
    expect(textOf(answers.calls.at(-1)?.prompt)).toEqual(['SUM 2', 'q8']);
    await runtime.close();
  },
);
