import type { AgentExecutionOptions } from '@mastra/core/agent';
import type { Ear } from './ear.ts';

export type Options = AgentExecutionOptions<undefined>;

/** Each option of a call: what hears what it is told, or why nothing is. One that Mastra adds is missing here. */
const options: Record<
  keyof Options,
  'hears' | 'is given below' | 'is told nothing' | 'is of the application'
> = {
  ...{ onStepFinish: 'hears', onFinish: 'hears', onChunk: 'hears', onError: 'hears', onAbort: 'hears' },
  ...{
    onIterationComplete: 'hears',
    prepareStep: 'hears',
    memory: 'is given below',
    includeRawChunks: 'is given below',
  },
  ...{ returnScorerData: 'is given below', structuredOutput: 'is given below', maxSteps: 'is told nothing' },
  ...{
    _skipBgTaskWait: 'is told nothing',
    loggerVNext: 'is of the application',
    metrics: 'is of the application',
  },
  ...{ tracing: 'is of the application', tracingContext: 'is of the application' },
  ...{ context: 'is given below', requireToolApproval: 'is given below' },
  ...{
    closeOnSuspend: 'is told nothing',
    eagerToolExecution: 'is told nothing',
    serverless: 'is told nothing',
    runId: 'is told nothing',
    savePerStep: 'is told nothing',
    actor: 'is told nothing',
    mcp: 'is told nothing',
    versions: 'is told nothing',
    stopWhen: 'is told nothing',
    providerOptions: 'is told nothing',
    activeTools: 'is told nothing',
    abortSignal: 'is told nothing',
    maxProcessorRetries: 'is told nothing',
    toolChoice: 'is told nothing',
    modelSettings: 'is told nothing',
    tracingOptions: 'is told nothing',
    autoResumeSuspendedTools: 'is told nothing',
    toolCallConcurrency: 'is told nothing',
    disableBackgroundTasks: 'is told nothing',
    backgroundTaskPolicy: 'is told nothing',
    untilIdle: 'is told nothing',
    hideSignals: 'is told nothing',
  },
  ...{
    instructions: 'is of the application',
    system: 'is of the application',
    requestContext: 'is of the application',
    inputProcessors: 'is of the application',
    outputProcessors: 'is of the application',
    errorProcessors: 'is of the application',
    toolsets: 'is of the application',
    clientTools: 'is of the application',
    hooks: 'is of the application',
    scorers: 'is of the application',
    isTaskComplete: 'is of the application',
    experimentalTransform: 'is of the application',
    transform: 'is of the application',
    delegation: 'is of the application',
  },
};

export const memory = { thread: 'chat-1', resource: 'ada' };

/** What every call is given. */
export function listen(ear: Ear): Options {
  const hearing = Object.entries(options).filter(([, how]) => how === 'hears');
  const told = Object.fromEntries(hearing.map(([name]) => [name, ear.at(name)]));
  return { ...told, memory, includeRawChunks: true, returnScorerData: true } as Options;
}
