import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { TurnExecution, UnstoppedExecution } from './execution.ts';

test('a turn that nothing can stop has one id and one signal, made when they are asked for', () => {
  const execution = new TurnExecution({});
  expect(execution.firingSignal).toBeUndefined();
  const { flowId, abortSignal } = execution;
  expect([execution.flowId, execution.abortSignal]).toEqual([flowId, abortSignal]);
  expect(execution.abortSignal).toBe(abortSignal);
  expect(flowId).toMatch(/^[\da-f-]{36}$/);
  expect(abortSignal).toBeInstanceOf(AbortSignal);
  expect(new TurnExecution({}).flowId).not.toBe(flowId);
});

test('a turn with a signal is stopped by that', () => {
  const aborts = new AbortController();
  const execution = new TurnExecution({ turnId: 'turn_1', abortSignal: aborts.signal });
  expect(execution.flowId).toBe('turn_1');
  expect([execution.firingSignal, execution.abortSignal]).toEqual([aborts.signal, aborts.signal]);
  expect(getEventListeners(aborts.signal, 'abort')).toEqual([]);
});

test('what runs despite a stop is of the same turn, on a signal that does not fire', () => {
  const aborts = new AbortController();
  const execution = new TurnExecution({ abortSignal: aborts.signal });
  const unstopped = new UnstoppedExecution(execution);
  aborts.abort();
  execution.stepCount++;
  unstopped.stop();
  expect(unstopped).toMatchObject({ flowId: execution.flowId, stepCount: 1, stopped: true });
  expect([unstopped.firingSignal, unstopped.abortSignal.aborted]).toEqual([undefined, false]);
  expect(execution.stopped).toBe(true);
});
