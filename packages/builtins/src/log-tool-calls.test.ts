import { DefinitionError } from '@spec/hooks';
import { fakeState, runHook, toolCall, toolError, toolResult } from '@spec/hooks/testing';
import { describe, expect, test } from 'vitest';
import { logToolCalls, type ToolCallEntry } from './log-tool-calls.ts';

const state = fakeState({
  threadId: 'thread_1',
  agentId: 'support',
  execution: { flowId: 'flow_1', stepCount: 3, currentSide: 'b' },
});
const call = toolCall('find_user', { email: 'anna@example.com' }, { id: 'call_1' });

describe('logToolCalls', () => {
  test('reports ids, sizes and times of a success, and no value', async () => {
    const entries: ToolCallEntry[] = [];
    const [success] = logToolCalls({ sink: (entry) => void entries.push(entry) });
    const before = Date.now();
    const { result, run } = await runHook.with({ state })(
      success,
      call,
      toolResult('{"email":"anna@example.com"}'),
    );
    expect(result).toEqual(toolResult('{"email":"anna@example.com"}'));
    expect(run.outcome).toBe('ok');
    expect(entries).toEqual([
      {
        event: 'tool_success',
        threadId: 'thread_1',
        agentId: 'support',
        flowId: 'flow_1',
        side: 'b',
        step: 3,
        toolCallId: 'call_1',
        tool: 'find_user',
        status: 'success',
        argumentsSize: call.function.arguments.length,
        resultSize: 28,
        attachments: 0,
        at: expect.any(Number),
      },
    ]);
    expect(entries[0]?.at).toBeGreaterThanOrEqual(before);
    expect(JSON.stringify(entries)).not.toContain('anna@');
  });

  test('reports a failure by the length of its error', async () => {
    const entries: ToolCallEntry[] = [];
    const [, failure] = logToolCalls({ sink: (entry) => void entries.push(entry) });
    await runHook(
      failure,
      call,
      toolError('no anna@example.com', { attachments: [{ name: 'a', mimeType: 'b/c', data: '' }] }),
    );
    expect(entries).toMatchObject([
      { event: 'tool_failure', status: 'error', resultSize: 19, attachments: 1 },
    ]);
    expect(JSON.stringify(entries)).not.toContain('anna@');
  });

  test('reports values when it is told to', async () => {
    const entries: ToolCallEntry[] = [];
    const [success, failure] = logToolCalls({ sink: (entry) => void entries.push(entry), values: true });
    await runHook(success, call, toolResult('found'));
    await runHook(failure, call, toolError('gone'));
    expect(entries.map(({ values }) => values)).toEqual([
      { arguments: call.function.arguments, result: 'found' },
      { arguments: call.function.arguments, error: 'gone' },
    ]);
  });

  test('waits for a sink that takes time', async () => {
    let written = false;
    const [success] = logToolCalls({
      sink: async () => {
        await Promise.resolve();
        written = true;
      },
    });
    await runHook(success, call, toolResult('found'));
    expect(written).toBe(true);
  });

  test('a sink that throws is recorded and does not break the turn', async () => {
    const [success] = logToolCalls({
      sink: () => {
        throw new Error('disk full of anna@example.com');
      },
    });
    const { result, run, error } = await runHook(success, call, toolResult('found'));
    expect(result).toEqual(toolResult('found'));
    expect(error).toBeUndefined();
    expect(run).toMatchObject({ outcome: 'failed', code: 'hook_failed' });
    expect(JSON.stringify(run)).not.toContain('anna@');
  });

  test('logs only the tools that match', async () => {
    const entries: ToolCallEntry[] = [];
    const [success] = logToolCalls({ sink: (entry) => void entries.push(entry), match: 'get_*' });
    const { run } = await runHook(success, call, toolResult('found'));
    expect(run.outcome).toBe('skipped');
    await runHook(success, toolCall('get_user'), toolResult('found'));
    expect(entries.map(({ tool }) => tool)).toEqual(['get_user']);
  });

  test('ids follow the prefix', () => {
    expect(logToolCalls({ sink: () => undefined }).map(({ id }) => id)).toEqual([
      'log_tool_calls_success',
      'log_tool_calls_failure',
    ]);
    expect(logToolCalls({ sink: () => undefined, id: 'audit' }).map(({ id }) => id)).toEqual([
      'audit_success',
      'audit_failure',
    ]);
  });

  test('without a sink it is refused', () => {
    expect(() => logToolCalls({} as never)).toThrow(DefinitionError);
    expect(() => logToolCalls({} as never)).toThrow(/sink must be a function/);
  });
});
