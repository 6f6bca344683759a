import {
  type Agent,
  type AgentConfiguration,
  type AgentHookEvents,
  type AgentOutputType,
  type FunctionTool,
  type NonStreamRunOptions,
  type RunConfig,
  type RunHookEvents,
  type Runner,
  type RunResult,
  type RunState,
  type StreamedRunResult,
  ToolGuardrailFunctionOutputFactory,
  type TracingProcessor,
} from '@openai/agents';
import { type Each, type Ear, pickGiven, silent } from './ear.ts';

/** Whatever it gives. */
export type AnyAgent = Agent<unknown, AgentOutputType>;

const passing = async () => ({ tripwireTriggered: false, outputInfo: null });
const allowing = async () => ToolGuardrailFunctionOutputFactory.allow();
const setting = silent('a setting: it is told nothing');
const inlet = silent('a way of its own below');

/** What every call of `run` is given. */
export function listenToRun(ear: Ear): NonStreamRunOptions<unknown> {
  const each: Each<NonStreamRunOptions<unknown>> = {
    ...{
      stream: setting,
      maxTurns: setting,
      signal: setting,
      tracing: setting,
      sandbox: silent('sandbox agents are refused'),
    },
    ...{
      toolExecution: setting,
      toolNotFoundBehavior: 'return_error_to_model',
      toolNameCollisionPolicy: setting,
    },
    ...{ reasoningItemIdPolicy: setting, context: silent('what the application gives its own tools') },
    ...{ session: inlet, previousResponseId: setting, conversationId: setting },
    sessionInputCallback: ear.at('sessionInputCallback', (history, input) => [...history, ...input]),
    callModelInputFilter: ear.at('callModelInputFilter', ({ modelData }) => modelData),
    toolErrorFormatter: ear.at('toolErrorFormatter', ({ defaultMessage }) => defaultMessage),
    outputGuardrailBlockedMessage: ear.at(
      'outputGuardrailBlockedMessage',
      ({ defaultMessage }) => defaultMessage,
    ),
    errorHandlers: { default: ear.at('errorHandlers', () => undefined) },
  };
  return pickGiven(each);
}

/** What the runner is made with. */
export function listenToRunner(ear: Ear): Partial<RunConfig> {
  const each: Each<RunConfig> = {
    ...{ model: inlet, modelProvider: inlet, tracingDisabled: setting, traceIncludeSensitiveData: setting },
    ...{
      workflowName: setting,
      traceId: setting,
      groupId: setting,
      traceMetadata: setting,
      tracing: setting,
    },
    ...{
      sandbox: setting,
      toolExecution: setting,
      toolNotFoundBehavior: setting,
      toolNameCollisionPolicy: setting,
    },
    ...{
      reasoningItemIdPolicy: setting,
      sessionInputCallback: silent('given to run'),
      callModelInputFilter: silent('given to run'),
    },
    ...{ toolErrorFormatter: silent('given to run'), outputGuardrailBlockedMessage: silent('given to run') },
    modelSettings: {
      retry: { maxRetries: 1, backoff: { initialDelayMs: 1 }, policy: ear.at('retry.policy', () => true) },
    },
    handoffInputFilter: ear.at('handoffInputFilter', (input) => input),
    inputGuardrails: [{ name: 'in', execute: ear.at('inputGuardrails of the runner', passing) }],
    outputGuardrails: [{ name: 'out', execute: ear.at('outputGuardrails of the runner', passing) }],
  };
  return pickGiven(each);
}

/** What every agent is made with. */
export function listenToAgent(ear: Ear): Partial<AgentConfiguration> {
  const each: Each<AgentConfiguration> = {
    ...{
      name: inlet,
      handoffs: inlet,
      model: inlet,
      tools: inlet,
      outputType: inlet,
      mcpServers: silent('refused'),
    },
    ...{
      handoffDescription: setting,
      handoffOutputTypeWarningEnabled: setting,
      modelSettings: setting,
      mcpConfig: setting,
    },
    ...{ resetToolChoice: setting, prompt: silent('kept at the provider') },
    instructions: ear.at('instructions', () => 'You help.'),
    inputGuardrails: [{ name: 'in', execute: ear.at('inputGuardrails', passing) }],
    outputGuardrails: [{ name: 'out', execute: ear.at('outputGuardrails', passing) }],
    toolUseBehavior: ear.at('toolUseBehavior', () => ({ isFinalOutput: false, isInterrupted: undefined })),
  };
  return pickGiven(each);
}

