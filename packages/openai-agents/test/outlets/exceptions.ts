/** Where the card may stand, and why. */
export interface Exception {
  readonly way?: string;
  readonly mask?: string;
  readonly outlet: RegExp;
  readonly why: string;
}

export const exceptions: readonly Exception[] = [
  {
    mask: 'on calls',
    outlet: /^\.execute of a tool\[\d+\](\.toolCall|\[Symbol\(openai\.agents\.toolCallParentSpan\)\])/u,
    why: 'A tool is handed the call as the model made it beside its arguments: the SDK knows a call by that object.',
  },
  {
    way: 'a tool that fails',
    outlet: /^\.errorFunction\[1\]/u,
    why: 'The errorFunction of a tool is a part of the tool: what it makes of the error is the result that hooks see.',
  },
  {
    way: 'a call that a person rejects',
    outlet:
      /^\.(callModelInputFilter|result\.state|result\.history|result\.newItems|state\.toJSON|state\.toString|span function|event run_item_stream_event|toolUseBehavior|items of the session|sessionInputCallback|inputGuardrails of the runner|inputGuardrails)\[/u,
    why: 'What a person says to a call that they reject is kept by the SDK as they said it. The model and the store get it through the hooks.',
  },
  {
    way: 'a runner that a tool makes',
    outlet: /^\.(?:requests|inputGuardrails|event agent_start of the agent)\[/u,
    why: 'What a runner of the SDK itself is given inside of a tool is no message of a user: the answer and the result of the tool pass the hooks.',
  },
  {
    way: 'hosted tools that are accepted',
    outlet: /./u,
    why: 'A hosted tool that allowUnwrapped names is seen by no hook: what it was asked and what it gave stand beside the answer.',
  },
  {
    way: 'reasoning beside an answer that hooks leave alone',
    outlet: /./u,
    why: 'An answer that hooks have not changed goes on with its reasoning and what the provider said, which no hook sees.',
  },
  {
    way: 'files that a tool gives',
    outlet: /^in base64: /u,
    why: 'docs/openai-agents.md: hooks see the files of a result as JSON, in base64: who must know what is in them decodes them.',
  },
];
