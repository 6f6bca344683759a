// UI stream: a thread's events as the AI SDK's message stream. Servers call it; nothing in this package does, and it writes only by a thread's handle.

export type { UIDataChunk, UIMessageChunk } from './chunk.ts';
export type { PermissionData } from './family-asks.ts';
export type { UIMessagesOptions } from './history.ts';
export { toUIMessages } from './history.ts';
export type { StreamFailure, UIMessageStreamOptions } from './options.ts';
export type { UIMessageStreamResponseOptions } from './response.ts';
export { uiMessageStreamResponse } from './response.ts';
export { toUIMessageStream } from './stream.ts';
export type { StreamTurnOptions } from './stream-turn.ts';
export { streamTurn } from './stream-turn.ts';
export type { UIMessage, UIMessagePart, UIToolPart } from './ui-message.ts';
export { userInputOf } from './user-input.ts';
