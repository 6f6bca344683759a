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
  expect(spans.all().map(({ attributes }) => attributes['spec.chat.purpose'])).toEqual([
    undefined,
    undefined,
    undefined,
    'compaction',
    undefined,
  ]);
});

test('a compaction that is asked for is traced, and says that it is no step', async () => {
  const spans = registerSdk();
  const kit = createKit(memoryStore());
  const { thread } = await kit.thread({ script: ['Short.'] });
  await thread.inject({ role: 'user', content: 'A' });
  await thread.compact();
  await kit.close();
  expect(spans.tree()).toEqual(['chat scripted']);
  expect(spans.attributes('chat scripted')).toMatchObject({
    'gen_ai.operation.name': 'chat',
    'gen_ai.conversation.id': thread.id,
    'spec.chat.purpose': 'compaction',
  });
});
