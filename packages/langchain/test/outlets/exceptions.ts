/** Canaries that may come out, and why. */
export interface Exception {
  readonly why: string;
  readonly origins: RegExp;
  readonly outlets: RegExp;
  /** Default: all. */
  readonly inlets?: RegExp;
}

const ofUser = /^(?:user|attached|named)$/;

export const exceptions: readonly Exception[] = [
  {
    why: 'docs/langchain.md: callbacks, streamEvents and the mode "tools" are inside of the calls of models and tools',
    origins: /./,
    outlets: /^(?:callback |streamEvents$|stream tools$|projection toolCalls)/,
  },
  {
    why: 'docs/langchain.md: middleware that stands behind ours is inside of the calls of models and tools too',
    origins: /./,
    outlets: /^wrap(?:Model|Tool)Call of the inner middleware, result$/,
  },
  {
    why: 'docs/langchain.md: middleware that stands before ours is told the request before the hooks are',
    origins: /^(?:system|user|attached|named|later)$/,
    outlets: /^(?:wrapModelCall|beforeAgent|beforeModel|afterModel) of the outer middleware$/,
  },
  {
    why: 'docs/langchain.md: the checkpoint of the input, and what is streamed of it, hold what the user said',
    origins: ofUser,
    outlets: /^(?:the checkpointer|stream (?:values|debug|tasks|checkpoints)|projection values)$/,
  },
  {
    why: 'docs/langchain.md: a graph around the agent has the input until its agent has ended',
    origins: ofUser,
    outlets: /^the history, without what the input was$/,
    inlets: /^a node of a graph$/,
  },
  {
    why: 'docs/langchain.md: what comes into the state is in the checkpoint before the hooks come to it',
    origins: /^later$/,
    outlets: /^(?:the checkpointer|the history, without what the input was)$/,
  },
  {
    why: 'docs/langchain.md: what stands beside an answer that hooks leave alone stays there',
    origins: /^(?:reasoning|kwargs|metadata)$/,
    outlets: /./,
    inlets: /^(?:an answer that hooks leave alone|a response of the provider)$/,
  },
  {
    why: 'docs/langchain.md: an agent in a tool without the middleware has no hooks; its messages are streamed and in checkpoints',
    origins: /^(?:text|reasoning|kwargs|metadata)$/,
    outlets: /^(?:the checkpointer|stream \w+)$/,
    inlets: /^an agent in a tool, without hooks$/,
  },
  {
    why: 'docs/langchain.md: what answers a call in the place of its tool is in the state as it was until hooks come to that',
    origins: /^later$/,
    outlets: /^(?:wrapModelCall|afterModel|afterAgent) of the inner middleware$/,
    inlets: /^a person rejects$/,
  },
];
