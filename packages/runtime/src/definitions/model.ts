import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3StreamResult,
} from '@ai-sdk/provider';

/** A model of any AI SDK provider, of interface version 3 or 4; the runtime calls `doStream`. */
export type LanguageModel = LanguageModelV3 | LanguageModelV4;

/** The part of version 4 that the runtime uses: for text and function tools it is the same as version 3. */
export interface LanguageModelV4 {
  readonly specificationVersion: 'v4';
  readonly provider: string;
  readonly modelId: string;
  doStream(options: LanguageModelV3CallOptions): PromiseLike<LanguageModelV3StreamResult>;
}
