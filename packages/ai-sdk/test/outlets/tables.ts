import type * as v6 from 'ai';
import type * as v7 from 'ai-v7';

// Everything that the AI SDK takes, gives and tells, by the types of both versions. What a newer version adds does not compile until somebody
// has looked at it: whether a secret could come in or out there.

type NameIn<First, Second> = Extract<keyof First | keyof Second, string>;
type FirstOf<Call extends (options: never) => unknown> = Parameters<Call>[0];

type OptionName =
  | NameIn<FirstOf<typeof v6.generateText>, FirstOf<typeof v7.generateText>>
  | NameIn<FirstOf<typeof v6.streamText>, FirstOf<typeof v7.streamText>>
  | NameIn<FirstOf<typeof v6.generateObject>, FirstOf<typeof v7.generateObject>>
  | NameIn<FirstOf<typeof v6.streamObject>, FirstOf<typeof v7.streamObject>>;

/**
 * `told`: a callback. `asked`: a function of the application that decides. `said`: what is said to the model. `way`: another way to a model or to a
 * tool, which an inlet of its own goes. `setting`: nothing is said there.
 */
export const options: Readonly<Record<OptionName, 'told' | 'asked' | 'said' | 'way' | 'setting'>> = {
  ...{ model: 'way', tools: 'way', output: 'way', experimental_output: 'way' },
  ...{ experimental_telemetry: 'way', telemetry: 'way', experimental_steering: 'way' },
  ...{ experimental_toolCallers: 'way', toolApproval: 'way' },
  ...{ system: 'said', instructions: 'said', prompt: 'said', messages: 'said' },
  ...{ prepareStep: 'asked', experimental_prepareStep: 'asked', stopWhen: 'asked' },
  ...{ experimental_repairToolCall: 'asked', repairToolCall: 'asked', experimental_refineToolInput: 'asked' },
  ...{ experimental_repairText: 'asked', repairText: 'asked', experimental_download: 'asked' },
  ...{ experimental_transform: 'asked', toolCallConcurrency: 'setting' },
  ...{ experimental_onStart: 'told', experimental_onStepStart: 'told', experimental_onToolCallStart: 'told' },
  ...{ experimental_onToolCallFinish: 'told', onStepFinish: 'told', onFinish: 'told', onStart: 'told' },
  ...{ onStepStart: 'told', onLanguageModelCallStart: 'told', onLanguageModelCallEnd: 'told' },
  experimental_onLanguageModelCallStart: 'told',
  experimental_onLanguageModelCallEnd: 'told',
  ...{ onToolExecutionStart: 'told', onToolExecutionEnd: 'told', onStepEnd: 'told', onStepError: 'told' },
  ...{ onEnd: 'told', onChunk: 'told', onError: 'told', onAbort: 'told' },
  ...{ providerOptions: 'setting', maxOutputTokens: 'setting', temperature: 'setting', topP: 'setting' },
  ...{ topK: 'setting', presencePenalty: 'setting', frequencyPenalty: 'setting', stopSequences: 'setting' },
  ...{ seed: 'setting', maxRetries: 'setting', abortSignal: 'setting', timeout: 'setting' },
  ...{ headers: 'setting', allowSystemInMessages: 'setting', toolChoice: 'setting' },
  ...{ experimental_activeTools: 'setting', activeTools: 'setting', experimental_context: 'setting' },
  ...{ experimental_toolApprovalSecret: 'setting', experimental_include: 'setting', _internal: 'setting' },
  ...{ reasoning: 'setting', experimental_sandbox: 'setting', runtimeContext: 'setting' },
  ...{ toolOrder: 'setting', include: 'setting', toolsContext: 'setting', includeRawChunks: 'setting' },
  streamRetries: 'setting',
};

type Tools = v6.ToolSet;
type ResultName =
  | NameIn<v6.GenerateTextResult<Tools, never>, v7.GenerateTextResult<v7.ToolSet, never, never>>
  | NameIn<v6.StreamTextResult<Tools, never>, v7.StreamTextResult<v7.ToolSet, never, never>>
  | NameIn<v6.GenerateObjectResult<unknown>, v7.GenerateObjectResult<unknown>>
  | NameIn<v6.StreamObjectResult<unknown, unknown, never>, v7.StreamObjectResult<unknown, unknown, never>>;

