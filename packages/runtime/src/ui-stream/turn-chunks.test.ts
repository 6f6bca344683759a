import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FamilyEvent, ThreadEvent } from '../events/thread-event.ts';
import type { UIMessageChunk } from './chunk.ts';
import type { UIMessageStreamOptions } from './options.ts';
import { turnChunks } from './turn-chunks.ts';

function makeChunks(events: readonly ThreadEvent[], options: UIMessageStreamOptions = {}): UIMessageChunk[] {
  const turn = turnChunks(options);
  return events.flatMap((event) => turn.take(event));
}

const started = (turnId: string): ThreadEvent => ({ type: 'turn_started', turnId });
const ended = (
  turnId: string,
  status: 'completed' | 'limit' | 'stopped' | 'aborted' = 'completed',
): ThreadEvent => ({
  type: 'turn_ended',
  turnId,
  status,
});
const text = (messageId: string, piece: string): ThreadEvent => ({ type: 'text', text: piece, messageId });
const answer = (id: string, fields: Record<string, unknown> = {}): ThreadEvent => ({
  type: 'message',
  message: { id, role: 'assistant', content: null, created_at: 1, ...fields },
});
const told = (messageId: string, delta: string): UIMessageChunk[] => [
  { type: 'text-start', id: messageId },
  { type: 'text-delta', id: messageId, delta },
  { type: 'text-end', id: messageId },
];

