import { DefinitionError } from '@spec/hooks';
import { type FakeState, fakeState, runHook, userMessage } from '@spec/hooks/testing';
import { describe, expect, test } from 'vitest';
import { type StampMetadataOptions, stampMetadata } from './stamp-metadata.ts';

const state = (): FakeState =>
  fakeState({
    threadId: 'thread_1',
    agentId: 'support',
    userId: 'user_1',
    execution: { flowId: 'flow_1', stepCount: 2, currentSide: 'a' },
  });
const stamps = { flow_id: 'flow_1', step: 2, side: 'a' };

async function stamp(metadata: unknown, options: StampMetadataOptions = {}): Promise<unknown> {
  const message = { ...userMessage('hello'), ...(metadata === undefined ? {} : { metadata }) };
  return (await runHook.with({ state: state() })(stampMetadata(options), message)).result.metadata;
}

describe('stampMetadata', () => {
  test('writes JSON text where there was nothing', async () => {
    for (const nothing of [undefined, null, '']) expect(await stamp(nothing)).toBe(JSON.stringify(stamps));
  });

  test('adds to an object, and it stays one', async () => {
    expect(await stamp({ channel: 'web', nested: { a: 1 } })).toEqual({
      ...stamps,
      channel: 'web',
      nested: { a: 1 },
    });
  });

  test('adds to JSON text, and every byte of it stays', async () => {
    expect(await stamp('{ "channel": "web", "big": 12345678901234567890 }')).toBe(
      '{ "channel": "web", "big": 12345678901234567890 ,"flow_id":"flow_1","step":2,"side":"a"}',
    );
    expect(await stamp('{}')).toBe(JSON.stringify(stamps));
  });

  test('does not write over what is there', async () => {
    expect(await stamp({ step: 'first' })).toEqual({ flow_id: 'flow_1', step: 'first', side: 'a' });
    expect(await stamp('{"step":"first"}')).toBe('{"step":"first","flow_id":"flow_1","side":"a"}');
  });

  test('twice is once', async () => {
    const once = await stamp('{"channel":"web"}');
    expect(await stamp(once)).toBe(once);
  });

  test('keeps what is no object under a name', async () => {
    expect(await stamp('imported by hand')).toBe(JSON.stringify({ value: 'imported by hand', ...stamps }));
    expect(await stamp('[1,2]')).toBe(JSON.stringify({ value: '[1,2]', ...stamps }));
    expect(await stamp([1, 2])).toEqual({ value: [1, 2], ...stamps });
  });

  test('the fields are a choice', async () => {
    const fields = ['thread_id', 'agent_id', 'user_id'] as const;
    expect(await stamp({}, { fields })).toEqual({
      thread_id: 'thread_1',
      agent_id: 'support',
      user_id: 'user_1',
    });
  });

  test('fields of your own', async () => {
    const extra: StampMetadataOptions['extra'] = async ({ threadId }, { role }) => ({
      tenant: `tenant of ${threadId}`,
      role,
    });
    expect(await stamp({}, { extra, fields: [] })).toEqual({
      tenant: 'tenant of thread_1',
      role: 'user',
    });
  });

  test('changes metadata alone, and says so', async () => {
    const hook = stampMetadata();
    expect(hook).toMatchObject({
      id: 'stamp_metadata',
      hook: 'before_create_message',
      changes: ['metadata'],
    });
    const message = { ...userMessage('hello', { extra: [1] }) };
    const { metadata, ...rest } = (await runHook(hook, message)).result;
    expect(rest).toEqual(message);
    expect(metadata).toBeTypeOf('string');
  });

  test.each([
    [{ fields: ['flow'] }, /there is no field "flow"\. There are flow_id, step, side/],
    [{ extra: { tenant: 1 } }, /extra must be a function/],
    [{ id: 'Stamp' }, /hook id must be snake_case/i],
  ])('%o is refused', (options, message) => {
    expect(() => stampMetadata(options as never)).toThrow(DefinitionError);
    expect(() => stampMetadata(options as never)).toThrow(message);
  });
});
