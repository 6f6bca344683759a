import type { JSONSchema7, LanguageModelV3CallOptions, SharedV3ProviderOptions } from '@ai-sdk/provider';

/**
 * A model of any AI SDK provider, of interface version 3 or 4: as much of it as the runtime uses. It sends text, reasoning and function
 * tools, which are the same in both versions, and files, whose data is not.
 */
export interface LanguageModel {
  readonly specificationVersion: 'v3' | 'v4';
  readonly provider: string;
  readonly modelId: string;
  doStream(
    options: TextCallOptions,
  ): PromiseLike<{ readonly stream: ReadableStream<{ readonly type: string }> }>;
}

/** What a provider wants back with a part of an answer. */
interface SignedPart {
  providerOptions?: SharedV3ProviderOptions;
}

export interface TextPart extends SignedPart {
  type: 'text';
  text: string;
}

/** What is in a file: as version 3 takes it, or as version 4 does. */
export type FileData = Uint8Array & URL & { type: 'data' & 'url'; data: Uint8Array; url: URL };

export interface FilePart {
  type: 'file';
  filename: string;
  mediaType: string;
  data: FileData;
}

export interface ReasoningPromptPart extends SignedPart {
  type: 'reasoning';
  text: string;
}

export interface ToolCallPart extends SignedPart {
  type: 'tool-call';
  toolCallId: string;
  toolName: string;
  input: unknown;
}

/** A text in a tool's result, or a file, which the two versions write in different forms: {@link ToolFilePart} has both. */
export interface ToolContentPart {
  type: 'text';
  text: string;
}

/** A file in a tool's result: as version 3 takes it, and as version 4 does. */
export type ToolFilePart =
  | { type: 'image-data'; data: string; mediaType: string }
  | { type: 'file-data'; data: string; mediaType: string; filename: string }
  | { type: 'file'; data: { type: 'data'; data: Uint8Array }; mediaType: string; filename: string };

export interface ToolResultPart {
  type: 'tool-result';
  toolCallId: string;
  toolName: string;
  output: { type: 'text'; value: string } | { type: 'content'; value: ToolContentPart[] };
}

/** A message as models of both versions take it. */
export type TextMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: (TextPart | FilePart)[] }
  | { role: 'assistant'; content: (TextPart | ReasoningPromptPart | ToolCallPart)[] }
  | { role: 'tool'; content: ToolResultPart[] };

/** A tool as models of both versions are told of it. */
export interface TextTool {
  type: 'function';
  name: string;
  description?: string;
  inputSchema: JSONSchema7;
}

/** What a model is sent. */
export type TextCallOptions = Omit<LanguageModelV3CallOptions, 'prompt' | 'tools'> & {
  prompt: TextMessage[];
  tools?: TextTool[];
};
