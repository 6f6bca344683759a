import { RequestContext } from '@mastra/core/request-context';
import { createHost } from '@spec/hooks/host';
import { expect, test } from 'vitest';
import { honours } from './honours.ts';
import { Turns } from './turns.ts';

test('a run keeps its turn while a thousand others begin', () => {
  const turns = new Turns(createHost({ name: 'mastra', honours }), () => ({}));
  const context = new RequestContext();
  const running = turns.open(context, { threadId: 'alice' });
  for (let at = 0; at < 1_001; at++) turns.open(new RequestContext(), {});
  expect(turns.find(context, {})).toBe(running);
});