/** `value`: it is read. `stream`: it is read to its end. `make`: a method that makes a stream or a response. `pipe`: one that writes to a response of Node. */
export const results: Readonly<Record<ResultName, 'value' | 'stream' | 'make' | 'pipe'>> = {
  ...{ text: 'value', reasoning: 'value', providerMetadata: 'value', output: 'value', object: 'value' },
  ...{ experimental_output: 'value', content: 'value', reasoningText: 'value', files: 'value' },
  ...{ sources: 'value', toolCalls: 'value', staticToolCalls: 'value', dynamicToolCalls: 'value' },
  ...{ toolResults: 'value', staticToolResults: 'value', dynamicToolResults: 'value' },
  ...{ finishReason: 'value', rawFinishReason: 'value', warnings: 'value', request: 'value' },
  ...{ response: 'value', usage: 'value', steps: 'value', totalUsage: 'value' },
  ...{ responseMessages: 'value', finalStep: 'value' },
  ...{ textStream: 'stream', fullStream: 'stream', stream: 'stream', partialObjectStream: 'stream' },
  ...{ experimental_partialOutputStream: 'stream', partialOutputStream: 'stream', elementStream: 'stream' },
  ...{ consumeStream: 'make', toUIMessageStream: 'make', toUIMessageStreamResponse: 'make' },
  ...{ toTextStreamResponse: 'make', toJsonResponse: 'make' },
  ...{ pipeUIMessageStreamToResponse: 'pipe', pipeTextStreamToResponse: 'pipe' },
};

type TelemetryName = NameIn<v6.TelemetryIntegration, v7.Telemetry>;

/** `around`: it is given work to do, and tells what became of it. `other`: of what is no call of a language model. */
export const telemetry: Readonly<Record<TelemetryName, 'told' | 'around' | 'other'>> = {
  ...{ onStart: 'told', onStepStart: 'told', onToolCallStart: 'told', onToolCallFinish: 'told' },
  ...{ onStepFinish: 'told', onFinish: 'told', onEnd: 'told', onAbort: 'told', onError: 'told' },
  ...{ onLanguageModelCallStart: 'told', onLanguageModelCallEnd: 'told', onStepEnd: 'told' },
  ...{ onToolExecutionStart: 'told', onToolExecutionEnd: 'told', onStepError: 'told' },
  ...{ onObjectStepStart: 'told', onObjectStepEnd: 'told' },
  ...{ executeLanguageModelCall: 'around', executeTool: 'around', experimental_durable: 'other' },
  ...{ onEmbedStart: 'other', onEmbedEnd: 'other', onRerankStart: 'other', onRerankEnd: 'other' },
  ...{ experimental_onEvaluateStart: 'other', experimental_onEvaluateEnd: 'other' },
  experimental_onEvaluationModelCallStart: 'other',
  experimental_onEvaluationModelCallEnd: 'other',
  ...{ experimental_onDecideStart: 'other', experimental_onDecideEnd: 'other' },
  ...{ experimental_onDecisionModelCallStart: 'other', experimental_onDecisionModelCallEnd: 'other' },
  ...{ experimental_onStreamTranscriptionStart: 'other', experimental_onStreamTranscriptionEnd: 'other' },
};

type ToolField = NameIn<v6.Tool, v7.Tool>;

/** What a tool is given: `told` its functions. */
export const toolFields: Readonly<Record<ToolField, 'told' | 'setting'>> = {
  ...{ execute: 'told', onInputAvailable: 'told', onInputStart: 'told', onInputDelta: 'told' },
  ...{ needsApproval: 'told', toModelOutput: 'told' },
  ...{ outputSchema: 'setting', title: 'setting', description: 'setting', providerOptions: 'setting' },
  ...{ metadata: 'setting', inputSchema: 'setting', inputExamples: 'setting', strict: 'setting' },
  ...{ type: 'setting', id: 'setting', args: 'setting', supportsDeferredResults: 'setting' },
  ...{ deferLoading: 'setting', contextSchema: 'setting', isProviderExecuted: 'setting' },
};

/** The names that are of a sort in a table. */
export const listNames = (table: Readonly<Record<string, string>>, sort: string): string[] =>
  Object.keys(table).filter((name) => table[name] === sort);
