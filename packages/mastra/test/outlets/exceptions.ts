/** Where a card may stand, and why. */
export interface Exception {
  readonly way: RegExp;
  /** Where the card was said, and where it stands. */
  readonly path: RegExp;
  readonly why: string;
}

export const exceptions: readonly Exception[] = [
  {
    way: /./u,
    path: /^(user|later)\.(prepareStep|onChunk|result|a processor of (in|out)puts|a scorer)\[\d+\].*\.stateManager\.(newUser|userContext)MessagesPersisted\.key\(/u,
    why: 'Mastra keeps the message that came, to know it again, in a private part of its list of messages: nothing reads its text.',
  },
  {
    way: /^spans/u,
    path: /^(user|later)\.(span \w+\[\d+\]\.input\.|span (agent_run|scorer_step)\[\d+\]\.input|.*(\.tracing\.currentSpan|\[Symbol\(kResourceStore\)\])\.)/u,
    why: 'docs/mastra.md: spans begin before any processor, with what is said as it was said.',
  },
  {
    way: /^hidden inputs of spans$/u,
    path: /^user\..*\.tracing\.currentSpan\./u,
    why: 'A span keeps its input in the process, where functions of the application may read it; exporters do not get it.',
  },
  {
    way: /^a title for the thread$/u,
    path: /^answer\.(memory|storage|all that the memory keeps)\[/u,
    why: 'docs/mastra.md: Mastra asks the model for the title of a thread by itself, and no processor sees that.',
  },
  {
    way: /sent into a run$/u,
    path: /^later\.(chunk (data-user-message|data-signal|step-finish)|a processor of outputs\[\d+\]\.streamParts)/u,
    why: 'docs/mastra.md: the stream of a run tells what is sent into it as it was said.',
  },
  {
    way: /in a workflow$/u,
    path: /^user\.(chunk of a workflow|result of a workflow|storage|span workflow_)/u,
    why: 'docs/mastra.md: a workflow tells and keeps what its application has given it.',
  },
  {
    way: /^a call that a person declines$/u,
    path: /^later(await )?\.(a processor of |result|memory|all that the memory keeps|storage|chunk |onIterationComplete|onStepFinish|onFinish|prepareStep|execute of a tool)/u,
    why: 'docs/mastra.md: why a person declines a call is kept and told as they said it; the model and the store get it through the hooks.',
  },
  {
    way: /^a network that is told the card$/u,
    path: /^user(await )?\.(chunk of a network|result of a network|memory|all that the memory keeps)/u,
    why: 'docs/mastra.md: Mastra stores what a network is told as it was said.',
  },
  {
    way: /^a network with a bare tool$/u,
    path: /^result\./u,
    why: 'docs/mastra.md: what a network runs that is accepted by allowUnwrapped.',
  },
  {
    way: /^a bare (tool|agent)$/u,
    path: /^result(await )?\./u,
    why: 'docs/mastra.md: no hook sees the calls of tools that allowUnwrapped accepts.',
  },
  {
    way: /^a memory that finds by meaning, before the hooks$/u,
    path: /^user\.what is embedded\[/u,
    why: 'docs/mastra.md: what such a memory has sent on before its run is refused.',
  },
  {
    way: /^a memory that observes/u,
    path: /^answer\.(what the memory was answered|requests|memory|what the memory stores|all that the memory keeps|a processor of inputs|execute of a tool|prepareStep)\[/u,
    why: 'docs/mastra.md: the notes of a memory that observes are those of its own model.',
  },
];