/** What every tool has beside what it does. */
export function listenToTool(ear: Ear): Partial<FunctionTool> {
  const each: Each<FunctionTool> = {
    ...{
      type: setting,
      name: inlet,
      description: setting,
      parameters: setting,
      strict: setting,
      deferLoading: setting,
    },
    ...{
      providerData: setting,
      allowedCallers: setting,
      outputSchema: setting,
      timeoutMs: setting,
      timeoutBehavior: setting,
    },
    ...{ invoke: silent('its execute below'), errorFunction: inlet },
    needsApproval: ear.at('needsApproval', async () => false),
    timeoutErrorFunction: ear.at('timeoutErrorFunction', () => 'late'),
    isEnabled: ear.at('isEnabled', async () => true),
    inputGuardrails: [{ type: 'tool_input', name: 'in', run: ear.at('inputGuardrails of a tool', allowing) }],
    outputGuardrails: [
      { type: 'tool_output', name: 'out', run: ear.at('outputGuardrails of a tool', allowing) },
    ],
    customDataExtractor: ear.at('customDataExtractor', () => ({})),
  };
  return pickGiven(each);
}

const events: Record<keyof RunHookEvents & keyof AgentHookEvents, true> = {
  ...{
    agent_start: true,
    agent_end: true,
    agent_handoff: true,
    agent_tool_start: true,
    agent_tool_end: true,
  },
};
const eventNames = Object.keys(events) as (keyof typeof events)[];

const read = 'its value is looked through';
const called = 'it is called, and what it gives is looked through';
const none = 'it takes something, or tells numbers';

/** What a run gives, and how each of it is heard. */
const results: Record<keyof StreamedRunResult<unknown, AnyAgent>, typeof read | typeof called | typeof none> =
  {
    ...{ state: read, history: read, output: read, input: read, runContext: read, agentToolInvocation: read },
    ...{
      newItems: read,
      rawResponses: read,
      lastResponseId: read,
      lastAgent: read,
      activeAgent: read,
      interruptions: read,
    },
    ...{ inputGuardrailResults: read, outputGuardrailResults: read, toolInputGuardrailResults: read },
    ...{
      toolOutputGuardrailResults: read,
      finalOutput: read,
      currentAgent: read,
      currentTurn: none,
      maxTurns: none,
    },
    ...{ cancelled: none, toStream: called, completed: none, error: read, toTextStream: called },
    [Symbol.asyncIterator]: called,
  };

/** What the state of a run can be asked. */
const states: Record<MethodOf<RunState<unknown, Agent>>, typeof called | typeof none> = {
  ...{
    toJSON: called,
    toString: called,
    getInterruptions: called,
    getPendingAgentToolRun: none,
    approve: none,
    reject: none,
  },
  ...{
    hasPendingAgentToolRun: none,
    setPendingAgentToolRun: none,
    clearPendingAgentToolRun: none,
    addInput: none,
  },
  ...{
    clearPendingInput: none,
    rewindTurnPersistence: none,
    resetTurnPersistence: none,
    setCurrentAgent: none,
  },
  ...{
    getToolSearchRuntimeTools: none,
    getToolSearchRuntimeToolsForOutput: none,
    recordToolSearchRuntimeTools: none,
  },
  ...{
    clearTrace: none,
    setCurrentAgentSpan: none,
    setReasoningItemIdPolicy: none,
    setConversationContext: none,
  },
};

type MethodOf<Of> = {
  [Name in keyof Of]: Of[Name] extends (...given: never[]) => unknown ? Name : never;
}[keyof Of];

/** @param result of a run that is over; its stream is read elsewhere */
export function hearResult(
  ear: Ear,
  result: RunResult<unknown, AnyAgent> | StreamedRunResult<unknown, AnyAgent>,
): void {
  for (const [name, how] of Object.entries(results))
    if (how === read) ear.hear(`result.${name}`, Reflect.get(result, name));
  for (const [name, how] of Object.entries(states) as [keyof typeof states, string][])
    if (how === called) ear.hear(`state.${name}`, Reflect.apply(result.state[name], result.state, []));
}

export function listenToEvents(ear: Ear, emitter: Runner | Agent, of: string): void {
  for (const name of eventNames)
    (emitter as Runner).on(name, (...handed) => ear.hear(`event ${name} of the ${of}`, ...handed));
}

/** Spans and traces know those of all runs before: what they have is heard, and they are not looked through. */
export const spans: Set<unknown> = new Set();

/** A processor of traces, which finds whose they are. */
export function listenToTraces(find: () => Ear | undefined): TracingProcessor {
  const hear = async (outlet: string, span: { toJSON(): object | null }): Promise<void> => {
    spans.add(span);
    find()?.hear(outlet, structuredClone(span.toJSON()));
  };
  return {
    onTraceStart: (trace) => hear('trace', trace),
    onTraceEnd: (trace) => hear('trace', trace),
    onSpanStart: (span) => hear(`span ${span.spanData.type}`, span),
    onSpanEnd: (span) => hear(`span ${span.spanData.type}`, span),
    forceFlush: async () => {},
    shutdown: async () => {},
  };
}