describe('the chunks of a turn', () => {
  test('begin and end with it, whatever else the thread does', () => {
    const chunks = makeChunks(
      [
        started('t1'),
        text('t1.1', 'no'),
        ended('t1'),
        started('t2'),
        text('t2.1', 'yes'),
        ended('t2'),
        text('x', 'no'),
      ],
      { turnId: 't2' },
    );
    expect(chunks).toEqual([
      { type: 'start', messageId: 't2' },
      ...told('t2.1', 'yes'),
      { type: 'finish', finishReason: 'stop' },
    ]);
  });

  test('leave out a turn that a crash left behind and that is finished first', () => {
    const events = [
      started('t2'),
      started('t1'),
      text('t1.3', 'old'),
      ended('t1'),
      text('t2.1', 'new'),
      ended('t2'),
    ];
    for (const options of [{}, { turnId: 't2' }]) {
      expect(makeChunks(events, options)).toEqual([
        { type: 'start', messageId: 't2' },
        ...told('t2.1', 'new'),
        { type: 'finish', finishReason: 'stop' },
      ]);
    }
  });

  test('begin in the middle of a turn where listening began there', () => {
    expect(makeChunks([text('t1.1', 'rest'), ended('t1', 'limit')])).toEqual([
      { type: 'start' },
      ...told('t1.1', 'rest'),
      { type: 'finish', finishReason: 'tool-calls' },
    ]);
  });

  test('tell a whole message where nothing of it was told before, but no rows of errors', () => {
    const chunks = makeChunks([
      started('t1'),
      answer('m1', { content: 'from a hook' }),
      answer('m2', { content: 'The turn ended.', error_code: 'model_failed' }),
      ended('t1', 'stopped'),
    ]);
    expect(chunks.slice(1)).toEqual([
      ...told('m1', 'from a hook'),
      { type: 'finish', finishReason: 'other' },
    ]);
  });

  const calling = (id: string, input: string): { tool_calls: string } => ({
    tool_calls: JSON.stringify([{ id, type: 'function', function: { name: 'pay', arguments: input } }]),
  });
  const called = (toolCallId: string, input: string): ThreadEvent => ({
    type: 'tool_called',
    toolCallId,
    name: 'pay',
    input,
    decision: 'run',
  });
  const asked = (input: string): ThreadEvent => ({
    type: 'permission_asked',
    askId: 'a1',
    about: 'tool_call',
    toolCallId: 'c1',
    tool: 'pay',
    input,
  });
  const available = (input: unknown): UIMessageChunk => ({
    type: 'tool-input-available',
    toolCallId: 'c1',
    toolName: 'pay',
    input,
  });
  const approval: UIMessageChunk = { type: 'tool-approval-request', approvalId: 'a1', toolCallId: 'c1' };

  test('show a call with the input that is stored, and none that no message made', () => {
    const events = [started('t1'), answer('m1', calling('c1', '{"a": 1}'))];
    const rewritten = [...events, called('c1', '{"key":"secret"}'), called('c9', '{}')];
    expect(makeChunks(rewritten).slice(1)).toEqual([available({ a: 1 })]);
    expect(makeChunks(rewritten, { input: 'decided' }).slice(1)).toEqual([available({ key: 'secret' })]);
  });

  test('show a call that a person is asked about with the input that would run', () => {
    const events = [started('t1'), answer('m1', calling('c1', '{"a": 1}')), asked('{"a":2}')];
    expect(makeChunks([...events, called('c1', '{ "a": 2 }')]).slice(1)).toEqual([
      available({ a: 2 }),
      approval,
    ]);
    expect(makeChunks([...events, called('c1', '{"a":3}')], { input: 'decided' }).slice(1)).toEqual([
      available({ a: 2 }),
      approval,
      available({ a: 3 }),
    ]);
  });

  test('show a second call with the id of an earlier one as its own', () => {
    const result = { type: 'tool_result', toolCallId: 'c1', name: 'pay', messageId: 'r' } as const;
    const chunks = makeChunks([
      started('t1'),
      answer('m1', calling('c1', '{"a":1}')),
      called('c1', '{"a":1}'),
      { ...result, status: 'error', content: 'Refused.', isRefused: true },
      answer('m2', calling('c1', '{"a":1}')),
      called('c1', '{"a":1}'),
      { ...result, status: 'error', content: 'real failure' },
      answer('m3', calling('c1', '{"a":1}')),
      { ...result, status: 'success', content: 'paid' },
    ]);
    expect(chunks.slice(1)).toEqual([
      available({ a: 1 }),
      { type: 'tool-output-denied', toolCallId: 'c1' },
      available({ a: 1 }),
      { type: 'tool-output-error', toolCallId: 'c1', errorText: 'real failure' },
      available({ a: 1 }),
      { type: 'tool-output-available', toolCallId: 'c1', output: 'paid' },
    ]);
  });

  test('tell what a person is asked about in a subagent, and the answer', () => {
    const child = (event: ThreadEvent): FamilyEvent => ({ ...event, threadId: 'child' });
    const own = (event: ThreadEvent): FamilyEvent => ({ ...event, threadId: 'own' });
    const answered = {
      type: 'permission_answered',
      askId: 'a1',
      about: 'tool_call',
      toolCallId: 'c1',
    } as const;
    const part = (answer: string): UIMessageChunk => ({
      type: 'data-permission',
      id: 'a1',
      data: { askId: 'a1', threadId: 'child', toolCallId: 'c1', tool: 'pay', input: { a: 1 }, answer },
    });
    const chunks = makeChunks(
      [
        child(asked('{"a":0}')),
        own(started('t1')),
        child(started('t9')),
        child(asked('{"a":1}')),
        child({ ...answered, allowed: true }),
        child({ ...answered, askId: 'a8', allowed: true }),
        child(asked('{"a":1}')),
        child({ ...answered, allowed: false }),
        child(ended('t9')),
        own(ended('t1')),
      ],
      { threadId: 'own' },
    );
    expect(chunks).toEqual([
      { type: 'start', messageId: 't1' },
      ...[part('waiting'), part('allowed'), part('waiting'), part('refused')],
      { type: 'finish', finishReason: 'stop' },
    ]);
  });

  test('end a text when its message is stored, before what it calls', () => {
    const calls = JSON.stringify([{ id: 'c1', type: 'function', function: { name: 'ping', arguments: '' } }]);
    const result = {
      type: 'tool_result',
      toolCallId: 'c1',
      name: 'ping',
      status: 'success',
      content: 'pong',
    } as const;
    const chunks = makeChunks([
      started('t1'),
      text('m1', 'Wait.'),
      answer('m1', { content: 'Wait.', tool_calls: calls }),
      { ...result, messageId: 'r1' },
    ]);
    expect(chunks.slice(1)).toEqual([
      ...told('m1', 'Wait.'),
      { type: 'tool-input-available', toolCallId: 'c1', toolName: 'ping', input: {} },
      { type: 'tool-output-available', toolCallId: 'c1', output: 'pong' },
    ]);
  });

  test('end with an error where the reader was too slow, or nothing comes any more', () => {
    const turn = turnChunks({ errorText: ({ code }) => code });
    expect(turn.take({ type: 'events_dropped', count: 3 })).toEqual([
      { type: 'start' },
      { type: 'error', errorText: 'too_slow' },
    ]);
    expect([turn.isOver, turn.cut({ code: 'closed' }), turn.take(started('t1'))]).toEqual([true, [], []]);
    expect(turnChunks().cut({ code: 'closed' }).at(-1)).toEqual({
      type: 'error',
      errorText: 'The turn ended with an error: closed.',
    });
  });

  test('leave out what the application keeps back, and children', () => {
    const custom = (name: string): ThreadEvent => ({ type: 'custom', name, data: 1 });
    const mapped = makeChunks([started('t1'), custom('secret'), custom('bar')], {
      custom: ({ name, data }) =>
        name === 'secret' ? null : { type: `data-${name}`, id: 'b', data, transient: true },
    });
    expect(mapped.slice(1)).toEqual([{ type: 'data-bar', id: 'b', data: 1, transient: true }]);
    const family = [
      { ...started('t1'), threadId: 'parent' },
      { ...started('t9'), threadId: 'child' },
      { ...text('t9.1', 'child'), threadId: 'child' },
      { ...ended('t9'), threadId: 'child' },
      { ...ended('t1'), threadId: 'parent' },
    ];
    expect(makeChunks(family)).toEqual([
      { type: 'start', messageId: 't1' },
      { type: 'finish', finishReason: 'stop' },
    ]);
  });
});

