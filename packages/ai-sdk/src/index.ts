// AI SDK: runs hooks inside generateText, streamText and agents of the AI SDK. Applications call it; it never calls the AI SDK itself.

export { MessageDeniedError } from '@spec/hooks/host';
export type {
  AiSdkHook,
  AiSdkHooks,
  AiSdkOptions,
  AiSdkTurn,
  Hooked,
  ModelLike,
  ToolsLike,
} from './create-hooks.ts';
export { createHooks } from './create-hooks.ts';
export { honours } from './honours.ts';
export { ToolFailedError } from './tools.ts';
