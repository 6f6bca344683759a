import { createRuntime, defineAgent, definePrompt } from '@spec/runtime';
import { scriptedModel } from '@spec/runtime/testing';
import { limitCost } from '../src/index.ts';
import { sqliteCosts } from '../src/sqlite.ts';

/** Sends messages of one user until the limit of 1,000 tokens is reached, or hangs in its first call: `FILE all|hang`. */
const [, , path = '', how] = process.argv;
const store = sqliteCosts({ path });
const hang = (): Promise<never> => {
  process.stdout.write('calling\n');
  return new Promise(() => setInterval(() => {}, 60_000));
};
const answer = { text: 'Ok.', usage: { inputTokens: 20, outputTokens: 30 } };
const runtime = createRuntime({
  policies: [...limitCost({ tokens: 1_000, by: ({ userId }) => userId ?? '', store, maxOutputTokens: 40 })],
  models: { m: scriptedModel(Array.from({ length: 100 }, () => (how === 'hang' ? hang : answer))) },
  prompts: [definePrompt({ name: 'p' })],
  agents: [defineAgent({ name: 'a', prompt: 'p' })],
});
let count = 0;
try {
  for (;;) {
    const thread = await runtime.createThread({ agent: 'a', userId: 'ada' });
    await thread.send('Hi.');
    count += 1;
  }
} catch (error) {
  process.stdout.write(`${JSON.stringify({ count, code: (error as { code?: string }).code })}\n`);
}
await runtime.close();
