// Testing: runs one hook on a thread in memory. Users' tests call it; nothing in this package does, and it needs no runtime.

export type { FakeFile } from './fake-files.ts';
export type { FakeReadings, FakeState, FakeStateOptions } from './fake-state.ts';
export { fakeState } from './fake-state.ts';
export type { FakeDefinitions } from './fake-thread.ts';
export type { FakeTool, FakeToolUse } from './fake-tools.ts';
export type { FixtureMessage, FixtureToolCall, FixtureToolResult } from './fixtures.ts';
export {
  assistantMessage,
  modelCall,
  modelRequest,
  toolCall,
  toolError,
  toolMessage,
  toolResult,
  userMessage,
} from './fixtures.ts';
export { holds, refused, same } from './requirements.ts';
export type { HookOutcome, HookTrial, RunHook, RunHookOptions } from './run-hook.ts';
export { runHook } from './run-hook.ts';
export type { VirtualClock } from './virtual-clock.ts';
export { virtualClock } from './virtual-clock.ts';
