import { expect, test } from 'vitest';
import { createKit } from '../../test/kit.ts';
import { registerSdk } from '../../test/spans.ts';
import { memoryStore } from '../index.ts';
import { scriptedModel } from '../testing/index.ts';

test('the call for a summary is a span of the turn that it happens in', async () => {
  const spans = registerSdk();
  const kit = createKit(memoryStore());
  const { thread } = await kit.thread({
    models: {
      main: scriptedModel(['One.', 'Two.']),
      small: { ...scriptedModel(['Short.']), modelId: 'summariser' },
    },
    prompt: { model: 'main', compaction: { model: 'small', atTokens: 25, keepTokens: 5 } },
  });
  await thread.send(
    'A question of some length, so that the budget is used up: what is the meaning of it all?',
  );
  await thread.send('B');
  await kit.close();
  expect(spans.tree()).toEqual([
    'invoke_agent agent',
    '  chat scripted',
    'invoke_agent agent',
    '  chat summariser',
    '  chat scripted',
  ]);
});
