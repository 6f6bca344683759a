import { type Attributes, context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { onTestFinished } from 'vitest';

/** What a real SDK exported. */
export interface Spans {
  /** In the order in which they were started. */
  all(): readonly ReadableSpan[];
  /** Names by nesting, one line each, two spaces deeper for every parent. */
  tree(): string[];
  /** The only span of a name. */
  one(name: string): ReadableSpan;
  attributes(name: string): Attributes;
}

/** Registers an SDK with an exporter in memory, as an application does; it is gone after the test. */
export function registerSdk({ withContext = true }: { withContext?: boolean } = {}): Spans {
  const exporter = new InMemorySpanExporter();
  const started: unknown[] = [];
  const registeredAt = Date.now() / 1000;
  const order: SpanProcessor = {
    onStart: (span) => void started.push(span),
    onEnd: () => {},
    shutdown: async () => {},
    forceFlush: async () => {},
  };
  const provider = new BasicTracerProvider({ spanProcessors: [order, new SimpleSpanProcessor(exporter)] });
  trace.setGlobalTracerProvider(provider);
  onTestFinished(() => {
    trace.disable();
    context.disable();
  });
  if (withContext) context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  // A hook that a test before this one left hanging is late now: that is none of this test's.
  const isOurs = ({ startTime: [s, ns] }: ReadableSpan): boolean => s + ns / 1e9 > registeredAt - 1;
  const all = (): readonly ReadableSpan[] =>
    exporter
      .getFinishedSpans()
      .filter(isOurs)
      .toSorted((a, b) => started.indexOf(a) - started.indexOf(b));
  return {
    all,
    tree: () => makeTree(all()),
    one: (name) => findOnly(all(), name),
    attributes: (name) => findOnly(all(), name).attributes,
  };
}

function findOnly(spans: readonly ReadableSpan[], name: string): ReadableSpan {
  const found = spans.filter((span) => span.name === name);
  if (found.length === 1) return found[0] as ReadableSpan;
  throw new Error(`${found.length} spans are named ${name}, of ${spans.map((span) => span.name).join(', ')}`);
}

function makeTree(spans: readonly ReadableSpan[]): string[] {
  const ids = new Set(spans.map((span) => span.spanContext().spanId));
  const below = (parent: string | undefined, depth: number): string[] =>
    spans
      .filter(
        ({ parentSpanContext: around }) =>
          (around && ids.has(around.spanId) ? around.spanId : undefined) === parent,
      )
      .flatMap((span) => [
        `${'  '.repeat(depth)}${span.name}`,
        ...below(span.spanContext().spanId, depth + 1),
      ]);
  return below(undefined, 0);
}