const id = fc.constantFrom('a', 'b');
const anyEvent: fc.Arbitrary<ThreadEvent> = fc.oneof(
  fc.constantFrom(started('t1'), started('t2'), ended('t1'), ended('t2', 'aborted')),
  fc.record({ type: fc.constant('text' as const), text: fc.constant('x'), messageId: id }),
  id.map((messageId) => answer(messageId, { content: 'whole' })),
  fc.record({ type: fc.constant('step_started' as const), turnId: fc.constant('t1'), step: fc.constant(1) }),
  fc.record({
    type: fc.constant('step_ended' as const),
    turnId: fc.constant('t1'),
    step: fc.constant(1),
    callCount: fc.constant(0),
  }),
  fc.record({
    type: fc.constant('tool_result' as const),
    toolCallId: id,
    name: fc.constant('ping'),
    status: fc.constantFrom('success' as const, 'error' as const),
    content: fc.constant('pong'),
    messageId: fc.constant('r'),
    isRefused: fc.constantFrom(true as const),
  }),
  fc.record({
    type: fc.constant('permission_answered' as const),
    askId: id,
    about: fc.constant('tool_call' as const),
    toolCallId: id,
    allowed: fc.boolean(),
  }),
);

test('whatever happens, the front end can follow (U1, U2)', () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 30 }), (events) => {
      const turn = turnChunks();
      const chunks = [...events.flatMap((event) => turn.take(event)), ...turn.cut({ code: 'closed' })];
      const types = chunks.map(({ type }) => type);
      expect(types[0]).toBe('start');
      expect(types.lastIndexOf('start')).toBe(0);
      const ends = types.filter((type) => type === 'finish' || type === 'abort' || type === 'error');
      expect(ends).toEqual([types.at(-1)]);
      expect(findOpenParts(chunks)).toEqual([]);
    }),
    { numRuns: 2_000 },
  );
});

/** The text parts that were not ended, and what was told of a part that was not there. */
function findOpenParts(chunks: readonly UIMessageChunk[]): string[] {
  const problems: string[] = [];
  const texts = new Set<string>();
  const tools = new Set<string>();
  for (const chunk of chunks) {
    if (chunk.type === 'text-start') texts.add(chunk.id);
    if (chunk.type === 'text-delta' && !texts.has(chunk.id)) problems.push(`delta ${chunk.id}`);
    if (chunk.type === 'text-end' && !texts.delete(chunk.id)) problems.push(`end ${chunk.id}`);
    if (chunk.type === 'finish-step' && texts.size > 0) problems.push('a step ended inside a text');
    if (chunk.type === 'tool-input-available') tools.add(chunk.toolCallId);
    else if ('toolCallId' in chunk && !tools.has(chunk.toolCallId)) problems.push(`tool ${chunk.toolCallId}`);
  }
  return [...problems, ...texts];
}
