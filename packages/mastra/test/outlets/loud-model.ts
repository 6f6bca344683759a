import type { AgentConfig } from '@mastra/core/agent';

/** What a model answers once, with the same text in each place that a provider has for it. */
export interface Step {
  readonly text?: string;
  readonly call?: { readonly name: string; readonly text?: string; readonly input?: object };
}

const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };

/** A model that says all that it says in every place where a provider may repeat it. */
export function loudModel(steps: readonly Step[], sent: unknown[]): AgentConfig['model'] {
  const left = [...steps];
  const next = (asked: { readonly prompt: unknown }) => {
    sent.push(structuredClone(asked.prompt));
    const step = left.shift() ?? { text: 'done' };
    const raw = JSON.stringify(step);
    const { text, call } = step;
    const input = JSON.stringify(call?.input ?? { text: call?.text });
    const called = { type: 'tool-call', toolCallId: `call_${left.length}`, toolName: call?.name, input };
    const end = {
      finishReason: call === undefined ? 'stop' : 'tool-calls',
      ...{ usage, providerMetadata: { loud: { raw } } },
    };
    return { text, raw, end, calls: call === undefined ? [] : [called] };
  };
  const model = {
    ...{ specificationVersion: 'v2', provider: 'loud', modelId: 'loud', supportedUrls: {} },
    async doGenerate(asked: { readonly prompt: unknown }) {
      const { text, raw, end, calls } = next(asked);
      const said = text === undefined ? [] : [{ type: 'text', text, providerMetadata: end.providerMetadata }];
      const content = [{ type: 'reasoning', text: raw }, ...said, ...calls];
      return { ...end, content, warnings: [], response: { id: 'r1', body: { raw } } };
    },
    async doStream(asked: { readonly prompt: unknown }) {
      const { text = '', raw, end, calls } = next(asked);
      const pieces = (text.match(/.{1,5}/gsu) ?? []).map((delta) => ({ type: 'text-delta', id: 't', delta }));
      const parts = [
        { type: 'stream-start', warnings: [] },
        { type: 'raw', rawValue: { raw } },
        ...[
          { type: 'reasoning-start', id: 'r' },
          { type: 'reasoning-delta', id: 'r', delta: raw },
        ],
        { type: 'reasoning-end', id: 'r' },
        { type: 'text-start', id: 't', providerMetadata: end.providerMetadata },
        ...[...pieces, { type: 'text-end', id: 't' }, ...calls],
        { type: 'finish', ...end },
      ];
      return { stream: ReadableStream.from(parts) };
    },
  };
  return model as unknown as AgentConfig['model'];
}
