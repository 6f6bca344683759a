import type { BaseCallbackHandler } from '@langchain/core/callbacks/base';
import type { StreamMode } from '@langchain/langgraph';
import type { AgentMiddleware, createAgent, ReactAgent } from 'langchain';

// Everything that LangChain takes, gives and tells, by its own types. What a newer version adds does not compile until somebody has looked at it:
// whether a secret could come in or out there.

type NameOf<Type> = Extract<keyof Type, string>;

/** `told`: a callback. `other`: of what is no agent, or nothing that is called. */
export const callbacks: Readonly<Record<Extract<NameOf<BaseCallbackHandler>, `handle${string}`>, 'told'>> = {
  ...{ handleLLMStart: 'told', handleLLMNewToken: 'told', handleChatModelStreamEvent: 'told' },
  ...{ handleLLMError: 'told', handleLLMEnd: 'told', handleChatModelStart: 'told' },
  ...{ handleChainStart: 'told', handleChainError: 'told', handleChainEnd: 'told' },
  ...{ handleToolStart: 'told', handleToolError: 'told', handleToolEnd: 'told', handleToolEvent: 'told' },
  ...{ handleText: 'told', handleAgentAction: 'told', handleAgentEnd: 'told' },
  ...{ handleRetrieverStart: 'told', handleRetrieverEnd: 'told', handleRetrieverError: 'told' },
  handleCustomEvent: 'told',
};

/** What of a run can be streamed. */
export const streamModes: Readonly<Record<StreamMode, 'read'>> = {
  ...{ values: 'read', updates: 'read', messages: 'read', custom: 'read', debug: 'read' },
  ...{ tasks: 'read', checkpoints: 'read', tools: 'read' },
};

/**
 * `inlet`: a way to a model. `outlet`: it tells what was said. `neither`: nothing is said there.
 *
 * @public for the type checker: a name that is missing does not compile
 */
export const agentNames: Readonly<Record<NameOf<ReactAgent>, 'inlet' | 'outlet' | 'neither'>> = {
  ...{ invoke: 'inlet', stream: 'inlet', streamEvents: 'inlet', graph: 'inlet', withConfig: 'inlet' },
  ...{ getState: 'outlet', getStateHistory: 'outlet', checkpointer: 'outlet', store: 'outlet' },
  ...{ updateState: 'neither', options: 'neither', '~agentTypes': 'neither', builder: 'neither' },
  ...{ drawMermaidPng: 'neither', drawMermaid: 'neither', getGraphAsync: 'neither' },
  ...{ getSubgraphs: 'neither', getSubgraphsAsync: 'neither' },
};

type AgentOption = NameOf<Parameters<typeof createAgent>[0]>;

/** @public as {@link agentNames} */
export const agentOptions: Readonly<Record<AgentOption, 'inlet' | 'outlet' | 'neither'>> = {
  ...{ model: 'inlet', tools: 'inlet', systemPrompt: 'inlet', responseFormat: 'inlet' },
  ...{ middleware: 'inlet', version: 'inlet', checkpointer: 'outlet', store: 'outlet' },
  ...{ streamTransformers: 'outlet', name: 'neither', stateSchema: 'neither', contextSchema: 'neither' },
  ...{ description: 'neither', includeAgentName: 'neither', signal: 'neither' },
};

/** What other middleware is told. */
export const middlewareNames: Readonly<Record<NameOf<AgentMiddleware>, 'told' | 'around' | 'other'>> = {
  ...{ beforeAgent: 'told', beforeModel: 'told', afterModel: 'told', afterAgent: 'told' },
  ...{ wrapModelCall: 'around', wrapToolCall: 'around', streamTransformers: 'other' },
  ...{ name: 'other', tools: 'other', stateSchema: 'other', contextSchema: 'other' },
  '~middlewareTypes': 'other',
};
