import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3Content,
  LanguageModelV3GenerateResult,
  LanguageModelV3Prompt,
  LanguageModelV3StreamPart,
  LanguageModelV3StreamResult,
} from '@ai-sdk/provider';
import { encodeText } from '@spec/test-helpers';
import { canary } from './canaries.ts';

/** What each answer has beside its text and its reasoning. */
export interface Script {
  /** Which answers call the tools. */
  readonly calls?: (step: number) => boolean;
  /** Whether texts are JSON. */
  readonly isJson?: boolean;
  /** Whether its first call fails, with an error that tells what was sent, as those of providers do; or breaks off where it streams. */
  readonly fails?: boolean | 'midway';
  /** Whether its provider runs a tool. */
  readonly hosts?: boolean;
}

export interface LeakyModel extends LanguageModelV3 {
  /** What it was sent, call by call. */
  readonly sent: LanguageModelV3Prompt[];
}

/** A model that says a canary in every place that its interface has. */
export function leakyModel(script: Script, specificationVersion: 'v3' | 'v4'): LeakyModel {
  const sent: LanguageModelV3Prompt[] = [];
  let step = 0;
  const next = (params: LanguageModelV3CallOptions): LanguageModelV3Content[] => {
    sent.push(structuredClone(params.prompt));
    if (script.fails === true && sent.length === 1) throw makeError(params);
    const content = makeContent(script, ++step);
    return specificationVersion === 'v3' ? content : content.map(makeLater);
  };
  const model: LanguageModelV3 = {
    specificationVersion: specificationVersion as 'v3',
    ...{ provider: 'script', modelId: 'script', supportedUrls: {} },
    doGenerate: async (params) => makeResult(next(params), params),
    doStream: async (params) => {
      const { stream, ...given } = makeStream(next(params), params);
      const isBroken = script.fails === 'midway' && sent.length === 1;
      return { ...given, stream: isBroken ? breakOff(stream, params) : stream };
    },
  };
  return Object.assign(model, { sent });
}

/** As those of providers are: it tells what was sent. */
const makeError = ({ prompt }: LanguageModelV3CallOptions): Error =>
  Object.assign(new Error('overloaded'), { isRetryable: true, requestBodyValues: prompt });

/** The first pieces of an answer, and an error. */
function breakOff(
  stream: ReadableStream<LanguageModelV3StreamPart>,
  params: LanguageModelV3CallOptions,
): ReadableStream<LanguageModelV3StreamPart> {
  const all = async function* (): AsyncGenerator<LanguageModelV3StreamPart> {
    for await (const part of stream) {
      if (part.type === 'text-end') break;
      yield part;
    }
    yield { type: 'error', error: makeError(params) };
  };
  return ReadableStream.from(all());
}

const providerMetadata = { script: { said: canary('metadata'), itemId: canary('metadata') } };

const search = { toolCallId: 'search_1', toolName: 'search', providerMetadata };
const hosted: readonly LanguageModelV3Content[] = [
  {
    ...{ ...search, type: 'tool-call', providerExecuted: true },
    input: JSON.stringify({ card: canary('hosted') }),
  },
  { ...search, type: 'tool-result', result: { found: canary('hosted') } },
];

function makeContent(
  { calls = () => false, isJson = false, hosts = false }: Script,
  step: number,
): LanguageModelV3Content[] {
  const said = `It is ${canary('text')}.`;
  const text = isJson ? JSON.stringify({ of: said }) : said;
  const content: LanguageModelV3Content[] = [
    { type: 'reasoning', text: `So ${canary('reasoning')}.`, providerMetadata },
    { type: 'text', text, providerMetadata },
    { type: 'source', sourceType: 'url', id: 's', url: `https://x/${canary('source')}`, title: 'x' },
    { type: 'file', mediaType: 'text/plain', data: encodeText(canary('source')) },
  ];
  if (hosts) content.push(...hosted);
  const card = JSON.stringify({ card: canary('args') });
  const all = [
    ...[['pay', card] as const, ['fail', card] as const, ['pieces', card] as const],
    ...[['nowhere', `{"card":"${canary('badargs')}"}`] as const, ['pay', `{"${canary('badargs')}`] as const],
  ];
  if (!calls(step)) return content;
  const made = all.map(([toolName, input], at) => ({
    ...({ type: 'tool-call', toolCallId: `call_${step}_${at}`, toolName, input } as const),
    providerMetadata,
  }));
  return [...content, ...made];
}

/** The same part as models of interface version 4 have it. */
function makeLater(part: LanguageModelV3Content): LanguageModelV3Content {
  if (part.type !== 'file') return part;
  return { ...part, data: { type: 'data', data: part.data } as unknown as string };
}

const makeEnd = (content: readonly LanguageModelV3Content[]) => ({
  finishReason: {
    unified: content.some(({ type }) => type === 'tool-call') ? ('tool-calls' as const) : ('stop' as const),
    raw: canary('report'),
  },
  usage: {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
    raw: { said: canary('report') },
  },
  providerMetadata,
});

const warnings = [{ type: 'other' as const, message: canary('report') }];
const headers = { said: canary('report') };

function makeResult(
  content: LanguageModelV3Content[],
  { prompt }: LanguageModelV3CallOptions,
): LanguageModelV3GenerateResult {
  return {
    ...makeEnd(content),
    content,
    warnings,
    request: { body: { prompt } },
    response: { id: 'r', modelId: 'm', headers, body: { text: canary('body') } },
  };
}

function makeStream(
  content: LanguageModelV3Content[],
  { prompt }: LanguageModelV3CallOptions,
): LanguageModelV3StreamResult {
  const parts: LanguageModelV3StreamPart[] = [
    { type: 'stream-start', warnings },
    { type: 'response-metadata', id: 'r', modelId: 'm' },
    { type: 'raw', rawValue: { text: canary('body') } },
    ...content.flatMap((part) => [...toParts(part)]),
    { type: 'finish', ...makeEnd(content) },
  ];
  return {
    stream: ReadableStream.from(parts),
    request: { body: { prompt } },
    response: { headers },
  };
}

function* toParts(part: LanguageModelV3Content): Iterable<LanguageModelV3StreamPart> {
  if (part.type === 'tool-call') {
    const { toolCallId: id, toolName, input } = part;
    yield { type: 'tool-input-start', id, toolName, providerMetadata };
    yield { type: 'tool-input-delta', id, delta: input, providerMetadata };
    yield { type: 'tool-input-end', id, providerMetadata };
    yield part;
  } else if (part.type === 'text' || part.type === 'reasoning') {
    const { type: id, text } = part;
    yield { type: `${id}-start`, id, providerMetadata };
    for (const delta of text.match(/.{1,7}/gsu) ?? [])
      yield { type: `${id}-delta`, id, delta, providerMetadata };
    yield { type: `${id}-end`, id, providerMetadata };
  } else yield part;
}
