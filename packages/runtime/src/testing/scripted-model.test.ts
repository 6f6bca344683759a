import { expect, test } from 'vitest';
import { callModel } from '../model/call.ts';
import { type ScriptedModel, type ScriptedStep, scriptedModel } from './scripted-model.ts';

async function answers(model: ScriptedModel, count: number): Promise<unknown[]> {
  const all: unknown[] = [];
  for (let i = 0; i < count; i++) {
    const abortSignal = new AbortController().signal;
    const options = {
      prompt: [{ role: 'user', content: [{ type: 'text', text: `${i}` }] }],
      abortSignal,
    } as const;
    all.push(
      await callModel(model, options as never, { onText: () => {} }).catch((error: Error) => error.message),
    );
  }
  return all;
}

const calls = (...of: Array<[string, string, string]>): unknown =>
  of.map(([id, name, args]) => ({ id, type: 'function', function: { name, arguments: args } }));

test('a script is followed step by step', async () => {
  const script: ScriptedStep[] = [
    'text',
    { text: '' },
    { text: null },
    { toolCalls: [{ name: 'a' }, { id: 'mine', name: 'b', input: { x: 1 } }, { name: 'c', input: 'raw {' }] },
    async ({ prompt }) => JSON.stringify(prompt[0]?.content),
    new Error('down'),
  ];
  const model = scriptedModel(script);
  const failed =
    'The model scripted/scripted failed: its provider reported an error. What was thrown: readCause(error) of @spec/hooks.';
  expect(await answers(model, 7)).toMatchObject([
    { content: 'text', toolCalls: [] },
    { content: '' },
    { content: null },
    {
      content: null,
      toolCalls: calls(['call_1', 'a', '{}'], ['mine', 'b', '{"x":1}'], ['call_2', 'c', 'raw {']),
    },
    { content: '[{"type":"text","text":"4"}]' },
    failed,
    failed,
  ]);
  expect(model.calls).toHaveLength(7);
  expect(model.calls[1]?.prompt[0]?.content).toEqual([{ type: 'text', text: '1' }]);
});

test('a script may have no end', async () => {
  function* forever(): Generator<string> {
    for (let i = 0; ; i++) yield `answer ${i}`;
  }
  expect(await answers(scriptedModel(forever()), 3)).toMatchObject([
    { content: 'answer 0' },
    { content: 'answer 1' },
    { content: 'answer 2' },
  ]);
});

test('it only streams', async () => {
  await expect(scriptedModel([]).doGenerate({ prompt: [] })).rejects.toThrow(
    'A scripted model streams: call doStream.',
  );
});

test.each([
  [undefined, "a script must be a list of steps, such as ['Hello!']"],
  ['Hello!', 'a script must be a list of steps'],
  [[{ toolCall: [{ name: 'a' }] }], 'there is no option "toolCall". Did you mean "toolCalls"?'],
  [[{ toolCalls: { name: 'a' } }], 'toolCalls must be a list'],
  [[{ toolCalls: [{ tool: 'a' }] }], 'scriptedModel: a tool call: there is no option "tool"'],
  [[{ toolCalls: [{}] }], 'a tool call must have a name'],
  [[3], 'scriptedModel: a step must be a text, { text, toolCalls }'],
])('a script that no model can follow is refused: %j', (script, problem) => {
  expect(() => scriptedModel(script as never)).toThrow(problem);
});

test('a step that is made when it is its turn is checked then', async () => {
  const { doStream } = scriptedModel([() => ({ toolCall: [] }) as never]);
  await expect(doStream({ prompt: [] })).rejects.toThrow('Did you mean "toolCalls"?');
});

test('a list whose iterator never ends is no endless check', async () => {
  function* endless(): Generator<string> {
    for (;;) yield 'again';
  }
  const { doStream } = scriptedModel(Object.assign(['first'], { [Symbol.iterator]: endless }));
  expect(await doStream({ prompt: [] })).toHaveProperty('stream');
});
