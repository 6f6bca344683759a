import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { BasicTracerProvider, type ReadableSpan, type SpanProcessor } from '@opentelemetry/sdk-trace-base';

/** Registers an SDK that keeps its spans, in the order in which they began; in production it sends them to a collector. */
export function startTracing(): readonly ReadableSpan[] {
  const spans: ReadableSpan[] = [];
  const keep: SpanProcessor = {
    onStart: (span) => void spans.push(span),
    onEnd() {},
    async forceFlush() {},
    async shutdown() {},
  };
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [keep] }));
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  return spans;
}

/** Prints spans by nesting, each with what it says of itself; times and ids that differ from run to run are left out. */
export function printTree(spans: readonly ReadableSpan[], parent?: string, indent = ''): void {
  for (const span of spans.filter((child) => child.parentSpanContext?.spanId === parent)) {
    console.log(`${indent}${span.name}`);
    for (const [name, value] of Object.entries(span.attributes))
      if (!repeated.has(name)) console.log(`${indent}  · ${name} = ${JSON.stringify(value)}`);
    printTree(spans, span.spanContext().spanId, `${indent}  `);
  }
}

const repeated = new Set([
  'gen_ai.agent.id',
  'gen_ai.agent.name',
  'gen_ai.conversation.id',
  'gen_ai.operation.name',
  'gen_ai.provider.name',
  'gen_ai.tool.name',
  'gen_ai.tool.type',
  'spec.hook.id',
  'spec.hook.name',
  'spec.step',
  'spec.turn.id',
]);
