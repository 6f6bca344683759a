import type {
  CachedLLMStepResponse,
  ProcessLLMRequestArgs,
  ProcessLLMRequestResult,
  Processor,
} from '@mastra/core/processors';
import { DefinitionError, type HookToolCall } from '@spec/hooks';
import { passAnswer, type Said } from '@spec/hooks/host';
import { makeResponse, tellEnd } from './request.ts';
import type { Running } from './turns.ts';

/** A processor that may answer in the place of the model, such as a cache: what it answers passes the hooks. */
export function wrapProcessor<P extends Processor>(
  processor: P,
  find: (args: ProcessLLMRequestArgs) => Running,
): P {
  const processLLMRequest = async (args: ProcessLLMRequestArgs): Promise<ProcessLLMRequestResult> => {
    const given = await processor.processLLMRequest?.(args);
    if (!given?.response) return given;
    return { ...given, response: await passCached(find(args), args, given.response) };
  };
  return new Proxy(processor, {
    get(target, name) {
      if (name === 'processLLMRequest' && target.processLLMRequest !== undefined) return processLLMRequest;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

async function passCached(
  running: Running,
  { stepNumber }: ProcessLLMRequestArgs,
  response: CachedLLMStepResponse,
): Promise<CachedLLMStepResponse> {
  if (running.asked !== stepNumber)
    throw new DefinitionError(
      'bad_option',
      'A processor that may answer in the place of the model stands before hooks.processor. Put hooks.processor first.',
    );
  if (!running.isAwaiting) return response; // A hook has answered, and Mastra takes the first answer.
  running.isAwaiting = false;
  if (running.began !== undefined) running.began = { ...running.began, cached: true };
  await tellEnd(running, { chunks: response.chunks, errorCode: null });
  const said = readResponse(response);
  const passed = await passAnswer(running.turn, said);
  running.calls = [...passed.calls];
  return passed === said ? response : makeResponse({ content: passed.text, toolCalls: [...passed.calls] });
}

interface Payload {
  readonly text?: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly args?: unknown;
}

function readResponse({ chunks }: CachedLLMStepResponse): Said {
  const pick = (type: string): Payload[] =>
    chunks.filter((chunk) => chunk.type === type).map(({ payload }) => payload as Payload);
  const texts = pick('text-delta').map(({ text = '' }) => text);
  const calls = pick('tool-call').map(
    ({ toolCallId: id = '', toolName: name = '', args = {} }): HookToolCall => ({
      ...{ id, type: 'function' },
      function: { name, arguments: JSON.stringify(args) },
    }),
  );
  return { text: texts.length === 0 ? null : texts.join(''), calls };
}

/** What Mastra keeps the messages of a run in. */
type MessageList = NonNullable<ProcessLLMRequestArgs['messageList']>;

const watched = new WeakSet<MessageList>();

/** Mastra tells nobody that a processor has answered in the place of the model: its answer is kept out of the run. */
export function refuseUnheard(running: Running, list: MessageList | undefined): void {
  if (list === undefined || watched.has(list)) return;
  watched.add(list);
  const add = list.add.bind(list);
  list.add = (...args: Parameters<MessageList['add']>) => {
    const [, source] = args;
    if (source === 'response' && running.isAwaiting)
      throw new DefinitionError(
        'bad_option',
        'A processor has answered in the place of the model, and no hook has seen that. Give the agent hooks.wrapProcessor(it), behind hooks.processor.',
      );
    return add(...args);
  };
}
