import { expect, test } from 'vitest';
import { UnansweredByThread } from './unanswered.ts';

const heard = { isDenied: false, content: 'hi', changed: new Map(), added: [] } as const;

const open = () => {
  const threads = new UnansweredByThread();
  return () => threads.open('chat-1');
};

test('a message whose answer is still on its way is not what another turn has left', () => {
  const openTurn = open();
  openTurn().add('0 hello', heard);
  expect(openTurn().take('0 hello')).toBeUndefined();
});

test('what a turn has failed to have answered is sent again, once', () => {
  const openTurn = open();
  const failed = openTurn();
  failed.add('0 hello', heard);
  failed.fail();
  expect(openTurn().take('0 hello')).toBe(heard);
  expect(openTurn().take('0 hello')).toBeUndefined();
});

test('what fails a second time may be sent again too', () => {
  const openTurn = open();
  const first = openTurn();
  first.add('0 hello', heard);
  first.fail();
  const second = openTurn();
  second.take('0 hello');
  second.fail();
  expect(openTurn().take('0 hello')).toBe(heard);
});

test('an answer ends what was left before it', () => {
  const openTurn = open();
  const failed = openTurn();
  failed.add('0 hello', heard);
  failed.fail();
  openTurn().answer();
  expect(openTurn().take('0 hello')).toBeUndefined();
});
