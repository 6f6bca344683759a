import {
  type AgentOutputItem,
  type Model,
  type ModelRequest,
  type ModelResponse,
  type StreamEvent,
  Usage,
} from '@openai/agents';

/** What a model answers once, with the same text in each place that a provider has for it. */
export interface Step {
  readonly text?: string;
  readonly refusal?: string;
  readonly calls?: readonly { readonly name: string; readonly args: string; readonly id?: string }[];
  readonly items?: readonly AgentOutputItem[];
  readonly fails?: Error;
}

/** A model that says all that it says in every place where a provider may repeat it. */
export class LoudModel implements Model {
  /** What it was sent. */
  readonly requests: ModelRequest[] = [];
  readonly #steps: Step[];

  constructor(steps: readonly Step[]) {
    this.#steps = [...steps];
  }

  async getResponse(request: ModelRequest): Promise<ModelResponse> {
    const { fails, output, raw } = this.#next(request);
    if (fails !== undefined) throw fails;
    return { usage: new Usage(), output, responseId: 'r1', requestId: 'q1', providerData: raw };
  }

  async *getStreamedResponse(request: ModelRequest): AsyncIterable<StreamEvent> {
    const { fails, output, text, raw } = this.#next(request);
    yield { type: 'response_started', providerData: raw };
    yield { type: 'model', event: raw, providerData: raw };
    for (const delta of text.match(/.{1,5}/gsu) ?? [])
      yield { type: 'output_text_delta', delta, providerData: raw };
    if (fails !== undefined) throw fails;
    const usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
    const response = { id: 'r1', requestId: 'q1', usage, output: output as never, providerData: raw };
    yield { type: 'response_done', response, providerData: raw };
  }

  #next(request: ModelRequest) {
    this.requests.push({ ...request, input: structuredClone(request.input) });
    const step = this.#steps.shift() ?? { text: 'done' };
    const raw = { raw: JSON.stringify(step) };
    return { fails: step.fails, output: makeOutput(step, raw), text: step.text ?? '', raw };
  }
}

type Raw = Readonly<Record<string, string>>;

function makeOutput({ text, refusal, calls = [], items = [] }: Step, raw: Raw): AgentOutputItem[] {
  const content = [
    ...(text === undefined ? [] : [{ type: 'output_text' as const, text, providerData: raw }]),
    ...(refusal === undefined ? [] : [{ type: 'refusal' as const, refusal, providerData: raw }]),
  ];
  const message = {
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content,
    providerData: raw,
  } as const;
  const thought = { type: 'input_text', text: JSON.stringify([text, refusal, calls]) } as const;
  return [
    {
      type: 'reasoning',
      content: [thought],
      rawContent: [{ type: 'reasoning_text', text: thought.text }],
      providerData: raw,
    },
    { type: 'unknown', providerData: raw },
    ...items,
    ...(content.length === 0 ? [] : [message]),
    ...calls.map(({ name, args, id = `call_${name}` }) => ({
      ...{ type: 'function_call' as const, callId: id, name, arguments: args, providerData: raw },
    })),
  ] as AgentOutputItem[];
}
