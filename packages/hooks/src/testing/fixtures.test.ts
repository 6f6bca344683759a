import { describe, expect, test } from 'vitest';
import { checkMessage, checkToolCall, checkToolResult } from '../shapes/checks.ts';
import { assistantMessage, toolCall, toolError, toolMessage, toolResult, userMessage } from './fixtures.ts';

describe('fixtures', () => {
  test('are complete, with ids and times of their own', () => {
    const call = toolCall('get_weather', { city: 'Oslo' });
    const messages = [
      userMessage('a'),
      assistantMessage(null, { toolCalls: [call] }),
      toolMessage(call, '12 degrees'),
    ];
    for (const message of messages) expect(checkMessage(message)).toBeUndefined();
    expect(checkToolCall(call)).toBeUndefined();
    expect(checkToolResult(toolResult('12 degrees'))).toBeUndefined();
    expect(checkToolResult(toolError('no such city'))).toBeUndefined();
    expect(new Set(messages.map(({ id }) => id)).size).toBe(3);
    const times = messages.map(({ created_at }) => created_at);
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
    expect(new Date((times[0] as number) / 1_000).getUTCFullYear()).toBe(2026);
  });

  test('have the shapes that hooks get', () => {
    const call = toolCall('get_weather', { city: 'Oslo' }, { id: 'call_x' });
    expect(call).toEqual({
      id: 'call_x',
      type: 'function',
      function: { name: 'get_weather', arguments: '{"city":"Oslo"}' },
    });
    expect(JSON.parse(String(assistantMessage('Let me see.', { toolCalls: [call] }).tool_calls))).toEqual([
      call,
    ]);
    expect(assistantMessage('Hi')).not.toHaveProperty('tool_calls');
    expect(toolMessage(call, '12')).toMatchObject({
      role: 'tool',
      content: '12',
      tool_call_id: 'call_x',
      name: 'get_weather',
    });
    expect(userMessage('Hi', { id: 'm', lang: 'en' })).toMatchObject({
      id: 'm',
      role: 'user',
      content: 'Hi',
      lang: 'en',
    });
    expect(toolResult('12', { attachments: [] })).toEqual({
      status: 'success',
      result: '12',
      attachments: [],
    });
    expect(toolError('broken')).toEqual({ status: 'error', error: 'broken' });
  });
});
