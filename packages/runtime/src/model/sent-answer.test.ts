import type { LanguageModelV3StreamPart } from '@ai-sdk/provider';
import type { HookToolCall, LLMMessage } from '@spec/hooks';
import { expect, test } from 'vitest';
import { PartsCollector } from './collect-parts.ts';
import { toAnswerParts } from './sent-answer.ts';

const source = { provider: 'openai.responses', modelId: 'gpt' };
const item = (itemId: string): { openai: { itemId: string } } => ({ openai: { itemId } });

const reasoning = (id: string, text: string): LanguageModelV3StreamPart[] => [
  { type: 'reasoning-start', id },
  { type: 'reasoning-delta', id, delta: text },
  { type: 'reasoning-end', id, providerMetadata: item(id) },
];

const text = (id: string, delta: string): LanguageModelV3StreamPart[] => [
  { type: 'text-start', id, providerMetadata: item(id) },
  { type: 'text-delta', id, delta },
  { type: 'text-end', id },
];

const call: HookToolCall = { id: 'c1', type: 'function', function: { name: 'find', arguments: '{}' } };

/** An answer that thinks before its text, before its call, and before a second text. */
function collect(): LLMMessage {
  const collector = new PartsCollector();
  for (const part of [
    ...reasoning('rs_1', 'One.'),
    ...text('msg_1', 'I look. '),
    ...reasoning('rs_2', 'Two.'),
  ])
    collector.take(part);
  collector.addCall(call.id, item('fc_1'));
  for (const part of [...reasoning('rs_3', 'Three.'), ...text('msg_2', 'Wait.')]) collector.take(part);
  const fields = collector.finish(source);
  return { role: 'assistant', content: 'I look. Wait.', tool_calls: [call], ...(fields as object) };
}

const write = (message: LLMMessage, calls: readonly HookToolCall[], target = source): string[] =>
  toAnswerParts(message, calls, target).map((part) => {
    const { openai } = (part.providerOptions ?? {}) as { openai?: { itemId: string } };
    const what = part.type === 'tool-call' ? part.toolName : part.text;
    return `${part.type} ${what}${openai === undefined ? '' : ` ${openai.itemId}`}`;
  });

test('an answer goes back in the order in which it was written, each part with what belongs to it', () => {
  expect(write(collect(), [call])).toEqual([
    ...['reasoning One. rs_1', 'text I look.  msg_1', 'reasoning Two. rs_2', 'tool-call find fc_1'],
    ...['reasoning Three. rs_3', 'text Wait. msg_2'],
  ]);
});

test('a field called __proto__ in what a provider says is left out: no store takes it, and the turn would end', () => {
  const collector = new PartsCollector();
  const said = JSON.parse(
    '{ "openai": { "itemId": "rs_1", "__proto__": { "a": 1 } }, "__proto__": { "b": 1 } }',
  );
  collector.take({ type: 'reasoning-start', id: 'rs_1', providerMetadata: said });
  collector.take({ type: 'reasoning-delta', id: 'rs_1', delta: 'One.' });
  const fields = collector.finish(source);
  expect(fields).toMatchObject({ reasoning: [{ text: 'One.' }] });
  expect(JSON.stringify(fields)).not.toContain('__proto__');
  expect(JSON.stringify(fields)).toContain('rs_1');
});

test('reasoning whose call is gone goes with it', () => {
  expect(write(collect(), [])).toEqual([
    ...['reasoning One. rs_1', 'text I look.  msg_1', 'reasoning Three. rs_3', 'text Wait. msg_2'],
  ]);
});

test('a text whose length is another one is sent whole, without what belonged to its pieces', () => {
  expect(write({ ...collect(), content: 'Changed.' }, [call])).toEqual([
    ...['reasoning One. rs_1', 'text Changed.', 'reasoning Two. rs_2', 'tool-call find fc_1'],
  ]);
});

test('calls and texts that hooks added come last', () => {
  const added = { ...call, id: 'c2', function: { name: 'more', arguments: '{}' } };
  expect(write(collect(), [call, added]).at(-1)).toBe('tool-call more');
});

test.each([
  ['provider', { ...source, provider: 'anthropic.messages' }],
  ['model', { ...source, modelId: 'other' }],
])('another %s gets the text and the calls', (_, target) => {
  expect(write(collect(), [call], target)).toEqual(['text I look. Wait.', 'tool-call find']);
});

test('what is of another shape counts as absent', () => {
  const broken = { ...collect(), reasoning: 'secret', provider_metadata: { ...source, parts: [null] } };
  expect(write(broken as LLMMessage, [call])).toEqual(['text I look. Wait.', 'tool-call find']);
});
