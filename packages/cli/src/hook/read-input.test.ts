import { expect, test } from 'vitest';
import { readSession } from './read-input.ts';

test.each([
  ['{"session_id":"s1","tool_input":{"sessionId":"other"}}', 's1'],
  ['{ "sessionId" : "s2", "hookEventName": "PreToolUse", "tool_input": { "session_id": "other" } }', 's2'],
  ['{"tool_input":{"session_id":"other"},"session_id":"s3"}', 's3'],
  ['{"tool_calls":[{"session_id":"other"}],"sessionId":"s4"}', 's4'],
  ['{"session_id":"a\\\\b","tool_input":{"session_id":"other"}}', 'a\\b'],
  ['{"tool_input":{"session_id":"other"}}', ''],
  ['{"tool_input":{"session_id":"other"}', ''],
  ['{"session_id":""}', ''],
  ['{}', ''],
])('the session of %s is %j', (input, session) => {
  expect(readSession(input)).toBe(session);
});
